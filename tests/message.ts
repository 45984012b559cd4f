/** Looks for a stated message wherever a service may put it: in the body, a header or the reason phrase. */
import type { Answer } from '../harness/call.ts';
import { leaves, parseJson } from '../harness/pointer.ts';
import { received } from '../harness/show.ts';
import { Violation } from './check.ts';

/** Throws unless the message stands somewhere in the answer; casing, white space and signs do not matter. */
export function carriesMessage(answer: Answer, message: string): void {
  if (placeOfMessage(answer, message) === null) {
    throw new Violation(`expected the message "${message}" · received ${received(answer.exchange)}`);
  }
}

/** Where the message stands, in words, or `null`. */
export function placeOfMessage(answer: Answer, message: string): string | null {
  const wanted = plain(message);
  const json = parseJson(answer.text);
  const inJson = leaves(json).find(({ value }) => plain(String(value)).includes(wanted));
  if (inJson) return `body ${inJson.pointer || '(a JSON string)'}`;
  if (plain(answer.text).includes(wanted)) return 'body';
  const header = answer.headers.find(([, value]) => plain(decoded(value)).includes(wanted));
  if (header) return `header ${header[0]}`;
  return plain(answer.reason).includes(wanted) ? 'reason phrase' : null;
}

/** Letters and digits alone: services separate words by blanks, hyphens, plus signs or not at all. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/&(nbsp|#160|#xa0);/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Header values may be percent-encoded. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // No percent-encoding: the value stands for itself.
    return value;
  }
}
