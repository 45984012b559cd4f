/** The id of a run: it stands in titles and addresses, and tells what a run has made from what was there before. */
import { randomInt } from 'node:crypto';

// Digits in an address or a title could be taken for a one-time password, vowels make words.
const letters = 'bcdfghjklmnpqrstvwxz';
const length = 8;

/** Eight small letters; 35 bits of chance, so that the runs against one target do not meet. */
export function newRunId(): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}
