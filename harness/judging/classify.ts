/** Gives each answer one class: the only place that decides what a status or the words of a refusal speak of. */
import { type AnswerClass, answerClasses } from '../../record/finding.ts';
import { isStray } from '../target/answers/stray.ts';
import type { Answer } from '../target/call.ts';
import { headerValue } from '../untrusted/header.ts';
import { speaksOfQuota } from './quota.ts';

/** Statuses of an address or a thing that is not there: not found, no such method, gone, not implemented. */
const notThere = [404, 405, 410, 501];

/**
 * Statuses that speak of the credentials of the run: those of RFC 9110, and what frameworks send when a session or
 * a token has ended (419, 440, 498).
 */
const credentials = [401, 403, 407, 419, 440, 498];

/** Words that speak of an access token: those stated for uploads, those of RFC 6750, and what is usual. */
const aboutAccess =
  /\b(invalid|expired)_token\b|\b(invalid|expired|unknown|revoked) (access|bearer|auth\w*) ?token\b|\b(access|bearer|auth\w*) ?token (is |has |was )?(been )?(not valid|invalid|expired|revoked)\b|\b(jwt|session) (is |has )?expired\b|\btoken (is |has )expired\b/i;

/** A web page may carry any word further down. */
const longestWords = 2_000;

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

function refusesAccess(answer: Answer): boolean {
  const { status, text, headers } = answer;
  const words = `${text.slice(0, longestWords)} ${headerValue(headers, 'www-authenticate') ?? ''}`;
  if (status >= 200 && status < 300) return lacksToken(answer) && aboutAccess.test(words);
  // A 404 may speak of a document token.
  if (status < 400 || status >= 500 || status === 404) return false;
  return credentials.includes(status) || aboutAccess.test(words);
}

/** The first row that fits gives the class. */
const rows: readonly (readonly [AnswerClass, (answer: Answer) => boolean])[] = [
  ['unsent', failed('NOT_SENT')],
  ['silent', failed('DEADLINE')],
  ['trouble', is(0)],
  ['quota', speaksOfQuota],
  ['access', refusesAccess],
  ['rate', is(429)],
  ['conflict', is(409, 423)],
  ['early', is(425)],
  ['not-there', is(...notThere)],
  ['busy', is(503)],
  ['trouble', from(500, 999)],
  ['refused', from(400, 499)],
  ['redirected', from(300, 399)],
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

/** Classes of an answer that the target gave to the call as it was sent: nothing else speaks in its place. */
export const plain: readonly AnswerClass[] = answerClasses.filter(
  (each) => !explained.includes(each) && !troubled.includes(each),
);
