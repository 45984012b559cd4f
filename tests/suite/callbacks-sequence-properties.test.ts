/** Properties of the judgement of sequences, over stories that fast-check makes up. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { type RequirementId, requirement } from '../../openapi/requirements/catalogue.ts';
import type { SeenDelivery, SeenEvent } from '../../record/facts.ts';
import { compliantStory } from './callbacks-compliant.ts';
import {
  attachmentOf,
  deliveryOf,
  eventOf,
  failures,
  type Story,
  told,
  withVerdict,
} from './callbacks-story.ts';

const runs = { numRuns: 1_000, seed: 20_250_101 };

/** Plain comparison: `expect` captures a stack each time, which thousands of cases would wait for. */
function same(actual: unknown, expected: unknown): void {
  const [got, wanted] = [actual, expected].map((value) => JSON.stringify(value));
  if (got !== wanted) throw new Error(`expected ${wanted} · received ${got}`);
}

/** A story of a compliant service, with what it does where the document is silent. */
type Made = typeof compliantStory extends fc.Arbitrary<infer Each> ? Each : never;

/** The failures of a story for which a service is blamed. */
const blamed: typeof failures = (story, losses) =>
  failures(story, losses).filter((id) => requirement(`events.${id}` as RequirementId).level === 'must');

test('a compliant service is never blamed, whatever it does where the document is silent', () => {
  fc.assert(
    fc.property(compliantStory, (story) => {
      same(blamed(story), []);
    }),
    runs,
  );
});

test('a service whose callbacks come in the sequence of their codes is told of nothing either', () => {
  fc.assert(
    fc.property(compliantStory, (story) => {
      fc.pre(story.manner.inOrder && story.manner.receivedFirst);
      same(failures(story), []);
    }),
    runs,
  );
});

test('callbacks that overlap, were repeated or not answered with 2xx have no order', () => {
  fc.assert(
    fc.property(compliantStory, (story) => {
      const [first, last] = [story.deliveries[0], story.deliveries.at(-1)];
      if (!first || !last) return;
      const at = { startMs: first.at.startMs, endMs: last.at.endMs };
      const overlapping = story.deliveries.map((delivery) => ({ ...delivery, at }));
      const again = deliveryOf(98, first.events[0] ?? '1', [8_000, 8_001]);
      const repeated = [
        ...story.deliveries,
        ...story.deliveries.map((each) => ({ ...each, index: 99 })),
        again,
      ];
      const away = story.deliveries.map((delivery) => ({ ...delivery, accepted: false }));
      for (const deliveries of [overlapping, repeated, away]) same(failures({ ...story, deliveries }), []);
    }),
    runs,
  );
});

test('a compliant service that says who completed passes everything that its request puts to the test', () => {
  fc.assert(
    fc.property(compliantStory, (story) => {
      const { naming, inOrder, receivedFirst } = story.manner;
      fc.pre(naming !== 'nothing' && inOrder && receivedFirst);
      same(withVerdict(told(story), 'could-not-run'), []);
    }),
    runs,
  );
});

test('the order in which deliveries are listed decides nothing', () => {
  fc.assert(
    fc.property(compliantStory, fc.infiniteStream(fc.nat()), (story, numbers) => {
      const shuffled = story.deliveries
        .map((delivery) => ({ delivery, key: numbers.next().value as number }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ delivery }) => delivery);
      const verdicts = (some: Story) =>
        told(some).judgements.map(({ requirement, verdict }) => [requirement, verdict]);
      same(verdicts({ ...story, deliveries: shuffled }), verdicts(story));
    }),
    runs,
  );
});

test('what is lost, forged, refused or unreadable never turns into blame for what is missing', () => {
  const unread = (delivery: SeenDelivery): SeenDelivery => ({
    ...delivery,
    events: [],
    problems: ['no JSON'],
  });
  const forged = (delivery: SeenDelivery): SeenDelivery => ({ ...delivery, forged: 'no signature' });
  fc.assert(
    fc.property(compliantStory, fc.nat({ max: 9 }), (story, which) => {
      const { deliveries } = story;
      const changed = (change: (delivery: SeenDelivery) => SeenDelivery): Story => ({
        ...story,
        deliveries: deliveries.map((delivery, index) => (index === which ? change(delivery) : delivery)),
      });
      same(blamed(changed(unread)), []);
      const lost = { ...story, deliveries: deliveries.filter((_, index) => index !== which) };
      same(blamed(lost, { refused: 1 }), []);
      same(blamed(lost, { shared: 1 }), []);
      same(blamed({ ...story, deliveries: deliveries.map(forged) }), []);
      const stranger = deliveryOf(99, '3', [0, 1], { forged: 'no signature' });
      same(blamed({ ...story, deliveries: [stranger, ...deliveries] }), []);
    }),
    runs,
  );
});

/** One violation put into the story of a compliant service, and the requirement that has to turn red alone. */
const violations: Record<string, (story: Made) => Story | undefined> = {
  'request-received': (story) => without(story, ({ code }) => code === 1),
  'signatory-completed': (story) =>
    without(story, ({ code, signatory }) => code === 2 && signatory?.value.includes('0') === true),
  'process-completed': (story) => without(story, ({ code }) => code === 3),
  all: (story) => (isAll(story) ? { ...story, deliveries: [] } : undefined),
  'only-subscribed': (story) => {
    const missing = [1, 2, 3].find((code) => !story.plan.subscription?.includes(code));
    if (isAll(story) || !missing || story.deliveries.length === 0) return undefined;
    return withMore(story, deliveryOf(90, String(missing), [9_000, 9_001]));
  },
  'none-for-cc': (story) => {
    const cc = story.plan.signatories.findIndex(({ role }) => role === 3);
    return cc >= 0 && expects(story, 2)
      ? withMore(story, deliveryOf(90, `2${String.fromCharCode(97 + cc)}`, [9_000, 9_001]))
      : undefined;
  },
  'signatory-completed-after-action': (story) =>
    expects(story, 2) ? withMore(story, deliveryOf(90, '2a', [900, 901])) : undefined,
  'process-completed-last': (story) =>
    expects(story, 3) ? withMore(story, deliveryOf(90, '3', [900, 901])) : undefined,
  // After event 3 it would be the next one.
  'received-before-signatures': (story) =>
    expects(story, 2) && !expects(story, 3) ? later(story, '1') : undefined,
  'request-received-first': (story) => (expects(story, 3) ? later(story, '1') : undefined),
  'signatures-before-completed': (story) => (expects(story, 3) ? later(story, '2a') : undefined),
  'documents-attached': (story) =>
    story.plan.attachments === true
      ? changed(story, (event) => ({ ...event, attachments: event.attachments.slice(-1) }))
      : undefined,
  'documents-not-attached': (story) =>
    story.plan.attachments === false
      ? changed(story, (event) => ({ ...event, attachments: [attachmentOf(['ESC-1'])] }))
      : undefined,
  'to-callback-url': (story) =>
    story.deliveries.length > 0
      ? {
          ...story,
          deliveries: story.deliveries.map((one) => ({ ...one, target: one.target.replace(/\?.*/, '') })),
        }
      : undefined,
};

for (const [id, violate] of Object.entries(violations)) {
  test(`a violation of events.${id} turns exactly that requirement red`, () => {
    let seen = 0;
    fc.assert(
      fc.property(compliantStory, (story) => {
        // A request without event 2 cannot show who completed; that is another test's.
        fc.pre(story.manner.naming !== 'nothing' && story.manner.failed === undefined);
        // What does not come in the sequence anyway is told of that already.
        fc.pre(story.manner.inOrder && story.manner.receivedFirst);
        const violated = violate(story);
        if (!violated) return;
        seen++;
        same(failures(violated), [id]);
      }),
      runs,
    );
    expect(seen).toBeGreaterThan(20);
  });
}

function isAll({ plan }: Story): boolean {
  return plan.subscription?.includes(0) ?? false;
}

function expects({ plan }: Story, code: number): boolean {
  return plan.subscription?.some((each) => each === code || each === 0) ?? false;
}

/** The story without some events, when explicit codes subscribe to them. */
function without(story: Story, drop: (event: SeenEvent) => boolean): Story | undefined {
  const deliveries = story.deliveries.filter(({ events }) => !events.some(drop));
  return deliveries.length < story.deliveries.length && !isAll(story) ? { ...story, deliveries } : undefined;
}

function withMore(story: Story, delivery: SeenDelivery): Story {
  return { ...story, deliveries: [...story.deliveries, delivery] };
}

/** The story with an event that comes once, after all others, in a request whose events all come once. */
function later(story: Made, word: string): Story | undefined {
  const { code, signatory } = eventOf(word);
  if (story.manner.repeats.length > 0 || !expects(story, Number(code))) return undefined;
  const others = without(
    story,
    (event) => event.code === code && (!signatory || event.signatory?.value.includes('0') === true),
  );
  return others && withMore(others, deliveryOf(90, word, [9_000, 9_001]));
}

/** The story with another event 3. */
function changed(story: Story, change: (event: SeenEvent) => SeenEvent): Story | undefined {
  if (!expects(story, 3)) return undefined;
  return {
    ...story,
    deliveries: story.deliveries.map((delivery) => ({
      ...delivery,
      events: delivery.events.map((event) => (event.code === 3 ? change(event) : event)),
    })),
  };
}
