/** Counts of everything that came to the listener (how much, when, from where), and the errors inside it. */
import type { Moment } from '../../record/clock.ts';
import type { Unattributed } from '../../record/delivery.ts';
import type { RefusalReason } from './limits.ts';

/** What is no callback of the run: sent to an unknown address, refused, or a connection that was not taken. */
type Strange = RefusalReason | 'unknown-address' | 'unknown-request' | 'connections';

/** What became of everything that came to the listener. */
export interface ListenerCounts {
  readonly stored: number;
  /** Bytes of the stored bodies. */
  readonly bytes: number;
  /** Deliveries to a path, or with a request id, of no known address. */
  readonly foreign: number;
  /** Deliveries whose request id no address has claimed yet. */
  readonly held: number;
  readonly refused: Readonly<Record<string, number>>;
  /** Connections that were lost, and with them perhaps a callback, by the second of the monotonic clock. */
  readonly lost?: Readonly<Record<string, number>>;
  readonly strange?: readonly Unattributed[];
}

/** How many problems are kept, each once. */
const problemsKept = 20;

/** How many senders of one kind are named. */
const sendersKept = 10;

/** Those that may have been a callback for any address. */
const isLost: ReadonlySet<Strange> = new Set([
  'connections',
  'header-size',
  'arrival-time',
  'incomplete',
  'malformed',
]);

export class Tally {
  /** Deliveries received or being received: limits hold for both together. */
  begun = 0;
  foreign = 0;
  readonly #refused: Record<string, number> = {};
  readonly #problems: string[] = [];
  readonly #lost: Record<string, number> = {};
  readonly #strange = new Map<Strange, { count: number; first: string; last: string; from: Set<string> }>();

  refuse(reason: RefusalReason): void {
    this.#refused[reason] = (this.#refused[reason] ?? 0) + 1;
  }

  refused(): Readonly<Record<string, number>> {
    return { ...this.#refused };
  }

  /**
   * Counts something that came and is no callback of the run, as far as is known.
   * @param whose `nobody`: it could not be read, and may have been a callback of any request
   */
  strange(kind: Strange, { at, monotonicMs }: Moment, from: string | undefined, whose?: 'nobody'): void {
    const known = this.#strange.get(kind) ?? { count: 0, first: at, last: at, from: new Set() };
    this.#strange.set(kind, known);
    known.count++;
    known.last = at;
    if (from !== undefined && known.from.size < sendersKept) known.from.add(from);
    if (whose !== 'nobody' || !isLost.has(kind)) return;
    const second = Math.floor(monotonicMs / 1_000);
    this.#lost[second] = (this.#lost[second] ?? 0) + 1;
  }

  /** Takes back one of `strange`: it was a callback after all. */
  known(kind: Strange): void {
    const found = this.#strange.get(kind);
    if (found && --found.count === 0) this.#strange.delete(kind);
  }

  counted(): Pick<ListenerCounts, 'lost' | 'strange'> {
    const strange = [...this.#strange].map(([kind, { from, ...rest }]) => ({
      kind,
      ...rest,
      from: [...from],
    }));
    return { lost: { ...this.#lost }, strange };
  }

  problem(error: unknown): void {
    const told = String(error);
    if (this.#problems.length < problemsKept && !this.#problems.includes(told)) this.#problems.push(told);
  }

  problems(): readonly string[] {
    return [...this.#problems];
  }
}

/** How many connections were lost in a span of the monotonic clock, to the second. */
export function lostBetween(
  { lost = {} }: Pick<ListenerCounts, 'lost'>,
  startMs: number,
  endMs: number,
): number {
  const [first, last] = [Math.floor(startMs / 1_000), Math.floor(endMs / 1_000)];
  return Object.entries(lost).reduce(
    (sum, [second, count]) => sum + (Number(second) >= first && Number(second) <= last ? count : 0),
    0,
  );
}
