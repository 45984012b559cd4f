/** The two clocks of a moment: the wall clock for people, the monotonic clock for comparing. */

/** A moment. Monotonic times compare across all processes of one machine, wall clock times may jump. */
export interface Moment {
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Milliseconds since an arbitrary start that all processes of this machine share. */
  readonly monotonicMs: number;
}

/** Milliseconds of the system-wide monotonic clock: `performance.now()` would differ between worker and run host. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6 + ahead.monotonicMs;

/** `at` plus `ms` milliseconds; `at` itself where it is no time, as may be in files of others. */
export function timeAfter(at: string, ms: number): string {
  const time = new Date(Date.parse(at) + ms);
  return Number.isNaN(time.getTime()) ? at : time.toISOString();
}

/** How far the clocks of a replay are from those of this machine. */
const ahead = { monotonicMs: 0, wallMs: 0 };

/** Sets both clocks to this moment, from which they go on: a replay takes place at the time of what it replays. */
export function continueFrom({ at, monotonicMs: then }: Moment): void {
  ahead.monotonicMs += then - monotonicMs();
  ahead.wallMs = Date.parse(at) - Date.now();
}

/** This moment, or the one `agoMs` before it. */
export function moment(agoMs = 0): Moment {
  return {
    at: new Date(Date.now() + ahead.wallMs - agoMs).toISOString(),
    monotonicMs: monotonicMs() - agoMs,
  };
}
