/** How an answer is asked for again, by its class: the one table for whoever repeats a call. */
import type { AnswerClass } from '../../record/finding.ts';

export interface Again {
  /**
   * Of a judged call that is not answered as expected: how often it is made again, each time with new people, titles
   * and documents, and after its twin, which has to be accepted. Signature requests for that are taken from what
   * first calls of `must`s leave over (`harness/target/budgets/requests.ts`).
   */
  readonly rounds: number;
  /** Of a call that checks share: the pauses before it is made anew, in milliseconds. */
  readonly pausesMs: readonly number[];
  /**
   * What the client repeats on its own before anybody sees the answer. Of `not-taken` only what the target surely did
   * not take up (`harness/target/budgets/retry.ts`), never a 500.
   */
  readonly client?: 'not-taken' | 'token' | 'early';
}

const once: Again = { rounds: 1, pausesMs: [] };
const never: Again = { rounds: 0, pausesMs: [] };
/** Trouble that is shared is waited out, as long as it is young (`harness/target/budgets/patience.ts`). */
const waits = [400, 1_200];

export const againAfter: Readonly<Record<AnswerClass, Again>> = {
  // A success where a refusal is stated needs no second look.
  accepted: never,
  refused: once,
  redirected: once,
  'not-there': once,
  // Renewed by the client where a token can be; RFC 6749.
  access: { ...once, client: 'token' },
  quota: once,
  // Sent again by the client three times already, as is whatever surely did not arrive.
  rate: { rounds: 1, pausesMs: waits, client: 'not-taken' },
  busy: { rounds: 1, pausesMs: waits, client: 'not-taken' },
  conflict: { rounds: 1, pausesMs: waits },
  // Asked for by the client until what was made a moment ago has to be visible.
  early: { ...once, client: 'early' },
  // May be a coincidence, however often it meets the same row: at a target that breaks off one call in ten, four in a
  // row happen to one row in ten thousand.
  trouble: { rounds: 3, pausesMs: waits, client: 'not-taken' },
  // A call that hangs takes as long as the deadline each time.
  silent: { rounds: 2, pausesMs: waits },
  foreign: { rounds: 1, pausesMs: waits },
  unreadable: never,
  unsent: never,
};
