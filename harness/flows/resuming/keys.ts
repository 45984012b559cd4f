/** What a resumed run has to have in common with the run that it goes on with and nobody may know: made from one key. */
import { createHmac, randomBytes } from 'node:crypto';

export interface WaitingKeys {
  /** The key itself, as its file holds it. */
  readonly key: string;
  /** Passcode of the signatories who have an AccessCode. */
  readonly accessCode: string;
  /** What cannot be guessed in the callback address of a flow: 128 bits. */
  addressOf(check: string): string;
}

/** @param key of an earlier run; a new one when it is absent */
export function waitingKeys(key: string = randomBytes(32).toString('base64url')): WaitingKeys {
  const derived = (purpose: string) => createHmac('sha256', key).update(purpose).digest();
  return {
    key,
    accessCode: derived('access code').subarray(0, 6).toString('hex'),
    addressOf: (check) => derived(`callback address ${check}`).subarray(0, 16).toString('base64url'),
  };
}

/** Whether a text can be such a key. */
export function isWaitingKey(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
