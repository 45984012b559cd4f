/** Gives each answer one class: the only place that decides what a status or the words of a refusal speak of. */
import type { AnswerClass } from '../../record/finding.ts';
import { refusesAccess, speaksOfAccess } from '../target/access/authorization.ts';
import type { Answer } from '../target/call.ts';
import { isPage, isStray } from '../untrusted/text.ts';

/** Statuses of an address or a thing that is not there: not found, no such method, gone, not implemented. */
const notThere = [404, 405, 410, 501];

/** Whether an address, or what a call names, is not there. */
export const isNotThere = ({ status }: Pick<Answer, 'status'>): boolean => notThere.includes(status);

const limit = 'limit|maximum|allowance|credits?';
const spent = 'reached|exceeded|exhausted|used up|full';

/** Words for something that is used up. "Rate limit exceeded" is about the pace, and another answer follows soon. */
const usedUp = new RegExp(
  [
    '\\bquotas?\\b',
    '\\bpayment required\\b|\\bupgrade\\b.{0,20}\\bplan\\b',
    `\\b(sandbox|trial|account|tenant|storage|plan)\\b.{0,40}\\b(${spent})\\b`,
    `(?<!\\brate[ -])\\b(${limit})\\b.{0,40}\\b(${spent})\\b`,
    `\\b(${spent})\\b.{0,40}(?<!\\brate[ -])\\b(${limit})\\b`,
    '\\b(no|insufficient|not enough|out of)\\b.{0,20}\\bcredits?\\b',
  ].join('|'),
  'is',
);

const pace = /\bper[ -](second|minute|hour)\b|\/(s|sec|min)\b/i;

/** Whether a refusal says that something is used up, by its words or by 402 (Payment Required). */
export function speaksOfQuota({ status, reason, text }: Pick<Answer, 'status' | 'reason' | 'text'>): boolean {
  if (status === 402) return true;
  // A web page may carry any word.
  const words = `${reason} ${text.slice(0, 2_000)}`;
  return status >= 400 && status < 500 && usedUp.test(words) && !pace.test(words);
}

const is =
  (...statuses: readonly number[]) =>
  ({ status }: Answer) =>
    statuses.includes(status);
const from =
  (least: number, most: number) =>
  ({ status }: Answer) =>
    status >= least && status <= most;
const failed =
  (code: string) =>
  ({ exchange }: Answer) =>
    exchange.failure?.code === code;

/** An upload that succeeds has something in the place of the token: an error may come with 200. */
const lacksToken = ({ documentToken }: Answer) => documentToken !== undefined && 'missing' in documentToken;
const mayHideToken = ({ documentToken }: Answer) =>
  documentToken !== undefined && 'missing' in documentToken && documentToken.hidden;

/** The first row that fits gives the class. */
const rows: readonly (readonly [AnswerClass, (answer: Answer) => boolean])[] = [
  ['unsent', failed('NOT_SENT')],
  ['silent', failed('DEADLINE')],
  ['trouble', is(0)],
  ['quota', speaksOfQuota],
  ['access', refusesAccess],
  ['access', (answer) => lacksToken(answer) && speaksOfAccess(answer)],
  ['rate', is(429)],
  ['conflict', is(409, 423)],
  ['early', is(425)],
  ['not-there', is(...notThere)],
  ['busy', is(503)],
  ['trouble', from(500, 999)],
  ['refused', from(400, 499)],
  ['redirected', from(300, 399)],
  // Whatever else it may hold: a page is no answer of the service.
  ['foreign', ({ text }) => isPage(text)],
  ['unreadable', mayHideToken],
  ['refused', lacksToken],
  ['foreign', isStray],
  ['accepted', from(200, 299)],
  ['trouble', from(100, 199)],
];

/** What an answer says. */
export function classify(answer: Answer): AnswerClass {
  const row = rows.find(([, fits]) => fits(answer));
  if (!row) throw new Error(`no class fits an answer with status ${answer.status}`);
  return row[0];
}

/** Classes of answers that say nothing about the call, since another reason explains them. */
export const explained: readonly AnswerClass[] = ['access', 'quota', 'rate', 'conflict', 'early'];

/** Classes of trouble on the way or at the target, which may pass. */
export const troubled: readonly AnswerClass[] = ['trouble', 'busy', 'silent', 'rate', 'unsent'];

/** Whether there was no answer, or one that speaks of trouble rather than of the call. */
export const isTrouble = (answer: Answer): boolean => troubled.includes(classify(answer));
