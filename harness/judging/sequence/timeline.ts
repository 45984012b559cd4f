/** Tells the story of a request in order: what was done and what was delivered, for people to look at. */
import type { Moment } from '../../../record/clock.ts';
import type { Actions, SeenDelivery } from '../../../record/facts.ts';
import { type Plan, signatoryOf } from '../../../record/facts.ts';
import type { TimelineEntry } from '../../../record/timeline.ts';
import { personOf, type SequenceJudgement } from './judgement.ts';

/**
 * The timeline.
 * @param anchor a moment of the run that ties the monotonic clock to the wall clock
 * @param created when the request was created
 */
export function timelineOf(
  plan: Plan,
  actions: Actions & { readonly created?: { readonly startMs: number; readonly endMs: number } },
  deliveries: readonly SeenDelivery[],
  judgements: readonly SequenceJudgement[],
  anchor: Moment,
): readonly TimelineEntry[] {
  const iso = (ms: number): string => new Date(Date.parse(anchor.at) + ms - anchor.monotonicMs).toISOString();
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
      ...(delivery.index < 0 ? {} : { delivery: String(delivery.index) }),
      ...verdictOf(delivery, judgements),
    },
  }));
  return [...done, ...came].sort((a, b) => a.ms - b.ms).map(({ entry }) => entry);
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
    attachments.map(({ name, state, size, pages }) => ({
      ...(name === undefined ? {} : { name }),
      state,
      ...(size === undefined ? {} : { size }),
      ...(pages === undefined ? {} : { pages }),
    })),
  );
  return attached.length > 0 ? { attached } : {};
}

function verdictOf(
  { index, forged, problems }: SeenDelivery,
  judgements: readonly SequenceJudgement[],
): Pick<TimelineEntry, 'verdict' | 'message'> {
  const failed = judgements.find(
    ({ verdict, deliveries }) => verdict === 'failed' && deliveries.includes(index),
  );
  if (failed) return { verdict: 'failed', message: `${failed.requirement}: ${failed.message}` };
  const message = forged ?? problems[0];
  return message === undefined ? {} : { message };
}
