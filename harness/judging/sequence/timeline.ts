/** The timeline of a request, for readers: what was done and delivered, what never came, and from when on events may come. */
import { event } from '../../../openapi/codes.ts';
import { type Moment, timeAfter } from '../../../record/clock.ts';
import {
  type Actions,
  type Interval,
  type Plan,
  type SeenDelivery,
  signatoryOf,
} from '../../../record/facts.ts';
import { findingText } from '../../../record/finding-text.ts';
import { personText } from '../../../record/flow-text.ts';
import type { TimelineEntry } from '../../../record/timeline.ts';
import { actingIn, actionOf, begunBy, isComplete, subscribed } from './expected.ts';
import { personOf as inPlan, type SequenceJudgement } from './judgement.ts';

type Told = Omit<SequenceJudgement, 'deliveries'> & Partial<Pick<SequenceJudgement, 'deliveries'>>;

const personOf = (plan: Plan, index: number) => personText(inPlan(plan, index));

const isoAt =
  ({ at, monotonicMs }: Moment) =>
  (ms: number): string =>
    timeAfter(at, ms - monotonicMs);

/**
 * The timeline; what never came stands at its end.
 * @param anchor a moment after everything that was awaited, which ties the monotonic clock to the wall clock
 * @param created when the request was created
 */
export function timelineOf(
  plan: Plan,
  actions: Actions & { readonly created?: Interval },
  deliveries: readonly SeenDelivery[],
  judgements: readonly Told[],
  anchor: Moment,
): readonly TimelineEntry[] {
  const iso = isoAt(anchor);
  const { created, sent, completed } = actions;
  const done = [
    ...(created ? [{ title: 'request created', at: created }] : []),
    ...(sent ? [{ title: 'request sent', at: sent }] : []),
    ...completed.map(({ signatory, at }) => ({ title: `${personOf(plan, signatory)} completes`, at })),
  ].map(({ title, at }) => ({
    ms: at.startMs,
    entry: { at: iso(at.startMs), until: iso(at.endMs), kind: 'action' as const, title },
  }));
  const came = deliveries.map((delivery) => ({
    ms: delivery.at.startMs,
    entry: {
      at: iso(delivery.at.startMs),
      until: iso(delivery.at.endMs),
      kind: 'delivery' as const,
      title: titleOf(delivery, plan),
      ...attachedBy(delivery),
      delivery: delivery.index < 0 ? undefined : String(delivery.index),
      ...verdictOf(delivery, judgements),
    },
  }));
  return [
    ...[...done, ...came].sort((a, b) => a.ms - b.ms).map(({ entry }) => entry),
    ...missingOf(plan, deliveries, judgements, anchor),
  ];
}

/** The codes that a failed judgement misses, and of whom: no delivery can show this. */
function missedBy({ verdict, found: { flow } }: Told) {
  return verdict === 'failed' && flow?.expected.is === 'events' ? flow.expected : undefined;
}

/** A line for each event that never came. */
function missingOf(
  plan: Plan,
  deliveries: readonly SeenDelivery[],
  judgements: readonly Told[],
  { at }: Moment,
): TimelineEntry[] {
  const events = deliveries.flatMap((delivery) => delivery.events);
  return judgements.flatMap((judgement) => {
    const { codes = [], people } = missedBy(judgement) ?? {};
    const titles = codes.flatMap((code) => {
      const nameless = events.some((each) => each.code === code && signatoryOf(each, plan) === undefined);
      // An event came that names nobody: whose it was is not known.
      if (people && nameless) return `event ${code} of ${people.map(personText).join(', ')}: too few came`;
      const whose = people?.map((person) => ` of ${personText(person)}`) ?? [''];
      return whose.map((who) => `event ${code}${who}: never came`);
    });
    const message = judgement.requirement;
    return titles.map((title) => ({ at, kind: 'missing', title, verdict: 'failed', message }) as const);
  });
}

function titleOf(delivery: SeenDelivery, plan: Plan): string {
  if (delivery.forged !== undefined) return 'not from the target';
  if (delivery.events.length === 0) return delivery.problems.length > 0 ? 'could not be read' : 'no event';
  const titles = delivery.events.map((event) => {
    const who = signatoryOf(event, plan);
    const files = event.attachments.length > 0 ? `, ${event.attachments.length} attached` : '';
    return `event ${event.code}${who === undefined ? '' : ` of ${personOf(plan, who)}`}${files}`;
  });
  return `${titles.join('; ')}${delivery.accepted ? '' : ' (not answered with 2xx)'}`;
}

function attachedBy({ events }: SeenDelivery): Pick<TimelineEntry, 'attached'> {
  const attached = events.flatMap(({ attachments }) =>
    attachments.map(({ name, state, size, pages }) => ({ name, state, size, pages })),
  );
  return attached.length > 0 ? { attached } : {};
}

function verdictOf(
  { index, forged, problems }: SeenDelivery,
  judgements: readonly Told[],
): Pick<TimelineEntry, 'verdict' | 'message'> {
  const failed = judgements.find(
    (each) => each.verdict === 'failed' && !missedBy(each) && each.deliveries?.includes(index),
  );
  if (failed) {
    const said = findingText(failed.found, () => undefined);
    return { verdict: 'failed', message: `${failed.requirement}: ${said}` };
  }
  const message = forged ?? problems[0];
  return message === undefined ? {} : { message };
}

/**
 * One entry for each event that the request surely subscribed to; none without a CallbackUrl. Events about a CC, and
 * those that it did not subscribe to, may never come.
 */
export function allowedOf(
  plan: Plan,
  actions: Actions & { readonly created?: Interval },
  anchor: Moment,
): readonly TimelineEntry[] {
  if (plan.callbackUrl === undefined) return [];
  const iso = isoAt(anchor);
  const acting = actingIn(plan);
  // The span of an action covers the moment in which the target took it.
  const begun = acting.flatMap((index) => {
    const at = begunBy(actions, index)?.at.startMs;
    return at === undefined ? [] : [{ index, at }];
  });
  const first = Math.min(...begun.map(({ at }) => at), actions.sent?.startMs ?? Number.POSITIVE_INFINITY);
  if (!Number.isFinite(first)) return [];
  const allowed = (title: string, at: number): TimelineEntry => ({ kind: 'allowed', title, at: iso(at) });
  return subscribed(plan).flatMap((code): TimelineEntry[] => {
    if (code === event.requestReceived)
      return [allowed('event 1, before event 3', actions.created?.startMs ?? first)];
    if (code === event.signatoryCompleted)
      return begun.map(({ index, at }) => allowed(`event 2 of ${personOf(plan, index)}`, at));
    if (!isComplete(plan, actions)) return [];
    const last = Math.max(...acting.map((index) => actionOf(actions, index)?.at.startMs ?? 0));
    return [allowed('event 3, after the last event 2', last)];
  });
}
