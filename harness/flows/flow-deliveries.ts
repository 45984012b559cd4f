/** Waits for the callbacks of a flow and reads them, until everything that is due is there or time is up. */
import { event } from '../../openapi/codes.ts';
import { monotonicMs } from '../../record/clock.ts';
import type { Delivery } from '../../record/delivery.ts';
import { type Actions, factsOf, type Plan, type SeenDelivery } from '../../record/facts.ts';
import { type ReadDelivery, readDelivery } from '../callbacks/reading.ts';
import { actedSigners, due, of } from '../judging/sequence/expected.ts';
import { graceDefaults } from '../profile/callback-settings.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowRun } from './flow-run.ts';

/**
 * Deliveries of the flow's own address, read; ends when all that is due has come and silence followed.
 * @param before seen by the run that this one goes on with: it is not awaited again
 */
export async function awaitDeliveries(
  run: FlowRun,
  plan: Plan,
  actions: Actions,
  parts: FlowParts,
  before: readonly SeenDelivery[] = [],
): Promise<readonly ReadDelivery[]> {
  const { address } = run.request;
  if (!address) return [];
  const { arrivalMs, silenceMs } = { ...graceDefaults, ...parts.settings.grace };
  const deadline = new ArrivalDeadline(lastActionOf(actions) || monotonicMs(), arrivalMs);
  const read: ReadDelivery[] = [];
  const take = async (deliveries: readonly Delivery[]): Promise<void> => {
    for (const delivery of deliveries.slice(read.length)) read.push(await readOne(delivery, run, parts));
  };
  await take(address.deliveries());
  while (isMissing(plan, actions, [...before, ...read.map(({ seen }) => seen)])) {
    const leftMs = deadline.leftMs(monotonicMs());
    if (leftMs <= 0) break;
    const known = read.length;
    await take(await address.next(known, leftMs));
    // Nothing new: time is up, or the address was closed, and then asking again would never let anything else happen.
    if (read.length === known) break;
    deadline.arrived(monotonicMs());
  }
  await address.quiet(silenceMs, { sinceMs: monotonicMs() });
  await take(address.deliveries());
  return read;
}

/** When the last thing was done of which events follow; 0 when nothing was. */
export function lastActionOf({ completed, sent }: Actions): number {
  return Math.max(...completed.map(({ at }) => at.endMs), sent?.endMs ?? 0, 0);
}

/** Reads one delivery with what the run knows about the flow. */
export function readOne(delivery: Delivery, run: FlowRun, parts: FlowParts): Promise<ReadDelivery> {
  return readDelivery(delivery, {
    settings: parts.settings,
    known: {
      requestIds: [...parts.requestIds],
      signatories: run.request.tasks.map(({ signatoryId, email, name }) => ({
        email,
        name,
        ...(signatoryId ? { id: signatoryId } : {}),
      })),
    },
    markers: run.request.documents.map(({ marker }) => marker),
    fetchLink: (url) => parts.fetchLink(url),
  });
}

/** Whether something that is due has not come: each code at least once, event 2 for each signer who acted. */
export function isMissing(plan: Plan, actions: Actions, seen: readonly SeenDelivery[]): boolean {
  const facts = factsOf(plan, actions, seen, {});
  return due(plan, actions).some((code) => {
    const arrived = of(facts, code);
    if (code !== event.signatoryCompleted) return arrived.length === 0;
    const unnamed = actedSigners(plan, actions).filter((index) => !arrived.some(({ who }) => who === index));
    // What names nobody may be anybody's; what names an approver is not a signer's.
    return arrived.filter(({ who }) => who === undefined).length < unnamed.length;
  });
}

/** Times the setting: a target that repeats one event for ever is not waited for as long. */
const times = 4;

/** A target that is still sending is slow, and nothing that it owes is missing yet: each arrival gives it more time. */
export class ArrivalDeadline {
  readonly #arrivalMs: number;
  readonly #lastMs: number;
  #untilMs: number;

  /**
   * @param causeMs monotonic time of what the events follow from
   * @param arrivalMs how long after its cause, or after the one before it, an event may arrive
   */
  constructor(causeMs: number, arrivalMs: number) {
    this.#arrivalMs = arrivalMs;
    this.#untilMs = causeMs + arrivalMs;
    this.#lastMs = causeMs + times * arrivalMs;
  }

  /** Takes note of an arrival. */
  arrived(atMs: number): void {
    this.#untilMs = Math.min(this.#lastMs, Math.max(this.#untilMs, atMs + this.#arrivalMs));
  }

  /** What is left of the time; 0 or less when it is up. */
  leftMs(nowMs: number): number {
    return this.#untilMs - nowMs;
  }
}
