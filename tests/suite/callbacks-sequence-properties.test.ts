/** Every order of the events of a few signers, judged beside a model in the fewest words. */
import { expect, test } from '@playwright/test';
import { failures, permutations, planOf, type RoleName, story } from './callbacks-story.ts';

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
