/** Judges events against what the signatories did, and against each other: none comes before what it follows from. */
import { event, role } from '../../../openapi/codes.ts';
import type { RequirementId } from '../../../openapi/requirements/catalogue.ts';
import { type Actions, type Facts, namesStranger, type Occurrence } from '../../../record/facts.ts';
import {
  actedApprovers,
  actedSigners,
  actionOf,
  begunBefore,
  begunBy,
  distinct,
  due,
  occurrencesOf,
  subscribed,
  subscriptionOf,
} from './expected.ts';
import { eventsOf, judgementOf, personOf, type SequenceJudgement, type SequenceRule } from './judgement.ts';

const afterAct = { is: 'after-act' } as const;

/** No event 2 arrives whole before its signatory begins to complete. */
export const afterAction: SequenceRule = (facts) => {
  const { plan, actions, clouded } = facts;
  const code = event.signatoryCompleted;
  if (!subscribed(plan).includes(code)) return;
  const { passed, failed, excused, missed } = judgementOf(
    'events.signatory-completed-after-action',
    afterAct,
  );
  const seen = occurrencesOf(facts, code);
  for (const one of seen) {
    const early = tooEarly(one, facts);
    if (early) return failed({ ...early.seen, events: eventsOf([one]) }, [one], early.expected);
  }
  if (seen.length === 0) return due(plan, actions).includes(code) ? missed(code, facts) : undefined;
  if (clouded) return excused('unseen', { loss: clouded });
  const doubtful = seen.filter(
    (one) => one.who === undefined && arrivedBy(seen, one) > begunBefore(actions, one.delivery.arrivedMs),
  );
  if (doubtful.length > 0) return excused('nameless', { events: eventsOf(doubtful) }, doubtful);
  return passed(seen);
};

function tooEarly(one: Occurrence, { plan, actions }: Facts) {
  const { arrivedMs } = one.delivery;
  if (namesStranger(one.event, plan))
    return { expected: afterAct, seen: { how: 'named somebody of another request' } };
  if (one.who === undefined)
    return begunBefore(actions, arrivedMs) > 0 ? undefined : { expected: afterAct, seen: {} };
  // An event about a CC violates another requirement.
  if (plan.signatories[one.who]?.role === role.cc) return undefined;
  const seen = beforeAct(one, actions, one.who);
  return seen && { expected: { ...afterAct, person: personOf(plan, one.who) }, seen };
}

/** By how much the event came before its signatory acted: `{}` where they never acted, `undefined` where it came in time. */
function beforeAct({ delivery: { arrivedMs } }: Occurrence, actions: Actions, who: number) {
  const action = begunBy(actions, who);
  if (!action) return {};
  const early = action.at.startMs - arrivedMs;
  return early > 0 ? { earlyMs: Math.ceil(early) } : undefined;
}

function arrivedBy(seen: readonly Occurrence[], one: Occurrence): number {
  return distinct(seen.filter(({ delivery }) => delivery.arrivedMs <= one.delivery.arrivedMs)).length;
}

/** Event 3 does not come before the last signer acts. */
export const processCompletedLast: SequenceRule = (facts) => {
  const { plan, actions, clouded } = facts;
  const code = event.processCompleted;
  const threes = occurrencesOf(facts, code);
  if (!subscribed(plan).includes(code)) return;
  const { passed, failed, excused, missed } = judgementOf('events.process-completed-last', afterAct);
  if (threes.length === 0) return due(plan, actions).includes(code) ? missed(code, facts) : undefined;
  const signers = plan.signatories.flatMap((person, index) => (person.role === role.signer ? [index] : []));
  for (const who of signers) {
    for (const one of threes) {
      const seen = beforeAct(one, actions, who);
      const expected = { ...afterAct, person: personOf(plan, who) };
      if (seen) return failed({ ...seen, events: eventsOf([one]) }, [one], expected);
    }
  }
  const unsure = signers.find((index) => !actionOf(actions, index));
  if (unsure !== undefined) return excused('unknown-outcome', { people: [personOf(plan, unsure)] }, threes);
  return clouded ? excused('unseen', { loss: clouded }) : passed(threes);
};

/** Event 1 comes before events 2. */
export const receivedBeforeSignatures: SequenceRule = (facts) =>
  inSequence(facts, 'events.received-before-signatures', [1, 2]);

/** Event 1 comes before event 3. */
export const requestReceivedFirst: SequenceRule = (facts) =>
  inSequence(facts, 'events.request-received-first', [1, 3]);

/** Events 2 of signers come before event 3. */
export const signaturesBeforeCompleted: SequenceRule = (facts) =>
  inSequence(facts, 'events.signatures-before-completed', [2, 3]);

/**
 * That events come in the sequence of their codes follows from what they mean, but is stated nowhere. So these rules
 * belong to a `should`, and they ignore deliveries that overlap, were repeated, or were not answered with 2xx.
 */
function inSequence(
  facts: Facts,
  requirement: RequirementId,
  [first, then]: readonly [1, 2] | readonly [1, 3] | readonly [2, 3],
): SequenceJudgement | undefined {
  const { plan, actions, orderClouded, clouded } = facts;
  const codes = subscribed(plan);
  const { passed, failed, excused, missed } = judgementOf(requirement, {
    is: 'sequence',
    codes: [first, then],
  });
  if (subscriptionOf(plan) === 'open' || !codes.includes(first) || !codes.includes(then)) return undefined;
  for (const code of [first, then]) {
    if (occurrencesOf(facts, code).length > 0) continue;
    const areDue = [first, then].every((each) => due(plan, actions).includes(each));
    return areDue ? missed(code, facts) : undefined;
  }
  if (orderClouded) return undefined;
  if (clouded) return excused('unseen', { loss: clouded });
  const swapped = (one: Occurrence, other: Occurrence) => inTime(one, other) === 'after';
  for (const one of ordered(facts, first)) {
    const other = ordered(facts, then).find((each) => swapped(one, each));
    if (other) return failed({ events: eventsOf([one, other]) }, [other, one]);
  }
  const [ones, others] = [
    occurrencesOf(facts, first).filter((one) => !isOthers(one, facts)),
    occurrencesOf(facts, then),
  ];
  // An event that came more than once is in sequence if one of its deliveries is.
  const holds = ones.every((one) =>
    ones.some((twin) => isSame(one, twin) && others.some((other) => !swapped(twin, other))),
  );
  return holds && ones.length > 0 ? passed([...ones, ...others]) : undefined;
}

/**
 * The occurrences of a code whose place in the sequence is certain: of codes 1 and 3, one that came only once; of
 * code 2, those that surely are about signers, each about another one.
 */
function ordered(facts: Facts, code: 1 | 2 | 3): readonly Occurrence[] {
  const seen = occurrencesOf(facts, code);
  if (code !== event.signatoryCompleted) return seen.length === 1 ? seen : [];
  const { plan, actions } = facts;
  const ofSigners = seen.filter(
    ({ who }) => who !== undefined && plan.signatories[who]?.role === role.signer,
  );
  const named = ofSigners.filter((one) => ofSigners.every((other) => other === one || other.who !== one.who));
  const nameless = seen.filter(({ who }) => who === undefined);
  const untold = (people: readonly number[]) =>
    people.filter((index) => !seen.some(({ who }) => who === index)).length;
  const ids = new Set(nameless.map(({ event: { deliveryId } }) => deliveryId));
  const differ = nameless.length < 2 || (!ids.has(undefined) && ids.size === nameless.length);
  // If there are more of them than signers, one is about an approver or repeats an earlier one.
  const areOfSigners =
    differ &&
    untold(actedApprovers(plan, actions)) === 0 &&
    nameless.length <= untold(actedSigners(plan, actions));
  return areOfSigners ? [...named, ...nameless] : named;
}

/** Whether an event 2 is about somebody other than a signer. */
function isOthers({ who }: Occurrence, { plan }: Facts): boolean {
  return who !== undefined && plan.signatories[who]?.role !== role.signer;
}

/** Whether two occurrences of a code are surely the same event. */
function isSame(one: Occurrence, other: Occurrence): boolean {
  const { code, deliveryId } = one.event;
  if (one === other || (deliveryId !== undefined && deliveryId === other.event.deliveryId)) return true;
  return one.who === other.who && (code !== event.signatoryCompleted || one.who !== undefined);
}

type Order = 'before' | 'after' | 'unordered';

/** Whether the delivery of `a` had ended before that of `b` began, or the other way round. */
function inTime({ delivery: a }: Occurrence, { delivery: b }: Occurrence): Order {
  if (a.at.endMs < b.at.startMs) return 'before';
  return b.at.endMs < a.at.startMs ? 'after' : 'unordered';
}

/**
 * Whether `a` came before or after `b`, for observations: where their deliveries were in flight at the same time, the
 * events' own times tell, if both were read at the same place and differ.
 */
export function orderOf(a: Occurrence, b: Occurrence): Order {
  const order = inTime(a, b);
  const [timeA, timeB] = [a.event.time, b.event.time];
  if (order !== 'unordered' || !timeA || !timeB || timeA.at !== timeB.at || timeA.ms === timeB.ms)
    return order;
  return timeA.ms < timeB.ms ? 'before' : 'after';
}
