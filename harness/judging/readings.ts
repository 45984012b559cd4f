/** Judges what stands in an answer: its JSON, ids, stated messages and document token. */
import { message } from '../../openapi/codes.ts';
import { valueAt } from '../../openapi/json-pointer.ts';
import type { Expected, Received } from '../../record/finding.ts';
import { parseJson, readJson } from '../../record/json.ts';
import { type Answer, type Ids, idInPath } from '../target/call.ts';
import { limits } from '../untrusted/limits.ts';
import { placesOfText } from '../untrusted/places-of-text.ts';
import { type Judged, unbuilt, undecided } from './case.ts';
import { classify } from './classify.ts';
import { receivedOf } from './unavailable.ts';

/** What follows from an answer alone, or from two beside each other. */
export type Reading = (answer: Answer) => Judged;

function read(expected: Expected, fits: boolean, answer: Answer, more: Partial<Received> = {}): Judged {
  const found = { expected, received: { ...receivedOf(answer), ...more } };
  return { verdict: fits ? 'passed' : 'failed', found, answers: [answer], answer };
}

/** The answer lacks the part to judge; that it has this part is a requirement of its own. */
function lacking(what: string, answer: Answer): Judged {
  return undecided({ cause: { excuse: 'lacks', because: { exchange: answer.exchange.index, what } } }, [
    answer,
  ]);
}

/** The part to judge may stand in the rest of the answer, which is not read. */
const unread = (needs: string, answer: Answer): Judged => undecided({ cause: { needs } }, [answer]);

/** The body is JSON, whatever Content-Type says. */
export const isJson: Reading = (answer) => {
  const reading = readJson(answer.text);
  if ('value' in reading || !reading.excess) return read({ is: 'json' }, 'value' in reading, answer);
  return unread(`the answer is not read as JSON: ${reading.problem}`, answer);
};

/** The stated message stands somewhere in the answer; casing, white space and punctuation do not matter. */
export function says(text: string): Reading {
  return (answer) => {
    const isThere = placesOfText(text, answer).length > 0;
    const { most } = limits.errorBytes;
    const isCutOff = (answer.exchange.response?.body?.size ?? 0) >= most;
    if (!isThere && isCutOff) return unread(`of the refusal the first ${most} bytes are read`, answer);
    return read({ is: 'message', text }, isThere, answer);
  };
}

/**
 * The refusal of an expired token says so. If the profile gives the token, a refusal that calls it invalid may be
 * right.
 * @param unproved whether nothing shows that the token was ever valid
 */
export function saysExpired(unproved: boolean): Reading {
  return (answer) => {
    const judged = says(message.expiredToken)(answer);
    const isUnknown = placesOfText(message.invalidToken, answer).length > 0;
    if (judged.verdict !== 'failed' || !unproved || !isUnknown) return judged;
    const what =
      'was the token ever valid here, and has its lifetime passed (auth.expiredToken, calls.expireToken)?';
    const cause = { excuse: 'guess', because: { exchange: answer.exchange.index, what } } as const;
    return undecided({ ...judged.found, cause }, [answer]);
  };
}

/** The body carries a field with a string that is not empty. */
export function hasField(name: keyof Ids): Reading {
  return (answer) => {
    const json = parseJson(answer.text);
    if (json === undefined) return lacking('JSON', answer);
    const value = valueAt(json, `/${name}`);
    return read({ is: 'text', at: `/${name}` }, typeof value === 'string' && value !== '', answer);
  };
}

/** The body carries the requestId that stands in the path. */
export const echoesRequestId: Reading = (answer) => {
  const there = hasField('requestId')(answer);
  if (there.verdict !== 'passed') return there;
  const fits = valueAt(parseJson(answer.text), '/requestId') === decodeURIComponent(idInPath(answer.url));
  // The shown value comes from the record, which is redacted.
  const value = idInPath(answer.exchange.request.url);
  return read({ is: 'value', at: '/requestId', value }, fits, answer);
};

/** The requirement that an answer violates when it gives an id again; such an id counts as missing. */
const uniqueness: Partial<Record<keyof Ids, string>> = { requestId: 'skeleton.request-id-unique' };

export function differ(name: keyof Ids): (one: Answer, other: Answer) => Judged {
  const expected = { is: 'two-values', at: `/${name}` } as const;
  return (one, other) => {
    for (const answer of [one, other]) {
      const { violations } = answer.exchange;
      const again = violations.some(({ requirement }) => requirement === uniqueness[name]);
      if (again) return read(expected, false, answer);
      if (answer.ids[name] === undefined) return lacking(name, answer);
    }
    const also = { also: other.exchange.index };
    const judged = read(expected, one.ids[name] !== other.ids[name], one, also);
    return { ...(name === 'documentToken' ? doubted(judged, one) : judged), answers: [one, other] };
  };
}

/** The answer to an upload holds a token. Its place is not shown: only an answer that cannot hold one is judged. */
export const hasToken: Reading = (answer) => {
  const { documentToken } = answer;
  const missing = documentToken && 'missing' in documentToken;
  // If the way of sending was guessed, a refusal may come with status 200.
  const excused = answer.guess !== undefined || ['access', 'quota'].includes(classify(answer));
  if (missing && (documentToken.hidden || excused)) return unbuilt('document', answer);
  return read({ is: 'token' }, !missing, answer);
};

/** The token is a JSON string where the answer is JSON. */
export const tokenIsString: Reading = (answer) => {
  const { documentToken } = answer;
  if (!documentToken || 'missing' in documentToken) return unbuilt('document', answer);
  const instead = 'wrongType' in documentToken ? documentToken.wrongType : 'string';
  return doubted(read({ is: 'token-text', instead }, instead === 'string', answer), answer);
};

/** What was read may not be the document token: then nothing about it fails. */
function doubted<Of extends ReturnType<Reading>>(judged: Of, { documentToken, exchange }: Answer): Of {
  const doubt = documentToken && 'doubt' in documentToken ? documentToken.doubt : undefined;
  if (judged.verdict === 'passed' || doubt === undefined) return judged;
  const because = { exchange: exchange.index, what: doubt };
  return { ...judged, verdict: 'could-not-run', found: { cause: { excuse: 'guess', because } } };
}
