/** Calls of the profile that were refused while the access token of the run was, whatever it was sent with. */
import type { Answer } from '../call.ts';
import { refusesAccess } from './authorization.ts';

/** What people do, and whom a call of the profile is refused to, is judged from its refusal, unless the token explains it. */
export class Denials {
  /** Exchanges of calls of the contract that nothing speaks against. */
  readonly #accepted: number[] = [];
  readonly #refused: number[] = [];
  /** Exchanges of refused calls of the profile. */
  readonly #others: number[] = [];

  /** @param of a sound call of the contract with the run's own token, or a call of the profile */
  note(of: 'contract' | 'profile', { exchange: { index }, ...answer }: Answer): void {
    const isRefused = refusesAccess(answer);
    if (of === 'profile') {
      if (isRefused) this.#others.push(index);
    } else (isRefused ? this.#refused : this.#accepted).push(index);
  }

  /** By exchange, a call of the contract that was refused near it, with no other one between that was not. */
  get all(): ReadonlyMap<number, number> {
    const isBetween = (one: number, other: number) =>
      this.#accepted.some((each) => (each - one) * (each - other) < 0);
    return new Map(
      this.#others.flatMap((index): [number, number][] => {
        const near = this.#refused.find((each) => !isBetween(index, each));
        return near === undefined ? [] : [[index, near]];
      }),
    );
  }
}
