/** Judges whether the events that are due have arrived. */
import { event } from '../../../openapi/codes.ts';
import type { Facts, Occurrence } from '../../../record/facts.ts';
import {
  actedApprovers,
  actedSigners,
  begunBefore,
  distinct,
  due,
  occurrencesOf,
  subscriptionOf,
} from './expected.ts';
import { judgementOf, personOf, type SequenceRule } from './judgement.ts';

/** The event has arrived, where it is subscribed to and due. */
const arrived =
  (code: 1 | 3, requirement: 'events.request-received' | 'events.process-completed'): SequenceRule =>
  (facts) => {
    if (subscriptionOf(facts.plan) !== 'explicit' || !due(facts.plan, facts.actions).includes(code)) return;
    const { passed, failed, excused } = judgementOf(requirement, { is: 'events', codes: [code] });
    const seen = occurrencesOf(facts, code);
    if (seen.length > 0) return passed(seen);
    return facts.lost ? excused('unseen', { codes: [code], loss: facts.lost }) : failed({});
  };

export const requestReceived = arrived(event.requestReceived, 'events.request-received');
export const processCompleted = arrived(event.processCompleted, 'events.process-completed');

/** The signers who completed and for whom no event 2 came; `nameless` if events that name nobody may be about them. */
function missed(facts: Facts): { readonly people: readonly number[]; readonly nameless: boolean } {
  const { plan, actions } = facts;
  const seen = occurrencesOf(facts, event.signatoryCompleted);
  const without = (people: readonly number[]) =>
    people.filter((index) => !seen.some(({ who }) => who === index));
  const people = without(actedSigners(plan, actions));
  // Events that name nobody are only counted: fewer than signers mean a loss, as many as all who acted mean none.
  const nameless = seen.filter(({ who }) => who === undefined);
  // What is read as a delivery id may be the same in all deliveries. Counting by it may raise a doubt, but proves no
  // loss.
  if (toldOf(nameless, facts) < people.length) return { people, nameless: false };
  const told = distinct(nameless).length >= people.length + without(actedApprovers(plan, actions)).length;
  return { people: told ? [] : people, nameless: !told };
}

/** Event 2 has arrived for every signer who completed; for an approver the document leaves it open. */
export const signatoryCompleted: SequenceRule = (facts) => {
  const { plan, actions, lost } = facts;
  const code = event.signatoryCompleted;
  if (subscriptionOf(plan) !== 'explicit' || !due(plan, actions).includes(code)) return;
  const seen = occurrencesOf(facts, code);
  const { people: missing, nameless } = missed(facts);
  const people = missing.map((index) => personOf(plan, index));
  const expected = { is: 'events', codes: [code], ...(missing.length > 0 ? { people } : {}) } as const;
  const { passed, failed, excused } = judgementOf('events.signatory-completed', expected);
  if (missing.length === 0) return passed(seen);
  if (lost) return excused('unseen', { codes: [code], people, loss: lost }, seen);
  if (!nameless) return failed({}, seen);
  const unnamed = seen.filter(({ who }) => who === undefined);
  return excused('nameless', { codes: [code], people, what: whyNameless(seen) }, unnamed);
};

/**
 * How many signatories events without a name can be about at most: one each, or all who had begun by then if the
 * event has a list. A service may report two people in one callback.
 */
function toldOf(nameless: readonly Occurrence[], { actions }: Facts): number {
  return nameless.reduce((sum, { event: { unread }, delivery }) => {
    const lists = unread.some(({ field, several }) => field === 'signatory' && several);
    return sum + (lists ? Math.max(1, begunBefore(actions, delivery.arrivedMs)) : 1);
  }, 0);
}

function whyNameless(seen: readonly Occurrence[]): string {
  const unread = seen.flatMap(({ event: { unread } }) => unread).find(({ field }) => field === 'signatory');
  return unread?.message ?? 'they name none of the signatories';
}

/** Code 0 brings every event that is due, or at least all that explicit codes bring. */
export const allEvents: SequenceRule = (facts) => {
  const { plan, actions, lost, occurrences } = facts;
  const codes = [...due(plan, actions)];
  if (subscriptionOf(plan) !== 'all' || codes.length === 0) return;
  const absent = codes.filter((code) => occurrencesOf(facts, code).length === 0);
  const { people, nameless } = missed(facts);
  const isPartial = absent.length === 0 && people.length > 0 && !nameless;
  const missing = isPartial ? [event.signatoryCompleted] : absent;
  const expected = {
    is: 'events',
    codes: missing.length > 0 ? missing : codes,
    ...(isPartial ? { people: people.map((index) => personOf(plan, index)) } : {}),
    all: true,
  } as const;
  const { passed, failed, excused } = judgementOf('events.all', expected);
  if (missing.length === 0) return passed(occurrences);
  if (lost) return excused('unseen', { codes: missing, loss: lost }, occurrences);
  const arrived = plan.explicitCodes;
  if (!arrived || missing.some((code) => arrived.includes(code))) return failed({}, occurrences);
  return missing.length < codes.length ? passed(occurrences) : excused('explicit-codes-too');
};
