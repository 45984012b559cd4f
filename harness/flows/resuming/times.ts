/** Spans of the monotonic clock as times that outlive a process, and back. */
import { moment } from '../../../record/clock.ts';
import type { Interval } from '../../../record/facts.ts';

/** ISO 8601 in UTC. */
export interface Span {
  readonly from: string;
  readonly until: string;
}

/** A time of the monotonic clock as one of the wall clock. */
export function timeOf(ms: number): string {
  const now = moment();
  return new Date(Date.parse(now.at) + ms - now.monotonicMs).toISOString();
}

export function spanOf({ startMs, endMs }: Interval): Span {
  return { from: timeOf(startMs), until: timeOf(endMs) };
}

/** A time of the wall clock as one of the monotonic clock, which may have begun after it. */
export function millisecondsOf(time: string): number {
  const now = moment();
  return Date.parse(time) - Date.parse(now.at) + now.monotonicMs;
}

export function intervalOf({ from, until }: Span): Interval {
  return { startMs: millisecondsOf(from), endMs: millisecondsOf(until) };
}
