/** Properties of the judgement of sequences, over stories that fast-check makes up. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { SeenDelivery, SeenEvent } from '../../record/facts.ts';
import { compliantStory } from './callbacks-compliant.ts';
import {
  attachmentOf,
  callbackUrl,
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

test('a compliant service is never blamed, whatever it does where the document is silent', () => {
  fc.assert(
    fc.property(compliantStory, (story) => {
      same(failures(story), []);
    }),
    runs,
  );
});

test('a compliant service that says who completed passes everything that its request puts to the test', () => {
  fc.assert(
    fc.property(compliantStory, (story) => {
      fc.pre(story.manner.naming !== 'nothing');
      same(withVerdict(told(story), 'unreadable'), []);
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
      same(failures(changed(unread)), []);
      const lost = { ...story, deliveries: deliveries.filter((_, index) => index !== which) };
      same(failures(lost, { refused: 1 }), []);
      same(failures(lost, { shared: 1 }), []);
      same(failures({ ...story, deliveries: deliveries.map(forged) }), []);
      const stranger = deliveryOf(99, '3', [0, 1], { forged: 'no signature' });
      same(failures({ ...story, deliveries: [stranger, ...deliveries] }), []);
    }),
    runs,
  );
});

/** One violation put into the story of a compliant service, and the requirement that has to turn red alone. */
const violations: Record<string, (story: Story) => Story | undefined> = {
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
    // Before an event 1 it would be another violation as well.
    expects(story, 3) && !expects(story, 1) ? withMore(story, deliveryOf(90, '3', [900, 901])) : undefined,
  'request-received-first': (story) => {
    if (!expects(story, 1) || !expects(story, 3)) return undefined;
    const others = without(story, ({ code }) => code === 1);
    return others && withMore(others, deliveryOf(90, '1', [9_000, 9_001]));
  },
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

for (const [requirement, violate] of Object.entries(violations)) {
  test(`a violation of events.${requirement} turns exactly that requirement red`, () => {
    let seen = 0;
    fc.assert(
      fc.property(compliantStory, (story) => {
        // A request without event 2 cannot show who completed; that is another test's.
        fc.pre(story.manner.naming !== 'nothing' && story.manner.failed === undefined);
        const violated = violate(story);
        if (!violated) return;
        seen++;
        same(failures(violated), [requirement]);
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

test('two deliveries in flight at the same time have the order of their own times, and none when these are equal', () => {
  fc.assert(
    fc.property(fc.integer({ min: -5, max: 5 }), fc.integer({ min: 0, max: 50 }), (apartMs, offset) => {
      const at = (ms: number): Partial<SeenEvent> => ({ time: { ms: 1_700_000_000_000 + ms, at: '/time' } });
      const story: Story = {
        plan: { ...storyPlan, subscription: [2, 3] },
        actions: { completed: [{ signatory: 0, at: { startMs: 0, endMs: 1 } }] },
        deliveries: [
          deliveryOf(0, eventOf('3', at(0)), [100, 151]),
          deliveryOf(1, eventOf('2a', at(apartMs)), [100 + offset, 200]),
        ],
      };
      same(failures(story), apartMs > 0 ? ['process-completed-last'] : []);
    }),
    runs,
  );
});

const storyPlan = {
  requestId: 'request-1',
  signatories: [{ id: 'signatory-0', email: 'person-0@example.com', role: 1, order: 1 }],
  callbackUrl,
  documents: [],
} as const;
