/** Looks for a stated message wherever a service may put it: in the body, a header or the reason phrase. */
import type { Answer } from '../target/call.ts';
import { placesOfText } from '../untrusted/places-of-text.ts';
import { unmet } from './unavailable.ts';

/** Throws unless the message stands somewhere in the answer; casing, white space and signs do not matter. */
export function carriesMessage(answer: Answer, message: string): void {
  if (placeOfMessage(answer, message) === null) {
    throw unmet({ is: 'message', text: message }, answer);
  }
}

/** The first place where the message stands, in words, or `null`. */
export function placeOfMessage(answer: Answer, message: string): string | null {
  return placesOfText(message, answer)[0] ?? null;
}
