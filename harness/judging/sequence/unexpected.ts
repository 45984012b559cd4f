/** Judges that nothing arrives that must not: unsubscribed, for a CC, for a request without CallbackUrl. */
import { event, role } from '../../../openapi/codes.ts';
import type { Facts } from '../../../record/facts.ts';
import {
  actedApprovers,
  actedSigners,
  distinct,
  due,
  of,
  sentCodes,
  subscribed,
  subscriptionOf,
} from './expected.ts';
import { eventsOf, judgementOf, type Rule } from './judgement.ts';

/** Whether silence would say nothing: something is due, and nothing at all has arrived. */
export function nothingArrived({ plan, actions, occurrences }: Facts): boolean {
  return occurrences.length === 0 && due(plan, actions).length > 0;
}

/** With explicit codes no other event of the table arrives. */
export const onlySubscribed: Rule = (facts) => {
  const { plan, occurrences, clouded } = facts;
  const codes = subscribed(plan);
  if (subscriptionOf(plan) !== 'explicit' || codes.length === sentCodes.length) return;
  const expected = { is: 'only-events', codes: [...codes] } as const;
  const { passed, failed, excused } = judgementOf('events.only-subscribed', expected);
  const others = occurrences.filter(({ event: { code } }) => code !== 'other' && !codes.includes(code));
  if (others.length > 0) return failed({ events: eventsOf(others) }, others);
  if (clouded) return excused('unseen', { loss: clouded });
  return nothingArrived(facts) ? excused('nothing-arrived') : passed(occurrences);
};

/** Nobody is told that a CC completed. */
export const noneForCc: Rule = (facts) => {
  const { plan, actions, clouded } = facts;
  const expectable = subscribed(plan).includes(event.signatoryCompleted);
  if (!expectable || !plan.signatories.some((person) => person.role === role.cc)) return;
  const { passed, failed, excused } = judgementOf('events.none-for-cc', { is: 'none-for-cc' });
  const seen = of(facts, event.signatoryCompleted);
  const forCc = seen.filter(({ who }) => who !== undefined && plan.signatories[who]?.role === role.cc);
  if (forCc.length > 0) return failed({ events: eventsOf(forCc) }, forCc);
  if (seen.length === 0 && !due(plan, actions).includes(event.signatoryCompleted)) return;
  if (seen.length === 0) return excused('not-arrived', { codes: [event.signatoryCompleted] });
  if (clouded) return excused('unseen', { loss: clouded });
  const acted = actedSigners(plan, actions).length + actedApprovers(plan, actions).length;
  const nameless = seen.filter(({ who }) => who === undefined);
  if (nameless.length > 0 && distinct(seen).length > acted) {
    return excused('nameless', { events: eventsOf(nameless) }, nameless);
  }
  return passed(seen);
};

/** For a request without CallbackUrl nothing arrives, wherever the run listens. */
export const withoutCallbackUrl: Rule = (facts) => {
  const { plan, occurrences, clouded } = facts;
  const { passed, failed, excused } = judgementOf('events.optional', { is: 'no-callback' });
  // People may take part in several requests; the id of a signatory belongs to one.
  const about = occurrences.filter(({ event: { requestId, signatory }, who }) =>
    requestId === undefined ? who !== undefined && signatory?.by === 'id' : requestId === plan.requestId,
  );
  if (about.length > 0) return failed({ events: eventsOf(about) }, about);
  if (clouded) return excused('unseen', { loss: clouded });
  return occurrences.length > 0 ? excused('unknown-request', {}, occurrences) : passed();
};
