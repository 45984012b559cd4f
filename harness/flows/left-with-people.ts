/** What a flow leaves with people when it ends: noted for a later run, or given as the result that it keeps. */
import { monotonicMs } from '../../record/clock.ts';
import type { Plan, SeenDelivery } from '../../record/facts.ts';
import type { ReadDelivery } from '../callbacks/reading.ts';
import type { SigningStep } from '../people/driver.ts';
import type { FlowResult } from './flow.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowRun } from './flow-run.ts';
import { keptOf, seenOf } from './resuming/seen.ts';
import { millisecondsOf } from './resuming/times.ts';

/** Whether somebody was asked and did not say what came of it. */
export function isLeft({ request, attempted }: FlowRun, { waiting }: FlowParts): boolean {
  return attempted.length > 0 && waiting?.flow(request.definition.name) !== undefined;
}

/** Who stands in the list may act without saying so, from the moment at which they can see it. */
export function notePossible(run: FlowRun, steps: readonly SigningStep[], { waiting }: FlowParts): void {
  const { definition, tasks } = run.request;
  const { listed } = waiting?.flow(definition.name) ?? {};
  const endMs = monotonicMs();
  const startMs = listed === undefined ? endMs : millisecondsOf(listed);
  for (const [signatory, task] of tasks.entries()) {
    if (steps.some((step) => step.task === task)) run.attempted.push({ signatory, at: { startMs, endMs } });
  }
}

/** Notes what has arrived so far, which a later run will not see. */
export function noteLeft(
  run: FlowRun,
  plan: Plan,
  read: readonly ReadDelivery[],
  { waiting }: FlowParts,
): void {
  const { name } = run.request.definition;
  const before = waiting?.flow(name)?.seen ?? [];
  const seen = keptOf(
    read.map((each) => each.seen),
    plan,
  );
  waiting?.note(name, { seen: [...before, ...seen] });
}

/** What the run before has seen of the callbacks of a flow. */
export function seenBefore(run: FlowRun, plan: Plan, { waiting }: FlowParts): readonly SeenDelivery[] {
  return seenOf(waiting?.flow(run.request.definition.name)?.seen ?? [], plan);
}

/** Notes the result of a flow that was not left with people. */
export function noteFinished(result: FlowResult, { waiting, clean }: FlowParts): void {
  if (waiting?.flow(result.name)) waiting.finish(clean(result));
}
