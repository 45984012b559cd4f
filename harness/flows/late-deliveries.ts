/** Looks again for what was missing when its flow ended: a target that is slow is not one that sends nothing. */
import { monotonicMs } from '../../record/clock.ts';
import type { Actions, Plan, SeenDelivery } from '../../record/facts.ts';
import type { ReadDelivery } from '../callbacks/reading.ts';
import { graceDefaults } from '../profile/callback-settings.ts';
import { isMissing, lastActionOf, readOne } from './flow-deliveries.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowRun } from './flow-run.ts';

/** As much as a flow knows when it has ended. */
interface Waited {
  readonly run: FlowRun;
  readonly plan: Plan;
  readonly actions: Actions;
  readonly before: readonly SeenDelivery[];
  readonly read: readonly ReadDelivery[];
}

/** Times the setting, after the flows have ended: as long as one that is still sending is waited for. */
const times = 3;

/**
 * The flows with what has arrived for them since. Where a callback of any of them came late, those that miss one
 * are waited for together, and longer than their own time; where all came at once, a missing one is lost.
 */
export async function withLate<Flow extends Waited>(
  ended: readonly Flow[],
  parts: FlowParts,
): Promise<readonly Flow[]> {
  const { arrivalMs } = { ...graceDefaults, ...parts.settings.grace };
  const now = await Promise.all(ended.map((flow) => withArrived(flow, parts)));
  if (!now.some((flow) => isSlow(flow, arrivalMs))) return now;
  const untilMs = monotonicMs() + times * arrivalMs;
  return Promise.all(now.map((flow) => complete(flow, untilMs, parts)));
}

/** Waits until nothing is missing or time is up. */
async function complete<Flow extends Waited>(given: Flow, untilMs: number, parts: FlowParts): Promise<Flow> {
  let flow = given;
  while (isMissing(flow.plan, flow.actions, [...flow.before, ...flow.read.map(({ seen }) => seen)])) {
    const known = flow.read.length;
    await flow.run.request.address?.next(known, untilMs - monotonicMs());
    flow = await withArrived(flow, parts);
    if (flow.read.length === known) break;
  }
  return flow;
}

async function withArrived<Flow extends Waited>(flow: Flow, parts: FlowParts): Promise<Flow> {
  const { run, read } = flow;
  const fresh = run.request.address?.deliveries().slice(read.length) ?? [];
  if (fresh.length === 0) return flow;
  const more = await Promise.all(fresh.map((delivery) => readOne(delivery, run, parts)));
  return { ...flow, read: [...read, ...more] };
}

/** Whether a callback came so late after the last thing that was done that others may be on their way. */
function isSlow({ read, actions }: Waited, arrivalMs: number): boolean {
  const last = lastActionOf(actions);
  return last > 0 && read.some(({ seen }) => seen.accepted && seen.arrivedMs - last > arrivalMs / 2);
}
