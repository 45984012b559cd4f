/** The AccessCode that people of a run are given. */
import { randomBytes } from 'node:crypto';
import { nearlyRight } from '../people/codes.ts';
import type { Redactor } from '../recording/redact.ts';

/**
 * A code that is hard to guess; it and the wrong one that checks send are shown nowhere.
 * @param given the code of the run that this one goes on with, or replays
 */
export function accessCodeFor(given: string | undefined, redactor: Redactor): string {
  const code = given ?? randomBytes(6).toString('hex');
  redactor.add(code, 'access code');
  redactor.add(nearlyRight(code), 'wrong access code');
  return code;
}
