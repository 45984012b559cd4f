/** Every order of the events of a request with one to three signatories: each illegal one is named. */
import { expect, test } from '@playwright/test';
import { failures, permutations, planOf, type RoleName, story } from './callbacks-story.ts';

const last = 'process-completed-last';
const first = 'request-received-first';
const ones = 'received-before-signatures';
const twos = 'signatures-before-completed';
const after = 'signatory-completed-after-action';

test('every order of three events of one signer has the verdicts that the document gives it', () => {
  const rows: Record<string, readonly string[]> = {
    '1 2a 3': [],
    '2a 1 3': [ones],
    '1 3 2a': [twos],
    '2a 3 1': [first],
    '3 1 2a': [first, twos],
    '3 2a 1': [first, twos],
  };
  expect(Object.keys(rows).toSorted()).toEqual(
    permutations(['1', '2a', '3'])
      .map((order) => order.join(' '))
      .toSorted(),
  );
  for (const [words, expected] of Object.entries(rows)) {
    expect(failures(story(planOf(['signer']), `sent +a ${words}`)), words).toEqual(expected);
  }
});

test('every order of the events and the signature of one signer has the verdicts that the document gives it', () => {
  const rows: Record<string, readonly string[]> = {
    '+a 1 2a 3': [],
    '+a 2a 1 3': [ones],
    '+a 1 3 2a': [twos],
    '+a 2a 3 1': [first],
    '+a 3 1 2a': [first, twos],
    '+a 3 2a 1': [first, twos],
    '1 +a 2a 3': [],
    '1 +a 3 2a': [twos],
    '1 2a +a 3': [after],
    '1 2a 3 +a': [last, after],
    '1 3 +a 2a': [last],
    '1 3 2a +a': [last, after],
    '2a +a 1 3': [ones, after],
    '2a +a 3 1': [first, after],
    '2a 1 +a 3': [ones, after],
    '2a 1 3 +a': [last, ones, after],
    '2a 3 +a 1': [last, first, after],
    '2a 3 1 +a': [last, first, after],
    '3 +a 1 2a': [last, first],
    '3 +a 2a 1': [last, first],
    '3 1 +a 2a': [last, first],
    '3 1 2a +a': [last, first, after],
    '3 2a +a 1': [last, first, after],
    '3 2a 1 +a': [last, first, after],
  };
  expect(Object.keys(rows)).toHaveLength(24);
  for (const [words, expected] of Object.entries(rows)) {
    expect(failures(story(planOf(['signer']), `sent ${words}`)), words).toEqual(expected);
  }
});

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

for (const [count, names] of [
  [2, ['a', 'b']],
  [3, ['a', 'b', 'c']],
] as const) {
  test(`every order of the events of ${count} signers has the verdicts of the model`, () => {
    const roles = names.map((): RoleName => 'signer');
    const events = ['1', ...names.map((name) => `2${name}`), '3'];
    // With three signers all act first: 8! orders would say no more than the 5! and those of two.
    const acted = names.map((name) => `+${name}`);
    const orders =
      count === 2
        ? permutations([...acted, ...events])
        : permutations(events).map((order) => [...acted, ...order]);
    expect(orders).toHaveLength(count === 2 ? 720 : 120);
    const judged = orders.map((order) => [
      order.join(' '),
      failures(story(planOf(roles), `sent ${order.join(' ')}`)),
    ]);
    expect(judged).toEqual(orders.map((order) => [order.join(' '), modelled(order, names)]));
    expect(judged.filter(([, failed]) => failed?.length === 0)).toHaveLength(count === 2 ? 16 : 6);
  });
}

test('an approver and a CC change nothing in the order of the others', () => {
  const plan = planOf(['signer', 'approver', 'cc']);
  for (const order of permutations(['1', '2a', '2b', '3'])) {
    const expected = modelled(['+a', ...order], ['a']);
    expect(failures(story(plan, `sent +a +b ${order.join(' ')}`)), order.join(' ')).toEqual(expected);
  }
});
