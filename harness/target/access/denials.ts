/** Tells which calls of the profile were refused while the target refused the access token of the run. */
import type { Answer } from '../call.ts';
import { refusesAccess } from './authorization.ts';

/** A refused call of the profile is a refusal of the person it is made for, unless the access token explains it. */
export class Denials {
  /** Exchanges of sound calls of the contract with the run's own token, which was not refused. */
  readonly #taken: number[] = [];
  /** Exchanges of such calls in which the token was refused. */
  readonly #refused: number[] = [];
  /** Exchanges of calls of the profile that were refused as a token is. */
  readonly #others: number[] = [];

  note(call: 'contract' | 'profile', { exchange: { index }, ...answer }: Answer): void {
    const isRefused = refusesAccess(answer);
    if (call === 'contract') (isRefused ? this.#refused : this.#taken).push(index);
    else if (isRefused) this.#others.push(index);
  }

  /**
   * For each refused call of the profile, by its exchange, a call that explains it: one before or after it whose
   * access token was refused, with no call between the two whose token was accepted.
   */
  get all(): ReadonlyMap<number, number> {
    if (this.#refused.length === 0) return new Map();
    const spellOf = (index: number) => this.#taken.filter((each) => each < index).length;
    const refusals = new Map(this.#refused.map((index) => [spellOf(index), index]));
    return new Map(
      this.#others.flatMap((index): [number, number][] => {
        const refusal = refusals.get(spellOf(index));
        return refusal === undefined ? [] : [[index, refusal]];
      }),
    );
  }
}
