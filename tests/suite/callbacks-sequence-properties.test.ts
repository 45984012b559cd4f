/** Properties of the judgement of sequences: over stories that fast-check makes up, and over every order of the events of a few signers. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { type RequirementId, requirement } from '../../openapi/requirements/catalogue.ts';
import type { SeenDelivery } from '../../record/facts.ts';
import { compliantStory } from './callbacks-compliant.ts';
import {
  deliveryOf,
  failures,
  permutations,
  planOf,
  type RoleName,
  type Story,
  story,
  told,
  withVerdict,
} from './callbacks-story.ts';

const runs = { numRuns: 300, seed: 20_250_101 };

/** Plain comparison: `expect` captures a stack each time, which thousands of cases would wait for. */
function same(actual: unknown, expected: unknown): void {
  const [got, wanted] = [actual, expected].map((value) => JSON.stringify(value));
  if (got !== wanted) throw new Error(`expected ${wanted} · received ${got}`);
}

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

const last = 'process-completed-last';
const first = 'request-received-first';
const ones = 'received-before-signatures';
const twos = 'signatures-before-completed';
const after = 'signatory-completed-after-action';

/** What the document says about an order in which nothing overlaps, in the fewest words. */
function modelled(order: readonly string[], signers: readonly string[]): readonly string[] {
  const at = (word: string): number => order.indexOf(word);
  const failed = [];
  const tooEarly = signers.some((name) => at('3') < at(`+${name}`));
  if (tooEarly) failed.push(last);
  else if (signers.some((name) => at('3') < at(`2${name}`))) failed.push(twos);
  if (at('1') > at('3')) failed.push(first);
  else if (signers.some((name) => at(`2${name}`) < at('1'))) failed.push(ones);
  if (signers.some((name) => at(`2${name}`) < at(`+${name}`))) failed.push(after);
  return failed.toSorted();
}

/** By the number of signers: how many orders there are, and how many of them nothing is said against. */
const counts = [
  [['a'], 24, 2],
  [['a', 'b'], 720, 16],
  [['a', 'b', 'c'], 120, 6],
] as const;

for (const [names, count, right] of counts) {
  test(`every order of the events of ${names.length} signers has the verdicts of the model`, () => {
    const roles = names.map((): RoleName => 'signer');
    const events = ['1', ...names.map((name) => `2${name}`), '3'];
    // With three signers all act first: 8! orders would say no more than the 5! and those of two.
    const acted = names.map((name) => `+${name}`);
    const orders =
      names.length < 3
        ? permutations([...acted, ...events])
        : permutations(events).map((order) => [...acted, ...order]);
    expect(orders).toHaveLength(count);
    const judged = orders.map((order) => [
      order.join(' '),
      failures(story(planOf(roles), `sent ${order.join(' ')}`)),
    ]);
    expect(judged).toEqual(orders.map((order) => [order.join(' '), modelled(order, names)]));
    expect(judged.filter(([, failed]) => failed?.length === 0)).toHaveLength(right);
  });
}

test('an approver and a CC change nothing in the order of the others', () => {
  const plan = planOf(['signer', 'approver', 'cc']);
  for (const order of permutations(['1', '2a', '2b', '3'])) {
    const expected = modelled(['+a', ...order], ['a']);
    expect(failures(story(plan, `sent +a +b ${order.join(' ')}`)), order.join(' ')).toEqual(expected);
  }
});
