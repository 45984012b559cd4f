/** The tables about answers: the class of each, and how often a call is made again after an answer of that class. */
import { is4xx, isPage } from '../../record/exchange.ts';
import type { AnswerClass } from '../../record/finding.ts';
import { refusesAccess, speaksOfAccess } from '../target/access/authorization.ts';
import { saysItPasses, tooFast, underWay } from '../target/budgets/retry.ts';
import type { Answer } from '../target/call.ts';
import { isStray } from '../untrusted/text.ts';
import { refusesCertificate } from '../wire/transport-failure.ts';

/** Statuses of an address or a thing that is not there: not found, no such method, gone, not implemented. */
const notThere = [404, 405, 410, 501];

/** Whether an address, or what a call names, is not there. */
export const isNotThere = ({ status }: Pick<Answer, 'status'>): boolean => notThere.includes(status);

const limit = 'limit|maximum|allowance|credits?';
const spent = 'reached|exceeded|exhausted|used up|full';

/** Words for something that is used up. "Rate limit exceeded" is about the pace: a later call gets another answer. */
const usedUp = new RegExp(
  [
    '\\bquotas?\\b',
    '\\bpayment required\\b|\\bupgrade\\b.{0,20}\\bplan\\b',
    `\\b(sandbox|trial|account|tenant|storage|plan)\\b.{0,40}\\b(${spent})\\b`,
    `(?<!\\brate[ -])\\b(${limit})\\b.{0,40}\\b(${spent})\\b`,
    `\\b(${spent})\\b.{0,40}(?<!\\brate[ -])\\b(${limit})\\b`,
    '\\btoo many (documents|files|signatories|signers|recipients|participants|people)\\b',
    '\\b(at most|more than|maximum of) \\d+ (signatories|signers|recipients|participants|people)\\b',
    '\\b(no|insufficient|not enough|out of)\\b.{0,20}\\bcredits?\\b',
  ].join('|'),
  'is',
);

const pace = /\bper[ -](second|minute|hour)\b|\/(s|sec|min)\b/i;

/** Whether a refusal speaks of a limit, by its words, by 402 (Payment Required) or 413 (Content Too Large). No limit is stated. */
export function speaksOfQuota({
  status,
  reason,
  text,
  denied,
}: Pick<Answer, 'status' | 'reason' | 'text' | 'denied'>): boolean {
  if (status === 402 || status === 413) return true;
  // A web page may carry any word.
  const words = `${reason} ${text.slice(0, 2_000)}`;
  return (is4xx({ status }) || denied === true) && usedUp.test(words) && !pace.test(words);
}

const is =
  (...statuses: readonly number[]) =>
  ({ status }: Answer) =>
    statuses.includes(status);
const from =
  (least: number, most: number) =>
  ({ status }: Answer) =>
    status >= least && status <= most;
const failedWith =
  (...codes: readonly string[]) =>
  ({ exchange }: Answer) =>
    codes.includes(exchange.failure?.code ?? '');

/** Whether the answer to an upload has no token: an error may come with 200. */
const lacksToken = ({ documentToken }: Answer) => documentToken !== undefined && 'missing' in documentToken;
const isDenied = ({ denied }: Answer) => denied === true;
const mayHideToken = ({ documentToken }: Answer) =>
  documentToken !== undefined && 'missing' in documentToken && documentToken.hidden;

/** Words by which a refusal of any status says that the same call will be taken later. */
const notNow = /\btry again\b|\btemporar|\bunavailable\b/i;

/** Whether the text begins as a JSON object or array and does not end as one. */
function breaksOff(text: string): boolean {
  const whole = text.trim();
  return (whole.startsWith('{') && !whole.endsWith('}')) || (whole.startsWith('[') && !whole.endsWith(']'));
}

/** The first row that fits gives the class. */
const classes: readonly (readonly [AnswerClass, (answer: Answer) => boolean])[] = [
  ['unsent', failedWith('NOT_SENT')],
  ['unsent', ({ exchange }) => exchange.failure !== undefined && refusesCertificate(exchange.failure)],
  ['silent', failedWith('DEADLINE', 'UNFINISHED')],
  ['trouble', is(0)],
  ['quota', speaksOfQuota],
  // Gateways may answer calls that come too fast so, too.
  ['rate', ({ status, headers, text }) => status === 403 && saysItPasses(headers, text, tooFast)],
  ['access', refusesAccess],
  ['access', (answer) => (lacksToken(answer) || isDenied(answer)) && speaksOfAccess(answer)],
  ['rate', is(429)],
  ['conflict', is(409, 423)],
  ['early', is(425)],
  ['not-there', is(...notThere)],
  ['busy', is(503)],
  ['trouble', from(500, 999)],
  ['early', ({ status, text }) => is4xx({ status }) && underWay.test(text.slice(0, 2_000))],
  ['refused', from(400, 499)],
  ['redirected', from(300, 399)],
  // A web page does not come from the service, whatever its words say.
  ['foreign', ({ text, named }) => !named && isPage(text)],
  ['unreadable', mayHideToken],
  ['refused', lacksToken],
  ['rate', (answer) => isDenied(answer) && tooFast.test(answer.text.slice(0, 2_000))],
  ['busy', (answer) => isDenied(answer) && notNow.test(answer.text.slice(0, 2_000))],
  ['refused', isDenied],
  ['foreign', ({ text, named }) => !named && isStray({ text })],
  // The answer was cut off or mixed up on the way. That counts as a failure only if it happens each time.
  ['foreign', ({ text }) => breaksOff(text)],
  ['accepted', from(200, 299)],
  ['trouble', from(100, 199)],
];

export function classify(answer: Answer): AnswerClass {
  const row = classes.find(([, fits]) => fits(answer));
  if (!row) throw new Error(`no class fits an answer with status ${answer.status}`);
  return row[0];
}

/** Answers that have another reason than the call itself, so that they say nothing about it. */
export const explained: readonly AnswerClass[] = ['access', 'quota', 'rate', 'conflict', 'early'];

/** Trouble on the way or at the target, no answer included: it says nothing about the call, and may pass. */
export const transient: readonly AnswerClass[] = ['trouble', 'busy', 'silent', 'rate', 'unsent'];

export const isTransient = (answer: Answer): boolean => transient.includes(classify(answer));

interface Again {
  /**
   * How often a judged call with an unexpected answer is made again. Each time it has new people, titles and
   * documents, and its twin goes before it and has to be accepted. Signature requests for this are taken from what
   * the first calls of `must`s leave over (`harness/target/budgets/requests.ts`).
   */
  readonly times: number;
  /** The pauses before a shared call is made anew, in milliseconds. */
  readonly pausesMs: readonly number[];
}

const once: Again = { times: 1, pausesMs: [] };
const never: Again = { times: 0, pausesMs: [] };
/** Shared calls wait until trouble is over or lasts too long (`Patience` in `harness/target/budgets/retry.ts`). */
const waits = [400, 1_200];

export const againAfter: Readonly<Record<AnswerClass, Again>> = {
  // A success where a refusal is stated needs no second look.
  accepted: never,
  refused: once,
  redirected: once,
  'not-there': once,
  // The client has renewed the token already, where that is possible (RFC 6749).
  access: once,
  quota: once,
  // The client has sent the call again three times already, as it does with every call that surely was not taken up.
  rate: { times: 1, pausesMs: waits },
  busy: { times: 1, pausesMs: waits },
  conflict: { times: 1, pausesMs: waits },
  // The client has repeated the call until an object that was just made has to be visible.
  early: { times: 1, pausesMs: waits },
  // Chance can hit one row several times: at a target that breaks off one call in ten, four in a row happen to one
  // row in ten thousand.
  trouble: { times: 3, pausesMs: waits },
  // A call that hangs takes as long as the deadline each time.
  silent: { times: 2, pausesMs: waits },
  // The page of a login or a gateway, or a broken answer: it may be a coincidence like other trouble.
  foreign: { times: 3, pausesMs: waits },
  unreadable: never,
  unsent: never,
};
