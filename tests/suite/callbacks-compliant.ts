/** A made-up compliant service: everything that the document leaves open is drawn at random by fast-check. */
import fc from 'fast-check';
import type { Actions, Plan, SeenDelivery, SeenEvent } from '../../record/facts.ts';
import {
  attachmentOf,
  deliveryOf,
  eventOf,
  planOf,
  type RoleName,
  type Story,
  target,
} from './callbacks-story.ts';

/** How one compliant service fills the gaps. All times in milliseconds. */
interface Manner {
  /** How the payload names a signatory, if at all. */
  readonly naming: 'id' | 'email' | 'name' | 'nothing';
  readonly withDeliveryId: boolean;
  /** Whether events carry their time, and how coarse it is. */
  readonly time: 'none' | 'seconds' | 'milliseconds';
  readonly namesRequest: boolean;
  readonly approverToo: boolean;
  readonly receivedFirst: boolean;
  /** Whether callbacks leave in the order in which their events happened; no order of delivery is stated. */
  readonly inOrder: boolean;
  /** Whether deliveries wait for the answer to the one before. */
  readonly oneByOne: boolean;
  /** How far its clock is from ours. */
  readonly clockMs: number;
  readonly repeats: readonly number[];
  /** A delivery that our listener answers with 503; it comes again after all others. */
  readonly failed: number | undefined;
  readonly delays: readonly number[];
}

const manner: fc.Arbitrary<Manner> = fc.record({
  naming: fc.constantFrom('id', 'email', 'name', 'nothing'),
  withDeliveryId: fc.boolean(),
  time: fc.constantFrom('none', 'seconds', 'milliseconds'),
  namesRequest: fc.boolean(),
  approverToo: fc.boolean(),
  receivedFirst: fc.boolean(),
  inOrder: fc.boolean(),
  oneByOne: fc.boolean(),
  clockMs: fc.integer({ min: -100_000_000, max: 100_000_000 }),
  repeats: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 2 }),
  failed: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined, freq: 3 }),
  delays: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 12, maxLength: 12 }),
});

const roles: fc.Arbitrary<readonly RoleName[]> = fc
  .array(fc.constantFrom<RoleName>('signer', 'approver', 'cc'), { maxLength: 3 })
  .map((more) => ['signer', ...more]);

const subscription = fc.constantFrom([1], [2], [3], [1, 2], [1, 3], [2, 3], [1, 2, 3], [0]);

/** A story in which a compliant service takes part. */
export const compliantStory: fc.Arbitrary<Story & { readonly manner: Manner }> = fc
  .record({
    roles,
    subscription,
    manner,
    attachments: fc.constantFrom(true, false, undefined),
    documents: fc.constantFrom(['ESC-1'], ['ESC-1', 'ESC-2']),
    merged: fc.boolean(),
  })
  .map(({ manner: how, ...rest }) => {
    const plan = planOf(rest.roles, {
      subscription: rest.subscription,
      documents: rest.documents,
      ...(rest.attachments === undefined ? {} : { attachments: rest.attachments }),
    });
    const actions = actionsOf(plan);
    return { plan, actions, manner: how, deliveries: deliveriesOf(plan, actions, how, rest.merged) };
  });

/** Everybody who can act does so, 100 ms after the one before, for 30 ms each. */
function actionsOf(plan: Plan): Actions {
  const acting = plan.signatories.flatMap(({ role }, index) => (role === 3 ? [] : [index]));
  return {
    sent: { startMs: 1_000, endMs: 1_010 },
    completed: acting.map((signatory, position) => ({
      signatory,
      at: { startMs: 1_100 + position * 100, endMs: 1_130 + position * 100 },
    })),
  };
}

interface Sending {
  readonly event: SeenEvent;
  /** When it happens; it is sent some time later. */
  readonly happensMs: number;
}

function deliveriesOf(plan: Plan, actions: Actions, how: Manner, merged: boolean): readonly SeenDelivery[] {
  const wanted = (code: number): boolean =>
    plan.subscription?.some((each) => each === code || each === 0) ?? false;
  const completed = actions.completed.filter(
    ({ signatory }) => how.approverToo || plan.signatories[signatory]?.role === 1,
  );
  const endMs = (actions.completed.at(-1)?.at.startMs ?? 0) + 20;
  const events: Sending[] = [
    { event: named('1', how), happensMs: how.receivedFirst ? 1_005 : endMs - 15 },
    ...completed.map(({ signatory, at }) => ({
      event: named(`2${String.fromCharCode(97 + signatory)}`, how, plan),
      happensMs: at.startMs + 10,
    })),
    {
      event: {
        ...named('3', how),
        attachments: plan.attachments === true ? files(plan.documents, merged) : [],
      },
      happensMs: endMs,
    },
  ];
  const happened = events.filter(({ event }) => wanted(Number(event.code)));
  const due = how.inOrder ? happened : shuffled(happened, how);
  // An event may be sent a second time, for whatever reason; then it happens no second time.
  const repeated = [...how.repeats, ...(how.failed === undefined ? [] : [how.failed])];
  const sendings = [...due, ...repeated.flatMap((which) => due[which] ?? [])];
  return inFlight(sendings, how, due.length);
}

/** Nothing is sent before it happened: where a later one goes first, the others wait for it. */
function shuffled(sendings: readonly Sending[], { delays }: Manner): readonly Sending[] {
  const order = sendings.map((sending, index) => ({ sending, key: delays.at(-1 - index) ?? 0 }));
  return order.toSorted((one, other) => one.key - other.key).map(({ sending }) => sending);
}

/** Puts the sendings on the wire: one by one, or each as soon as it may be, overlapping the others. */
function inFlight(sendings: readonly Sending[], how: Manner, first: number): readonly SeenDelivery[] {
  let freeMs = 0;
  return sendings.map(({ event, happensMs }, index) => {
    const delay = how.delays[index] ?? 0;
    const own = index < first ? happensMs : freeMs + 1;
    // At the same time: every connection is open from the moment of the event on, and takes as long as it takes.
    const startMs = how.oneByOne ? Math.max(freeMs + 1, happensMs) + delay : own;
    const endMs = startMs + 1 + (how.oneByOne ? delay : 60 + delay);
    freeMs = Math.max(freeMs, endMs);
    return deliveryOf(index, timed(event, happensMs, how), [startMs, endMs], {
      arrivedMs: startMs + 1,
      accepted: index !== how.failed || index >= first,
      target,
    });
  });
}

function timed(event: SeenEvent, happensMs: number, how: Manner): SeenEvent {
  if (how.time === 'none') return event;
  const exact = happensMs + how.clockMs;
  return {
    ...event,
    time: { ms: how.time === 'seconds' ? Math.floor(exact / 1_000) * 1_000 : exact, at: '/time' },
  };
}

function named(word: string, how: Manner, plan?: Plan): SeenEvent {
  const { signatory, requestId, ...event } = eventOf(word);
  const person = plan?.signatories[word.charCodeAt(1) - 97];
  const by = how.naming === 'nothing' ? undefined : how.naming;
  return {
    ...event,
    ...(how.namesRequest && requestId ? { requestId } : {}),
    ...(signatory && by ? { signatory: { by, value: person?.[by] ?? '' } } : {}),
    ...(how.withDeliveryId ? { deliveryId: `delivery-${word}` } : {}),
  };
}

/** One PDF for each document or one for all, in some order, with a file beside them that is no PDF. */
function files(documents: readonly string[], merged: boolean) {
  const pdfs = merged
    ? [attachmentOf(documents)]
    : documents.map((marker) => attachmentOf([marker])).reverse();
  return [...pdfs, { ...attachmentOf([], 'no-pdf'), name: 'audit.json' }];
}
