/** Judges whether the events that are due have arrived. */
import { event } from '../../../openapi/codes.ts';
import type { Facts, Occurrence } from '../../../record/facts.ts';
import { actedApprovers, actedSigners, begunBefore, distinct, due, of, subscriptionOf } from './expected.ts';
import { judgementOf, personOf, type SequenceJudgement } from './judgement.ts';

type Rule = (facts: Facts) => SequenceJudgement | undefined;

/** Event 1 has arrived. */
export const requestReceived: Rule = (facts) =>
  single(facts, event.requestReceived, 'events.request-received');

/** Event 3 has arrived. */
export const processCompleted: Rule = (facts) =>
  single(facts, event.processCompleted, 'events.process-completed');

function single(
  facts: Facts,
  code: 1 | 3,
  requirement: 'events.request-received' | 'events.process-completed',
): SequenceJudgement | undefined {
  if (subscriptionOf(facts.plan) !== 'explicit' || !due(facts.plan, facts.actions).includes(code)) return;
  const { passed, failed, unreadable } = judgementOf(requirement);
  const seen = of(facts, code);
  if (seen.length > 0) return passed(`event ${code} arrived`, seen);
  if (facts.lost) return unreadable(`event ${code} was not seen, but ${facts.lost}`);
  return failed(`event ${code} is subscribed to and did not arrive`);
}

/** Event 2 has arrived for every signer who completed; for an approver the document leaves it open. */
export const signatoryCompleted: Rule = (facts) => {
  const { plan, actions, lost } = facts;
  const code = event.signatoryCompleted;
  if (subscriptionOf(plan) !== 'explicit' || !due(plan, actions).includes(code)) return;
  const { passed, failed, unreadable } = judgementOf('events.signatory-completed');
  const seen = of(facts, code);
  const without = (people: readonly number[]) =>
    people.filter((index) => !seen.some(({ who }) => who === index));
  const missing = without(actedSigners(plan, actions));
  if (missing.length === 0) return passed('event 2 arrived for every signer who completed', seen);
  const people = missing.map((index) => personOf(plan, index)).join(', ');
  if (lost) return unreadable(`event 2 was not seen for ${people}, but ${lost}`, seen);
  // Events that name nobody are counted: fewer than signers is a loss, and enough for all who acted is none.
  const nameless = seen.filter(({ who }) => who === undefined);
  // What was taken for a delivery id may be one that all deliveries share: it may acquit, and not convict.
  if (toldOf(nameless, facts) < missing.length) {
    return failed(`event 2 is subscribed to and did not arrive for ${people}, who completed`, seen);
  }
  if (distinct(nameless).length >= missing.length + without(actedApprovers(plan, actions)).length) {
    return passed(`as many events 2 arrived as signers completed; ${whyNameless(facts)}`, seen);
  }
  return unreadable(`whether event 2 arrived for ${people} cannot be told: ${whyNameless(facts)}`, nameless);
};

/**
 * Of how many signatories events may tell that name nobody: each of one, or of all who had begun by then where it
 * lists several. A service may tell of two in one callback.
 */
function toldOf(nameless: readonly Occurrence[], { actions }: Facts): number {
  return nameless.reduce((sum, { event: { unread }, delivery }) => {
    const lists = unread.some(({ field, several }) => field === 'signatory' && several);
    return sum + (lists ? Math.max(1, begunBefore(actions, delivery.arrivedMs)) : 1);
  }, 0);
}

/** Code 0 brings every event that is due, or at least all that explicit codes bring. */
export const allEvents: Rule = (facts) => {
  const { plan, actions, lost } = facts;
  const codes = due(plan, actions);
  if (subscriptionOf(plan) !== 'all' || codes.length === 0) return;
  const { passed, failed, unreadable } = judgementOf('events.all');
  const missing = codes.filter((code) => of(facts, code).length === 0);
  const list = missing.join(' and ');
  if (missing.length === 0) return passed(`0 brought events ${codes.join(', ')}`, facts.occurrences);
  if (lost) return unreadable(`event ${list} was not seen, but ${lost}`, facts.occurrences);
  const twin = plan.explicitTwin;
  if (!twin || missing.some((code) => twin.includes(code))) {
    return failed(`CallbackTypes is [0], and event ${list} did not arrive`, facts.occurrences);
  }
  if (missing.length < codes.length) {
    return passed(`0 brought what explicit codes bring; event ${list} came with neither`, facts.occurrences);
  }
  return unreadable('nothing arrived, with explicit codes no more than with 0');
};

function whyNameless(facts: Facts): string {
  const unread = of(facts, event.signatoryCompleted).flatMap(({ event: { unread } }) =>
    unread.flatMap(({ field, message }) => (field === 'signatory' ? [message] : [])),
  );
  return unread[0] ?? 'they name none of the signatories';
}
