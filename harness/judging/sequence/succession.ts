/** Judges the events against what the signatories did: none tells of what has not happened yet. */
import { event, role } from '../../../openapi/codes.ts';
import type { Facts, Occurrence } from '../../../record/facts.ts';
import { actionOf, begunBefore, begunBy, distinct, due, of, subscribed } from './expected.ts';
import { judgementOf, named, personOf, type SequenceJudgement } from './judgement.ts';

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

/** Event 3 does not come before the last signer acts. */
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
  return facts.clouded
    ? unreadable(facts.clouded)
    : passed('event 3 arrived after the last signer acted', threes);
};
