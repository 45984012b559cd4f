/** Waits for the callbacks of a flow and reads them, until everything that is due is there or time is up. */
import { type EventCode, event } from '../../openapi/codes.ts';
import { monotonicMs } from '../../record/clock.ts';
import type { Delivery } from '../../record/delivery.ts';
import { type Actions, factsOf, type Plan, type SeenDelivery } from '../../record/facts.ts';
import type { Found } from '../../record/finding.ts';
import { type ReadDelivery, readDelivery } from '../callbacks/reading.ts';
import { actedSigners, due, lastActionOf, occurrencesOf } from '../judging/sequence/expected.ts';
import type { SigningTask } from '../people/driver.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowRun } from './flow-run.ts';

/** A flow that has ended, blocked or not: what it has done, and what has arrived for it. */
export interface FlowAtEnd {
  readonly run: FlowRun;
  readonly plan: Plan;
  readonly actions: Actions;
  /** Deliveries of the run that this one resumes; they are not awaited again. */
  readonly before: readonly SeenDelivery[];
  readonly read: readonly ReadDelivery[];
  /** The target does not know its requests any more, so callbacks that were due may not have been sent. */
  readonly isForgotten?: boolean;
  readonly blocked?: Found | undefined;
  /** The suite itself broke on the way: too little is known about what was done to judge callbacks. */
  readonly broken?: boolean;
}

/** The flow with the deliveries to its address, once everything due has come and nothing followed for a while. */
export async function awaitDeliveries(flow: FlowAtEnd, parts: FlowParts): Promise<FlowAtEnd> {
  const { address } = flow.run.request;
  if (!address) return flow;
  const { arrivalMs, silenceMs } = parts.grace;
  const deadline = arrivalDeadline(lastActionOf(flow.actions) || monotonicMs(), arrivalMs);
  const complete = await untilComplete(flow, deadline, parts);
  await address.quiet(silenceMs);
  return withArrived(complete, parts);
}

interface Deadline {
  /** Takes note of an arrival. */
  arrived(atMs: number): void;
  /** What is left of the time; 0 or less when it is up. */
  leftMs(nowMs: number): number;
}

/** Takes in what arrives until nothing is missing or time is up. */
async function untilComplete(given: FlowAtEnd, deadline: Deadline, parts: FlowParts): Promise<FlowAtEnd> {
  let flow = await withArrived(given, parts);
  while (isMissing(flow)) {
    const known = flow.read.length;
    const leftMs = deadline.leftMs(monotonicMs());
    if (leftMs <= 0) break;
    await flow.run.request.address?.next(known, leftMs);
    flow = await withArrived(flow, parts);
    // Nothing new: time is up, or the address was closed. To ask a closed one again would never end.
    if (flow.read.length === known) break;
    deadline.arrived(monotonicMs());
  }
  return flow;
}

async function withArrived(flow: FlowAtEnd, parts: FlowParts): Promise<FlowAtEnd> {
  const { run, read } = flow;
  const fresh = run.request.address?.deliveries().slice(read.length) ?? [];
  const more = await readEach(fresh, run, parts, (each) => each);
  return { ...flow, read: [...read, ...more] };
}

/** The parts for reading deliveries without fetching the files that they link to. */
export const withoutLinks = ({ settings, requestIds }: FlowParts) => ({ settings, requestIds });

/**
 * Reads deliveries with what the run knows about the flow, one after the other, since together they may not fit into
 * memory.
 * @param kept what is kept of each
 */
export async function readEach<Kept>(
  deliveries: readonly Delivery[],
  run: { readonly request: Pick<FlowRun['request'], 'tasks' | 'documents' | 'callbackUrl'> },
  parts: Pick<FlowParts, 'settings' | 'requestIds'> & Partial<Pick<FlowParts, 'fetchLink' | 'flows'>>,
  kept: (read: ReadDelivery, delivery: Delivery) => Kept,
): Promise<readonly Kept[]> {
  const all: Kept[] = [];
  const others = [...(parts.flows?.values() ?? [])].filter(({ tasks }) => tasks !== run.request.tasks);
  const known = ({ signatoryId: id, email, name }: SigningTask) => ({ id, email, name });
  for (const delivery of deliveries) {
    const read = await readDelivery(delivery, {
      settings: parts.settings,
      known: {
        requestIds: [...parts.requestIds],
        signatories: run.request.tasks.map(known),
        strangers: others.flatMap(({ tasks }) => tasks.map(known)),
        callbackUrl: run.request.callbackUrl,
      },
      markers: run.request.documents.map(({ marker }) => marker),
      fetchLink: parts.fetchLink,
    });
    all.push(kept(read, delivery));
  }
  return all;
}

/** Whether something that is due has not come: each code at least once, event 2 for each signer who acted. */
export const isMissing = (flow: FlowAtEnd): boolean => missingIn(flow).length > 0;

function missingIn({ plan, actions, before, read }: FlowAtEnd): readonly EventCode[] {
  const facts = factsOf(plan, actions, [...before, ...read.map(({ seen }) => seen)], {});
  return due(plan, actions).filter((code) => {
    const arrived = occurrencesOf(facts, code);
    if (code !== event.signatoryCompleted) return arrived.length === 0;
    const unnamed = actedSigners(plan, actions).filter((index) => !arrived.some(({ who }) => who === index));
    // An event that names nobody may belong to any signer; one that names an approver belongs to none.
    return arrived.filter(({ who }) => who === undefined).length < unnamed.length;
  });
}

/** The longest waits, as multiples of the setting: while events arrive, perhaps for ever, and after all flows. */
const times = { arriving: 4, late: 6 } as const;

/**
 * Until when events are awaited. Each arrival extends the time: a target that is still sending is slow, and has lost
 * nothing.
 * @param causeMs monotonic time of the action that the events follow from
 * @param arrivalMs how long after its cause, or after the one before it, an event may arrive
 */
export function arrivalDeadline(causeMs: number, arrivalMs: number): Deadline {
  const lastMs = causeMs + times.arriving * arrivalMs;
  let untilMs = causeMs + arrivalMs;
  return {
    arrived: (atMs) => {
      untilMs = Math.min(lastMs, Math.max(untilMs, atMs + arrivalMs));
    },
    leftMs: (nowMs) => untilMs - nowMs,
  };
}

/**
 * The flows with what has arrived for them since. If any callback of these or earlier flows came late, all flows that
 * miss one wait longer, at the same time; so they do if other events came and event 3 to none, since a target may complete
 * requests once a minute. If all came quickly, a missing callback is lost.
 */
export async function withLate(
  ended: readonly FlowAtEnd[],
  parts: FlowParts,
  before: readonly FlowAtEnd[],
): Promise<readonly FlowAtEnd[]> {
  const { arrivalMs } = parts.grace;
  const now = await Promise.all(ended.map((flow) => withArrived(flow, parts)));
  const all = [...before, ...now];
  const came = all.flatMap(({ read }) => read.flatMap(({ seen }) => seen.events));
  const mayComplete =
    came.length > 0 &&
    !came.some(({ code }) => code === event.processCompleted) &&
    now.some((flow) => missingIn(flow).includes(event.processCompleted));
  if (!mayComplete && slowestMs(all) <= arrivalMs / 2) return now;
  const untilMs = monotonicMs() + times.late * arrivalMs;
  const deadline: Deadline = { leftMs: (nowMs) => untilMs - nowMs, arrived: () => {} };
  return Promise.all(now.map((flow) => untilComplete(flow, deadline, parts)));
}

/** How many milliseconds after the last action of its flow the latest callback came; 0 if all came before. */
export function slowestMs(flows: readonly FlowAtEnd[]): number {
  return Math.max(0, ...latenessOf(flows).map(({ lateMs }) => lateMs));
}

/**
 * How many milliseconds after the last action of its flow each callback came; negative if it came before. Callbacks
 * that were refused are left out: when they are sent again says nothing about the others.
 */
export function latenessOf(
  flows: readonly FlowAtEnd[],
): readonly { readonly seen: SeenDelivery; readonly lateMs: number }[] {
  return flows.flatMap(({ read, actions, run }) => {
    const last = run.request.definition.away ? 0 : lastActionOf(actions);
    return last > 0
      ? read.flatMap(({ seen }) => (seen.accepted ? [{ seen, lateMs: seen.arrivedMs - last }] : []))
      : [];
  });
}
