/** The budget of signature requests: never more than allowed, `must`s first, refusals to the end. */
import { expect, test } from '@playwright/test';
import { RequestBudget, type Settle } from '../../harness/target/budgets/requests.ts';
import type { Call } from '../../harness/target/call.ts';

type Asking = Parameters<RequestBudget['take']>[0];

const must: Asking = { operation: 'createSkeletonRequest', purpose: 'judged', check: 'skeleton.connections' };
const should: Asking = { ...must, check: 'skeleton.content-type' };
const observation: Asking = { operation: 'createRequest', purpose: 'observation' };
const refusal: Asking = { ...must, deliberate: true };
const others: readonly Call['operation'][] = ['uploadDocument', 'addSignatory'];

async function take(budget: RequestBudget, call: Asking, created = true): Promise<void> {
  const settle: Settle | null = await budget.take(call);
  settle?.(created);
}

test('no more are created than allowed, and the reason names where that stands', async () => {
  for (const [options, words] of [
    [{ budget: 2 }, '2 signature requests (--budget), and has'],
    [{ limit: 2 }, '2 signature requests (limits.requests), and has'],
    [{ limit: 9, budget: 2 }, '2 signature requests (--budget), and has'],
    [{ limit: 2, budget: 9 }, '2 signature requests (limits.requests), and has'],
  ] as const) {
    const budget = new RequestBudget({ ...options, forMusts: 0 });
    await take(budget, must);
    await take(budget, must);
    await expect(budget.take(must)).rejects.toThrow(words);
    for (const operation of others) await expect(budget.take({ ...must, operation })).resolves.toBeNull();
  }
});

test('what was refused is given back', async () => {
  const budget = new RequestBudget({ budget: 1, forMusts: 0 });
  await take(budget, must, false);
  await take(budget, must);
  await expect(budget.take(must)).rejects.toThrow('and has');
});

test('who finds all taken waits for calls under way, which may be refused', async () => {
  const budget = new RequestBudget({ budget: 1, forMusts: 0 });
  const first = await budget.take(must);
  const second = budget.take(must);
  first?.(false);
  (await second)?.(true);
  await expect(budget.take(must)).rejects.toThrow('and has');
});

test('what musts need is kept for them', async () => {
  const budget = new RequestBudget({ budget: 4, forMusts: 3 });
  await take(budget, observation);
  await expect(budget.take(should)).rejects.toThrow('kept for musts');
  for (let count = 0; count < 3; count += 1) await take(budget, must);
  await expect(budget.take(must)).rejects.toThrow('and has');
});

test('what is asked again is not taken from what musts need', async () => {
  const again: Asking = { operation: 'createSkeletonRequest', purpose: 'confirmation' };
  const budget = new RequestBudget({ budget: 4, forMusts: 3 });
  await take(budget, again);
  await expect(budget.take(again)).rejects.toThrow('kept for musts');
  for (let count = 0; count < 3; count += 1) await take(budget, must);
});

test('the last ones serve calls that are to be refused', async () => {
  const budget = new RequestBudget({ budget: 5, forMusts: 5 });
  for (let count = 0; count < 4; count += 1) await take(budget, must);
  await expect(budget.take(must)).rejects.toThrow('calls that are to be refused');
  for (let count = 0; count < 20; count += 1) await take(budget, refusal, false);
  await take(budget, refusal);
  await expect(budget.take(refusal)).rejects.toThrow('and has');
});

test('what is accepted though it was to be refused counts, also without a limit of somebody', async () => {
  const budget = new RequestBudget({ forMusts: 0 });
  for (let count = 0; count < 100; count += 1) await take(budget, refusal);
  await expect(budget.take(refusal)).rejects.toThrow('100 signature requests');
  await expect(budget.take(must)).rejects.toThrow('100 signature requests');
});
