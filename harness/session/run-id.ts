/** What a run is known by: its id, which stands in titles and addresses, and the AccessCode of its people. */
import { randomBytes, randomInt } from 'node:crypto';
import { backwards, nearlyRight } from '../people/codes.ts';
import type { Redactor } from '../recording/redact.ts';
import { codeForms } from '../target/forms.ts';

// Digits in an address or a title could be taken for a one-time password, vowels make words.
const letters = 'bcdfghjklmnpqrstvwxz';
const length = 8;

/** Eight small letters; 35 bits of chance, so that the runs against one target do not meet. */
export function newRunId(): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}

/**
 * A code that is hard to guess; it, its other forms and the wrong ones that checks send are shown nowhere.
 * @param given the code of the run that this one goes on with, or replays
 */
export function accessCodeFor(given: string | undefined, redactor: Redactor): string {
  const code = given ?? randomBytes(6).toString('hex');
  for (const each of codeForms(code)) {
    redactor.add(each, 'access code');
    redactor.add(nearlyRight(each), 'wrong access code');
    redactor.add(backwards(each), 'another access code');
  }
  return code;
}
