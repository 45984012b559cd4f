/** Judges the order of events, among each other and against what the signatories did. */
import { event, role } from '../../../openapi/codes.ts';
import type { Facts, Occurrence } from '../../../record/facts.ts';
import {
  actedApprovers,
  actedSigners,
  actionOf,
  begunBefore,
  begunBy,
  distinct,
  due,
  of,
  subscribed,
} from './expected.ts';
import { judgementOf, named, personOf, type SequenceJudgement } from './judgement.ts';
import { orderOf, precedesAll } from './order.ts';

type Rule = (facts: Facts) => SequenceJudgement | undefined;

/** No event 2 arrives whole before its signatory begins to complete. */
export const afterAction: Rule = (facts) => {
  const { plan, actions, clouded } = facts;
  if (!subscribed(plan).includes(event.signatoryCompleted)) return;
  const { passed, failed, unreadable } = judgementOf('events.signatory-completed-after-action');
  const seen = of(facts, event.signatoryCompleted);
  for (const one of seen) {
    const why = tooEarly(one, facts);
    if (why) return failed(why, [one]);
  }
  if (seen.length === 0) {
    return due(plan, actions).includes(event.signatoryCompleted)
      ? unreadable('no event 2 arrived')
      : undefined;
  }
  if (clouded) return unreadable(clouded);
  const doubtful = seen.find(
    (one) => one.who === undefined && arrivedBy(seen, one) > begunBefore(actions, one.delivery.arrivedMs),
  );
  if (doubtful) return unreadable(`whose completion ${named(doubtful)} tells of cannot be told`, [doubtful]);
  return passed('every event 2 arrived after its signatory acted', seen);
};

function tooEarly(one: Occurrence, { plan, actions }: Facts): string | undefined {
  const { arrivedMs } = one.delivery;
  if (one.who === undefined) {
    const begun = begunBefore(actions, arrivedMs) > 0;
    return begun ? undefined : `${named(one)} arrived before anybody acted`;
  }
  // That a CC is told of at all is another requirement.
  if (plan.signatories[one.who]?.role === role.cc) return undefined;
  const action = begunBy(actions, one.who);
  if (!action) return `${named(one)} arrived, and ${personOf(plan, one.who)} has not completed`;
  if (action.at.startMs <= arrivedMs) return undefined;
  const early = Math.round(action.at.startMs - arrivedMs);
  return `${named(one)} arrived ${early} ms before ${personOf(plan, one.who)} acted`;
}

function arrivedBy(seen: readonly Occurrence[], one: Occurrence): number {
  return distinct(seen.filter(({ delivery }) => delivery.arrivedMs <= one.delivery.arrivedMs)).length;
}

/** Event 3 comes neither before the last signer acts nor before the last event 2 of a signer. */
export const processCompletedLast: Rule = (facts) => {
  const { plan, actions } = facts;
  const threes = of(facts, event.processCompleted);
  if (!subscribed(plan).includes(event.processCompleted)) return;
  const { passed, failed, unreadable } = judgementOf('events.process-completed-last');
  if (threes.length === 0) {
    return due(plan, actions).includes(event.processCompleted)
      ? unreadable('event 3 did not arrive')
      : undefined;
  }
  for (const [index, person] of plan.signatories.entries()) {
    if (person.role !== role.signer) continue;
    const action = begunBy(actions, index);
    const early = threes.find(({ delivery }) => !action || delivery.arrivedMs < action.at.startMs);
    if (early) return failed(`${named(early)} arrived before ${personOf(plan, index)} acted`, [early]);
  }
  const unsure = plan.signatories.findIndex(
    (person, index) => person.role === role.signer && !actionOf(actions, index),
  );
  if (unsure >= 0) return unreadable(`whether ${personOf(plan, unsure)} completed is not known`, threes);
  if (!subscribed(plan).includes(event.signatoryCompleted)) {
    return facts.clouded
      ? unreadable(facts.clouded)
      : passed('event 3 arrived after the last signer acted', threes);
  }
  if (facts.orderClouded) return undefined;
  if (facts.clouded) return unreadable(facts.clouded);
  return againstTwos(facts, threes);
};

function againstTwos(facts: Facts, threes: readonly Occurrence[]): SequenceJudgement {
  const { plan, actions } = facts;
  const { passed, failed, unreadable } = judgementOf('events.process-completed-last');
  const twos = of(facts, event.signatoryCompleted);
  const signers = actedSigners(plan, actions);
  for (const index of signers) {
    const own = twos.filter(({ who }) => who === index);
    const early = precedesAll(threes, own);
    if (early) {
      return failed(`${named(early)} came before ${own.map(named).join(', ')}`, [early, ...own]);
    }
  }
  const missing = signers.filter((index) => !twos.some(({ who }) => who === index));
  if (missing.length === 0) return passed('event 3 came after event 2 of every signer', [...twos, ...threes]);
  const nameless = twos.filter(({ who }) => who === undefined);
  if (nameless.length < missing.length) return unreadable('event 2 did not arrive for every signer', threes);
  return namelessOrder(facts, threes, nameless, missing.length);
}

/** Events 2 that name nobody are told apart by their delivery ids, or not at all. */
function namelessOrder(
  { plan, actions, occurrences }: Facts,
  threes: readonly Occurrence[],
  nameless: readonly Occurrence[],
  wanted: number,
): SequenceJudgement {
  const { passed, failed, unreadable } = judgementOf('events.process-completed-last');
  const behind = nameless.filter((one) => threes.some((three) => orderOf(three, one) === 'before'));
  const inTime = nameless.filter((one) => !behind.includes(one));
  const idsOf = (some: readonly Occurrence[]) => new Set(some.map(({ event: { deliveryId } }) => deliveryId));
  const identified = !idsOf(nameless).has(undefined);
  const enough = wanted === 1 ? inTime.length > 0 : identified && idsOf(inTime).size >= wanted;
  const [late] = behind;
  if (!late || enough) {
    return passed('event 3 came after as many events 2 as signers completed', [...nameless, ...threes]);
  }
  const approvers = actedApprovers(plan, actions).filter(
    (index) => !occurrences.some(({ who }) => who === index),
  );
  // Otherwise the late one may be an approver's, or repeat an earlier one.
  if (identified && idsOf(nameless).size >= wanted + approvers.length) {
    return failed(`event 3 came before ${named(late)}`, [...threes, late]);
  }
  return unreadable(
    `whose completion ${named(late)}, which came after event 3, tells of cannot be told`,
    behind,
  );
}

/** Event 1 does not come after event 3. */
export const requestReceivedFirst: Rule = (facts) => {
  const { plan, actions } = facts;
  const codes = subscribed(plan);
  if (!codes.includes(event.requestReceived) || !codes.includes(event.processCompleted)) return;
  const { passed, failed, unreadable } = judgementOf('events.request-received-first');
  const [ones, threes] = [of(facts, event.requestReceived), of(facts, event.processCompleted)];
  if (ones.length === 0 || threes.length === 0) {
    const bothDue = due(plan, actions).includes(event.processCompleted);
    return bothDue ? unreadable(`event ${ones.length === 0 ? 1 : 3} did not arrive`) : undefined;
  }
  if (facts.orderClouded) return;
  if (facts.clouded) return unreadable(facts.clouded);
  const early = precedesAll(threes, ones);
  if (early) return failed(`${ones.map(named).join(', ')} came after ${named(early)}`, [early, ...ones]);
  return passed('event 1 did not come after event 3', [...ones, ...threes]);
};
