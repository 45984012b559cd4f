/** Judges the callbacks of one signature request. Pure: the same facts give the same judgements. */
import {
  type Actions,
  type Facts,
  factsOf,
  type Losses,
  type Plan,
  type SeenDelivery,
  type SeenEvent,
} from '../../../record/facts.ts';
import { allEvents, processCompleted, requestReceived, signatoryCompleted } from './arrival.ts';
import { documentsAttached, documentsNotAttached } from './documents.ts';
import { observeSequence } from './gaps.ts';
import type { SequenceJudgement, SequenceObservation } from './judgement.ts';
import {
  afterAction,
  processCompletedLast,
  receivedBeforeSignatures,
  requestReceivedFirst,
  signaturesBeforeCompleted,
} from './order.ts';
import { noneForCc, nothingArrives, onlySubscribed, toCallbackUrl } from './unexpected.ts';

export interface JudgedSequence {
  /** One for each requirement that this plan and these actions put to the test. */
  readonly judgements: readonly SequenceJudgement[];
  readonly observations: readonly SequenceObservation[];
}

const rules = [
  requestReceived,
  signatoryCompleted,
  processCompleted,
  allEvents,
  onlySubscribed,
  toCallbackUrl,
  afterAction,
  processCompletedLast,
  receivedBeforeSignatures,
  requestReceivedFirst,
  signaturesBeforeCompleted,
  noneForCc,
  documentsAttached,
  documentsNotAttached,
] as const;

/**
 * Judges the deliveries of a request once nothing more is awaited.
 * @param deliveries for a plan without CallbackUrl those of all addresses, otherwise those of its own
 */
export function judgeSequence(
  plan: Plan,
  actions: Actions,
  deliveries: readonly SeenDelivery[],
  losses: Losses = {},
): JudgedSequence {
  const facts = factsOf(plan, actions, deliveries, losses);
  if (plan.callbackUrl === undefined) {
    const judgement = nothingArrives(facts);
    return { judgements: judgement ? [unlessDoubtful(judgement, facts)] : [], observations: [] };
  }
  const judgements = rules.flatMap((rule) => rule(facts) ?? []).map((each) => unlessDoubtful(each, facts));
  return { judgements, observations: observeSequence(facts) };
}

/** A delivery that names an unknown request may show that something came, but no requirement fails because of it. */
function unlessDoubtful(judgement: SequenceJudgement, { occurrences }: Facts): SequenceJudgement {
  const doubtful = occurrences.find(
    (each) => each.doubtful && judgement.deliveries.includes(each.delivery.index),
  );
  if (judgement.verdict !== 'failed' || !doubtful) return judgement;
  const cause = { excuse: 'unknown-request', because: { delivery: doubtful.delivery.index } } as const;
  return { ...judgement, verdict: 'could-not-run', found: { ...judgement.found, cause } };
}

/** Whether nothing fails if the event names of the profile have these codes. */
export function holdsWith(
  codes: Readonly<Record<string, SeenEvent['code']>>,
  ...[plan, actions, deliveries, losses]: Parameters<typeof judgeSequence>
): boolean {
  const renamed = (each: SeenEvent): SeenEvent => ({ ...each, code: codes[each.name ?? ''] ?? each.code });
  const given = deliveries.map((each) => ({ ...each, events: each.events.map(renamed) }));
  return judgeSequence(plan, actions, given, losses).judgements.every(({ verdict }) => verdict !== 'failed');
}
