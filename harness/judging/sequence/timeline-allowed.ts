/** When the callbacks of a request may come, by what was done: the frame in which a timeline shows its deliveries. */
import { event, role } from '../../../openapi/codes.ts';
import type { Moment } from '../../../record/clock.ts';
import type { Actions, Interval, Plan } from '../../../record/facts.ts';
import type { TimelineEntry } from '../../../record/timeline.ts';
import { actionOf, begunBy, isComplete, subscribed } from './expected.ts';
import { personOf } from './judgement.ts';

/**
 * One entry for each event that the request subscribed to surely; none without a CallbackUrl. The events of a CC,
 * and those that nobody subscribed to, may never come.
 */
export function allowedOf(
  plan: Plan,
  actions: Actions & { readonly created?: Interval },
  anchor: Moment,
): readonly TimelineEntry[] {
  if (plan.callbackUrl === undefined) return [];
  const iso = (ms: number): string => new Date(Date.parse(anchor.at) + ms - anchor.monotonicMs).toISOString();
  const acting = plan.signatories.flatMap((person, index) => (person.role === role.cc ? [] : [index]));
  // The span of an action covers the moment in which the target took it.
  const begun = acting.flatMap((index) => {
    const at = begunBy(actions, index)?.at.startMs;
    return at === undefined ? [] : [{ index, at }];
  });
  const first = Math.min(...begun.map(({ at }) => at), actions.sent?.startMs ?? Number.POSITIVE_INFINITY);
  if (!Number.isFinite(first)) return [];
  const allowed = (title: string, at: number): TimelineEntry => ({ kind: 'allowed', title, at: iso(at) });
  return subscribed(plan).flatMap((code): TimelineEntry[] => {
    if (code === event.requestReceived) {
      return [allowed('event 1, before event 3', actions.created?.startMs ?? first)];
    }
    if (code === event.signatoryCompleted) {
      return begun.map(({ index, at }) => allowed(`event 2 of ${personOf(plan, index)}`, at));
    }
    if (!isComplete(plan, actions)) return [];
    const last = Math.max(...acting.map((index) => actionOf(actions, index)?.at.startMs ?? 0));
    return [allowed('event 3, after the last event 2', last)];
  });
}
