/** Judges what stands in a successful answer. */

import { CouldNotRun } from '../../record/errors.ts';
import { parseJson, readJson } from '../../record/json.ts';
import type { Answer, Ids } from '../target/call.ts';
import { valueAt } from '../untrusted/pointer.ts';
import { blamesAccount, lacks, receivedOf, unavailable, unmet, violation } from './unavailable.ts';

/** Throws a Violation, or CouldNotRun when the answer lacks what it would be judged by. */
export type AnswerJudge = (answer: Answer) => void;

/** The body is JSON, whatever Content-Type says. */
export const isJson: AnswerJudge = (answer) => {
  const reading = readJson(answer.text);
  if ('value' in reading) return;
  if (reading.excess) throw new CouldNotRun(`the answer is not read as JSON: ${reading.problem}`);
  throw unmet({ is: 'json' }, answer);
};

/** The body carries a field with a string that is not empty. */
export function hasField(name: keyof Ids): AnswerJudge {
  return (answer) => {
    stringAt(answer, name);
  };
}

/** The body carries the requestId that stands in the path. */
export const echoesRequestId: AnswerJudge = (answer) => {
  const id = stringAt(answer, 'requestId');
  if (id === decodeURIComponent(idInPath(answer.url))) return;
  throw unmet({ is: 'value', at: '/requestId', value: idInPath(answer.exchange.request.url) }, answer);
};

/** The requestId in the path of a call that adds a signatory. */
function idInPath(url: string): string {
  return new URL(url).pathname.split('/').at(-2) ?? '';
}

/** The requirement that an answer breaks when it gives an id again, which then counts as none. */
const uniqueness: Partial<Record<keyof Ids, string>> = { requestId: 'skeleton.request-id-unique' };

/** Two answers carry different ids. */
export function differ(name: keyof Ids): (one: Answer, other: Answer) => void {
  return (one, other) => {
    const [first, second] = [one, other].map((answer) => {
      const id = answer.ids[name];
      const again = answer.exchange.violations.find(({ requirement }) => requirement === uniqueness[name]);
      if (again) throw unmet({ is: 'two-values', at: `/${name}` }, answer);
      if (id === undefined) throw lacks(name, answer);
      return id;
    });
    if (first === second) {
      const received = { ...receivedOf(one), also: other.exchange.index };
      throw violation({ expected: { is: 'two-values', at: `/${name}` }, received }, one, other);
    }
  };
}

function stringAt(answer: Answer, name: string): string {
  const json = parseJson(answer.text);
  // That the answer is JSON is a requirement of its own.
  if (json === undefined) throw lacks('JSON', answer);
  const value = valueAt(json, `/${name}`);
  if (typeof value === 'string' && value !== '') return value;
  throw unmet({ is: 'text', at: `/${name}` }, answer);
}

/** The answer to an upload holds a token. Its place is not shown: only an answer that cannot hold one is judged. */
export const hasToken: AnswerJudge = (answer) => {
  const { documentToken } = answer;
  if (!documentToken || !('missing' in documentToken)) return;
  // Where the way of sending was guessed, a refusal may well come with 200.
  if (documentToken.hidden || answer.guess !== undefined || blamesAccount(answer))
    throw unavailable('document', answer);
  throw unmet({ is: 'token' }, answer);
};

/** The token is a JSON string where the answer is JSON. */
export const tokenIsString: AnswerJudge = (answer) => {
  const { documentToken } = answer;
  if (!documentToken || 'missing' in documentToken) {
    throw unavailable('document', answer);
  }
  if ('wrongType' in documentToken) {
    if (documentToken.doubt !== undefined) throw new CouldNotRun(documentToken.doubt);
    throw unmet({ is: 'token-text', instead: documentToken.wrongType }, answer);
  }
};
