/** Judges what stands in a successful answer. */

import { CouldNotRun } from '../../record/errors.ts';
import type { Answer, Ids } from '../target/call.ts';
import { received, shortAnswer } from '../target/show.ts';
import { parseJson, valueAt } from '../untrusted/pointer.ts';
import { Violation } from './check.ts';
import { blamesAccount, unavailable } from './unavailable.ts';

/** Throws a Violation, or CouldNotRun when the answer lacks what it would be judged by. */
export type AnswerJudge = (answer: Answer) => void;

/** The body is JSON, whatever Content-Type says. */
export const isJson: AnswerJudge = (answer) => {
  if (parseJson(answer.text) === undefined) {
    throw new Violation(`expected JSON · received ${received(answer.exchange)}`);
  }
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
  const { pathname } = new URL(answer.exchange.request.url);
  const asked = decodeURIComponent(pathname.split('/').at(-2) ?? '');
  if (id !== asked) {
    throw new Violation(
      `expected requestId ${JSON.stringify(asked)} · received ${received(answer.exchange)}`,
    );
  }
};

/** The requirement that an answer breaks when it gives an id again, which then counts as none. */
const uniqueness: Partial<Record<keyof Ids, string>> = { requestId: 'skeleton.request-id-unique' };

/** Two answers carry different ids. */
export function differ(name: keyof Ids): (one: Answer, other: Answer) => void {
  return (one, other) => {
    const [first, second] = [one, other].map((answer) => {
      const id = answer.ids[name];
      const again = answer.exchange.violations.find(({ requirement }) => requirement === uniqueness[name]);
      if (again) throw new Violation(`expected two values of ${name} · received one that ${again.message}`);
      if (id === undefined) throw new CouldNotRun(`needs ${name}, but ${shortAnswer(answer)}`);
      return id;
    });
    if (first === second) {
      throw new Violation(
        `expected two values of ${name} · received ${JSON.stringify(first)} in exchanges ${one.exchange.index} and ${other.exchange.index}`,
      );
    }
  };
}

function stringAt(answer: Answer, name: string): string {
  const json = parseJson(answer.text);
  // That the answer is JSON is a requirement of its own.
  if (json === undefined) throw new CouldNotRun(`needs JSON, but ${shortAnswer(answer)}`);
  const value = valueAt(json, `/${name}`);
  if (typeof value === 'string' && value !== '') return value;
  throw new Violation(`expected ${name}, a string that is not empty · received ${received(answer.exchange)}`);
}

/** The answer to an upload holds a token. Its place is not shown: only an answer that cannot hold one is judged. */
export const hasToken: AnswerJudge = (answer) => {
  const { documentToken } = answer;
  if (!documentToken || !('missing' in documentToken)) return;
  // Where the way of sending was guessed, a refusal may well come with 200.
  if (documentToken.hidden || answer.guess !== undefined || blamesAccount(answer))
    throw new CouldNotRun(unavailable('document', answer));
  throw new Violation(`expected a document token · received ${received(answer.exchange)}`);
};

/** The token is a JSON string where the answer is JSON. */
export const tokenIsString: AnswerJudge = (answer) => {
  const { documentToken } = answer;
  if (!documentToken || 'missing' in documentToken) {
    throw new CouldNotRun(unavailable('document', answer));
  }
  if ('wrongType' in documentToken) {
    if (documentToken.doubt !== undefined) throw new CouldNotRun(documentToken.doubt);
    throw new Violation(
      `expected a string as document token, not a JSON ${documentToken.wrongType} · received ${received(answer.exchange)}`,
    );
  }
};
