/** What the callbacks of a request show about gaps: when they came, in which order, how often, with what attached. */
import { event, role } from '../../../openapi/codes.ts';
import type { Facts, Occurrence } from '../../../record/facts.ts';
import { actedSigners, actionOf, occurrencesOf, subscribed } from './expected.ts';
import type { SequenceObservation } from './judgement.ts';
import { orderOf } from './order.ts';

type Seen = Omit<SequenceObservation, 'deliveries'> & { readonly from: readonly Occurrence[] };

/** All observations of a sequence; what was not to be seen is left out. */
export function observeSequence(facts: Facts): readonly SequenceObservation[] {
  const seen = [
    ...receivedWhen(facts),
    ...approver(facts),
    ...succession(facts),
    ...repeats(facts),
    ...carried(facts),
    ...unasked(facts),
    ...retries(facts),
  ];
  return seen.map(({ from, ...rest }) => ({
    ...rest,
    deliveries: [...new Set(from.map(({ delivery }) => delivery.index))],
  }));
}

function* receivedWhen(facts: Facts): Generator<Seen> {
  const { sent } = facts.actions;
  const [first] = occurrencesOf(facts, event.requestReceived);
  if (!first || !sent) return;
  const value =
    first.delivery.arrivedMs < sent.startMs ? 'before the request is sent' : 'once the request is sent';
  yield { gap: 'events.request-received-when', key: 'event 1', value, stability: 'stable', from: [first] };
}

function* approver(facts: Facts): Generator<Seen> {
  const { plan, actions } = facts;
  const seen = occurrencesOf(facts, event.signatoryCompleted);
  if (!subscribed(plan).includes(event.signatoryCompleted) || seen.some(({ who }) => who === undefined))
    return;
  const index = plan.signatories.findIndex(
    (person, position) => person?.role === role.approver && actionOf(actions, position),
  );
  if (index < 0) return;
  const from = seen.filter(({ who }) => who === index);
  const key = 'event 2 for an approver';
  yield { gap: 'events.signatory-completed-roles', key, value: from.length > 0, stability: 'stable', from };
}

function* succession(facts: Facts): Generator<Seen> {
  const { plan, actions, deliveries } = facts;
  const gap = 'events.order';
  const [one] = occurrencesOf(facts, event.requestReceived);
  const twos = occurrencesOf(facts, event.signatoryCompleted);
  const [two] = twos;
  const [three] = occurrencesOf(facts, event.processCompleted);
  if (one && two) {
    const value = orderOf(one, two);
    yield { gap, key: 'event 1 to the first event 2', value, stability: 'volatile', from: [one, two] };
  }
  const overlap = deliveries.some((delivery, index) =>
    deliveries.slice(index + 1).some((next) => next.at.startMs <= delivery.at.endMs),
  );
  if (deliveries.length > 1)
    yield { gap, key: 'deliveries overlap', value: overlap, stability: 'volatile', from: [] };
  const signers = [...actedSigners(plan, actions)].sort(
    (a, b) => (actionOf(actions, a)?.at.startMs ?? 0) - (actionOf(actions, b)?.at.startMs ?? 0),
  );
  const firsts = signers.map((index) => twos.find(({ who }) => who === index));
  if (firsts.length > 1 && firsts.every((first) => first !== undefined)) {
    const value = firsts.every((first, index) => {
      const next = firsts[index + 1];
      return !next || orderOf(first, next) !== 'after';
    });
    yield { gap, key: 'events 2 in the order of signing', value, stability: 'volatile', from: firsts };
  }
  const last = Math.max(...actions.completed.map(({ at }) => at.startMs));
  if (three && Number.isFinite(last)) {
    const value = Math.max(0, Math.round(three.delivery.arrivedMs - last));
    const key = 'milliseconds from the last signature to event 3';
    yield { gap, key, value, stability: 'volatile', from: [three] };
  }
}

function* repeats(facts: Facts): Generator<Seen> {
  const repeated = facts.occurrences.filter((one, index) =>
    facts.occurrences.slice(0, index).some((earlier) => isRepeat(one, earlier)),
  );
  if (repeated.length === 0) return;
  const gap = 'events.repeated';
  yield { gap, key: 'repeated events', value: repeated.length, stability: 'volatile', from: repeated };
  const value = repeated.every((one) =>
    facts.occurrences.some((other) => other !== one && sameId(one, other)),
  );
  yield { gap, key: 'repeated with the same delivery id', value, stability: 'stable', from: repeated };
}

function isRepeat(one: Occurrence, earlier: Occurrence): boolean {
  if (one.event.code !== earlier.event.code) return false;
  const told = one.event.code !== event.signatoryCompleted || one.who !== undefined;
  return (told && one.who === earlier.who) || sameId(one, earlier);
}

function sameId(one: Occurrence, other: Occurrence): boolean {
  return one.event.deliveryId !== undefined && one.event.deliveryId === other.event.deliveryId;
}

const pdfs = (one: Occurrence) =>
  one.event.attachments.filter(({ state }) => state === 'whole' || state === 'truncated');

function* carried(facts: Facts): Generator<Seen> {
  if (facts.plan.attachments !== true) return;
  const from = facts.occurrences.filter((one) => pdfs(one).length > 0);
  const [first] = from;
  if (!first) return;
  const codes = [...new Set(from.map(({ event: { code } }) => code))].sort();
  yield { gap: 'events.final-callback', key: 'events with PDFs', value: codes, stability: 'stable', from };
  const count = pdfs(first).length;
  const gap = 'events.attachment-count';
  const one = { stability: 'stable', from: [first] } as const;
  yield { gap, key: `PDFs for ${facts.plan.documents.length} documents`, value: count, ...one };
  yield { gap, key: 'other files', value: first.event.attachments.length - count, ...one };
  const others = pdfs(first).filter(({ markers }) => markers.length === 0);
  const key = 'attached PDFs that show none of the uploaded documents';
  yield { gap: 'signing.audit-trail', key, value: others.length, ...one };
  const isNamed = others.some(({ namesAll }) => namesAll);
  if (others.length > 0)
    yield { gap: 'signing.audit-trail', key: 'one of them names everybody', value: isNamed, ...one };
}

/** What comes where CompletedDocumentsAttached was left out. */
function* unasked(facts: Facts): Generator<Seen> {
  const [final] = occurrencesOf(facts, event.processCompleted);
  if (!final || facts.plan.attachments !== undefined) return;
  const { attachments, unread } = final.event;
  const value = pdfs(final).length > 0;
  // Where nobody knows what they are, they may be PDFs.
  const isUnknown = attachments.some(({ state }) => state === 'link' || state === 'unreadable');
  if (!value && (isUnknown || unread.some(({ field }) => field === 'attachments'))) return;
  const gap = 'skeleton.completed-documents-left-out';
  yield { gap, key: 'signed PDFs attached', value, stability: 'stable', from: [final] };
}

function* retries(facts: Facts): Generator<Seen> {
  const { deliveries } = facts;
  const failed = deliveries.filter(({ accepted }) => !accepted);
  const [first] = failed;
  if (!first) return;
  const again = facts.occurrences.filter(({ event: { code }, delivery }) => {
    const same = first.events.some((one) => one.code === code);
    return same && delivery !== first && delivery.at.startMs > first.at.startMs;
  });
  const gap = 'events.retries';
  // A service that sends everything twice would have sent the second copy anyway: it is no repetition.
  const { copies = 1 } = facts.plan;
  const value = again.length >= copies;
  yield { gap, key: 'repeated after a failed delivery', value, stability: 'stable', from: again };
  const waits = again.map(({ delivery }, index) => {
    const before = index === 0 ? first : again[index - 1]?.delivery;
    return Math.round(delivery.at.startMs - (before?.at.endMs ?? delivery.at.startMs));
  });
  if (waits.length > 0)
    yield { gap, key: 'milliseconds between attempts', value: waits, stability: 'volatile', from: again };
}
