/** The order of two events, as far as there is one. */
import type { Occurrence } from '../../../record/facts.ts';

export type Order = 'before' | 'after' | 'unordered';

/**
 * Whether `a` came before or after `b`. Deliveries that were in flight at the same time have no order of
 * their own: there the events' own times decide, if both stand at the same place and differ.
 */
export function orderOf(a: Occurrence, b: Occurrence): Order {
  if (a.delivery.at.endMs < b.delivery.at.startMs) return 'before';
  if (b.delivery.at.endMs < a.delivery.at.startMs) return 'after';
  const [timeA, timeB] = [a.event.time, b.event.time];
  if (!timeA || !timeB || timeA.at !== timeB.at || timeA.ms === timeB.ms) return 'unordered';
  return timeA.ms < timeB.ms ? 'before' : 'after';
}

/**
 * The occurrence of `early` that precedes every one of `late`. A repeated delivery proves nothing: it is
 * enough that one of `late` was not behind.
 */
export function precedesAll(
  early: readonly Occurrence[],
  late: readonly Occurrence[],
): Occurrence | undefined {
  if (late.length === 0) return undefined;
  return early.find((one) => late.every((other) => orderOf(one, other) === 'before'));
}
