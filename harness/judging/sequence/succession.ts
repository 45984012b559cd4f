/** Judges the events against what the signatories did: none tells of what has not happened yet. */
import { event, role } from '../../../openapi/codes.ts';
import type { Actions, Facts, Occurrence } from '../../../record/facts.ts';
import { actionOf, begunBefore, begunBy, distinct, due, of, subscribed } from './expected.ts';
import { eventsOf, judgementOf, personOf, type Rule } from './judgement.ts';

const afterAct = { is: 'after-act' } as const;

/** No event 2 arrives whole before its signatory begins to complete. */
export const afterAction: Rule = (facts) => {
  const { plan, actions, clouded } = facts;
  const code = event.signatoryCompleted;
  if (!subscribed(plan).includes(code)) return;
  const { passed, failed, excused } = judgementOf('events.signatory-completed-after-action', afterAct);
  const seen = of(facts, code);
  for (const one of seen) {
    const early = tooEarly(one, facts);
    if (early) return failed({ ...early.seen, events: eventsOf([one]) }, [one], early.expected);
  }
  if (seen.length === 0) {
    return due(plan, actions).includes(code) ? excused('not-arrived', { codes: [code] }) : undefined;
  }
  if (clouded) return excused('unseen', { loss: clouded });
  const doubtful = seen.filter(
    (one) => one.who === undefined && arrivedBy(seen, one) > begunBefore(actions, one.delivery.arrivedMs),
  );
  if (doubtful.length > 0) return excused('nameless', { events: eventsOf(doubtful) }, doubtful);
  return passed(seen);
};

function tooEarly(one: Occurrence, { plan, actions }: Facts) {
  const { arrivedMs } = one.delivery;
  if (one.who === undefined) {
    return begunBefore(actions, arrivedMs) > 0 ? undefined : { expected: afterAct, seen: {} };
  }
  // That a CC is told of at all is another requirement.
  if (plan.signatories[one.who]?.role === role.cc) return undefined;
  const seen = beforeAct(one, actions, one.who);
  return seen && { expected: { ...afterAct, person: personOf(plan, one.who) }, seen };
}

/** By how much it arrived before the signatory acted, if they did; `undefined` where it came in time. */
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
export const processCompletedLast: Rule = (facts) => {
  const { plan, actions, clouded } = facts;
  const code = event.processCompleted;
  const threes = of(facts, code);
  if (!subscribed(plan).includes(code)) return;
  const { passed, failed, excused } = judgementOf('events.process-completed-last', afterAct);
  if (threes.length === 0) {
    return due(plan, actions).includes(code) ? excused('not-arrived', { codes: [code] }) : undefined;
  }
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
