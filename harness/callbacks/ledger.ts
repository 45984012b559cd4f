/** What the listener counted and what went wrong inside it, over all deliveries. */
import type { RefusalReason } from './limits.ts';

/** What the listener did with everything that came. */
export interface ListenerCounts {
  readonly stored: number;
  /** Bytes of the stored bodies. */
  readonly bytes: number;
  /** Sent to a path, or with a request id, that belongs to no check. */
  readonly foreign: number;
  /** Waiting for somebody to claim their request id. */
  readonly held: number;
  readonly refused: Readonly<Record<string, number>>;
}

/** Problems are kept up to this number: one that repeats itself says no more. */
const problemsKept = 20;

export class Ledger {
  /** Deliveries taken or being taken: limits hold for both together. */
  begun = 0;
  foreign = 0;
  readonly #refused: Record<string, number> = {};
  readonly #problems: string[] = [];

  refuse(reason: RefusalReason): void {
    this.#refused[reason] = (this.#refused[reason] ?? 0) + 1;
  }

  refused(): Readonly<Record<string, number>> {
    return { ...this.#refused };
  }

  problem(error: unknown): void {
    if (this.#problems.length < problemsKept) this.#problems.push(String(error));
  }

  problems(): readonly string[] {
    return [...this.#problems];
  }
}
