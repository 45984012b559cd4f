/** The two clocks of a moment: the wall clock for people, the monotonic clock for comparing. */

/** A moment. Monotonic times compare across all processes of one machine, wall clock times may jump. */
export interface Moment {
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Milliseconds since an arbitrary start that all processes of this machine share. */
  readonly monotonicMs: number;
}

/**
 * Milliseconds of the system-wide monotonic clock. `performance.now()` counts from the start of each process,
 * so that the time of a worker could not be compared with that of the run host.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** This moment, or the one `agoMs` before it. */
export function moment(agoMs = 0): Moment {
  return { at: new Date(Date.now() - agoMs).toISOString(), monotonicMs: monotonicMs() - agoMs };
}
