/** What is kept of a flow for a resumed run: the callbacks so far if people still have to act, else its result. */
import { monotonicMs } from '../../../record/clock.ts';
import { type Plan, type SeenDelivery, signatoryOf } from '../../../record/facts.ts';
import type { ReadDelivery } from '../../callbacks/reading.ts';
import { difference } from '../../judging/sequence/unexpected.ts';
import type { SigningStep } from '../../people/driver.ts';
import type { FlowParts } from '../flow-parts.ts';
import type { FlowResult } from '../flow-plan.ts';
import type { FlowRun } from '../flow-run.ts';
import { intervalOf, millisecondsOf, spanOf, type WaitingDelivery, wallClockOf } from './waiting-file.ts';

/** Stands for the path and query of a delivery that came to another URL than CallbackUrl. */
const elsewhere = '/elsewhere';

/** Deliveries as they are kept, without forged ones and events of others. @param plan the request that they were sent for */
export function keptOf(seen: readonly SeenDelivery[], plan: Plan): WaitingDelivery[] {
  const url = plan.callbackUrl === undefined ? undefined : new URL(plan.callbackUrl);
  return seen
    .filter(({ forged }) => forged === undefined)
    .map((delivery) => ({
      at: spanOf(delivery.at),
      arrived: wallClockOf(delivery.arrivedMs),
      accepted: delivery.accepted,
      toCallbackUrl: url !== undefined && difference(url, delivery.target) === undefined,
      events: delivery.events
        .filter(({ requestId }) => requestId === undefined || requestId === plan.requestId)
        .map((event) => {
          const signatory = signatoryOf(event, plan);
          return { code: event.code, signatory };
        }),
      problems: delivery.problems.length > 0 ? ['it could not be read in the run before'] : [],
    }));
}

/** Kept deliveries in the shape that the rules read. Their indexes are negative, since this run has not received them. */
export function seenOf(kept: readonly WaitingDelivery[], plan: Plan): SeenDelivery[] {
  return kept.map((delivery, position) => ({
    index: position - kept.length,
    at: intervalOf(delivery.at),
    arrivedMs: millisecondsOf(delivery.arrived),
    accepted: delivery.accepted,
    target: delivery.toCallbackUrl ? targetOf(plan) : elsewhere,
    events: delivery.events.map(({ code, signatory }) => {
      const value = signatory === undefined ? undefined : plan.signatories[signatory]?.email;
      const by = value === undefined ? undefined : ({ by: 'email', value } as const);
      return { code, requestId: plan.requestId || undefined, signatory: by, attachments: [], unread: [] };
    }),
    problems: delivery.problems,
  }));
}

function targetOf({ callbackUrl }: Plan): string {
  if (callbackUrl === undefined) return elsewhere;
  const { pathname, search } = new URL(callbackUrl);
  return `${pathname}${search}`;
}

/** Whether somebody was asked to act and has not said whether they did. */
export function isLeft({ request, attempted }: FlowRun, { waiting }: FlowParts): boolean {
  return attempted.length > 0 && waiting?.flow(request.definition.name) !== undefined;
}

/** Notes possible acts: people may act without saying so as soon as they can see the list of tasks. */
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

/** The callbacks of a flow that the run before has seen. */
export function seenBefore(run: FlowRun, plan: Plan, { waiting }: FlowParts): readonly SeenDelivery[] {
  return seenOf(waiting?.flow(run.request.definition.name)?.seen ?? [], plan);
}

/** Notes the result of a flow that was not left with people. */
export function noteFinished(result: FlowResult, { waiting, clean }: FlowParts): void {
  if (waiting?.flow(result.name)) waiting.finish(clean(result));
}
