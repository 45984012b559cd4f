/** Waiting for deliveries, and for their absence: woken by what happens, bounded in time, never polling. */
import { monotonicMs } from '../../record/clock.ts';
import type { Delivery } from '../../record/delivery.ts';
import { type CallbackSettings, graceDefaults } from '../profile/callback-settings.ts';

/** Where deliveries come from. */
interface DeliverySource {
  /** All deliveries as soon as there are more than `seen`; at the deadline, or on closing, those that are there. */
  next(seen: number, deadlineMs: number): Promise<readonly Delivery[]>;
  /** Deliveries that have begun to arrive or are being answered at this moment. */
  inFlight(): number;
}

/** All deliveries as soon as the predicate holds for them; at the deadline those that are there. */
export async function waitFor(
  source: DeliverySource,
  predicate: (deliveries: readonly Delivery[]) => boolean,
  { deadlineMs }: { readonly deadlineMs: number },
): Promise<readonly Delivery[]> {
  const until = monotonicMs() + deadlineMs;
  let deliveries = await source.next(-1, 0);
  while (!predicate(deliveries)) {
    const seen = deliveries.length;
    deliveries = await source.next(seen, until - monotonicMs());
    // Nothing new: the deadline has passed, or the address was closed.
    if (deliveries.length <= seen) break;
  }
  return deliveries;
}

export interface Quiet {
  /** Deliveries before the silence began to be asked for. */
  readonly seen?: number;
  /** Monotonic time from which the silence counts: what has passed since needs no more waiting. */
  readonly sinceMs?: number;
}

/** How long a delivery that is still in flight at the end of a silence is waited for. */
const inFlightMs = 5_000;

/** The deliveries that broke a silence of `ms`: none when nothing came, else as soon as the first is there. */
export async function quietFor(
  source: DeliverySource,
  ms: number,
  { seen: given, sinceMs = monotonicMs() }: Quiet = {},
): Promise<readonly Delivery[]> {
  const seen = given ?? (await source.next(-1, 0)).length;
  const leftMs = Math.max(0, sinceMs + ms - monotonicMs());
  let deliveries = await source.next(seen, leftMs);
  if (deliveries.length <= seen && source.inFlight() > 0) {
    deliveries = await source.next(seen, inFlightMs);
  }
  return deliveries.slice(seen);
}

/** Times the silence: whoever sends without end is not waited for any longer. */
const lullTimes = 3;

/**
 * Passes once nothing has arrived for `grace.silenceMs`, and after three times that in any case: what a target sends
 * too early it sends by then. One that is slow shows when event 1 arrives, where that is due now.
 */
export async function lull(
  source: DeliverySource,
  { grace, requestReceived = 'completion' }: CallbackSettings,
): Promise<void> {
  const { arrivalMs, silenceMs } = { ...graceDefaults, ...grace };
  if (requestReceived !== 'completion') {
    await waitFor(source, (deliveries) => deliveries.length > 0, { deadlineMs: arrivalMs });
  }
  const untilMs = monotonicMs() + lullTimes * silenceMs;
  for (let leftMs = silenceMs; leftMs > 0; leftMs = Math.min(silenceMs, untilMs - monotonicMs())) {
    if ((await quietFor(source, leftMs)).length === 0) return;
  }
}
