/** The budgets of a run: calls in flight and a second, pauses, the breaker, and signature requests, of which `must`s come first. */
import { expect, test } from '@playwright/test';
import { BreakerOpen, Budget } from '../../harness/target/budgets/calls.ts';
import { RequestBudget, type Settle } from '../../harness/target/budgets/requests.ts';
import { leaveAlone, Patience, repeatAfter } from '../../harness/target/budgets/retry.ts';
import type { Call } from '../../harness/target/call.ts';
import { limits } from '../../harness/untrusted/limits.ts';
import type { HttpOutcome } from '../../harness/wire/http.ts';
import { withClock } from './services/clock.ts';

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test('never more calls are under way than allowed, and all come to their turn in order', async () => {
  const budget = new Budget({ inFlight: 3 });
  let active = 0;
  let most = 0;
  const begun: number[] = [];
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      budget.run(async () => {
        begun.push(index);
        active += 1;
        most = Math.max(most, active);
        await after(2);
        active -= 1;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(begun).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

test('calls that others wait for go before those that only wait', async () => {
  const budget = new Budget({ inFlight: 1 });
  const order: string[] = [];
  const call = (name: string, ahead?: boolean) => budget.run(async () => order.push(name), ahead);
  await Promise.all([call('first'), call('check'), call('flow', true), call('flow again', true)]);
  expect(order).toEqual(['first', 'flow', 'flow again', 'check']);
});

test('a call that fails gives its place back', async () => {
  const budget = new Budget({ inFlight: 1 });
  await expect(budget.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(budget.run(async () => 'next')).resolves.toBe('next');
});

test('a call that waits lets another one go on, and is the next in line then', async () => {
  const budget = new Budget({ inFlight: 1 });
  const order: string[] = [];
  await Promise.all([
    budget.run(async () => {
      order.push('first');
      await budget.away(5);
      order.push('first again');
    }),
    budget.run(async () => {
      order.push('second');
      await after(30);
    }),
    budget.run(async () => order.push('third')),
  ]);
  expect(order).toEqual(['first', 'second', 'first again', 'third']);
});

test('a call does not wait any more when nothing is sent any more', async () => {
  const budget = new Budget({ inFlight: 1 });
  const waiting = budget.run(() => budget.away(3_600_000));
  budget.giveUp('interrupted');
  await waiting;
  await budget.idle(3_600_000);
});

for (const [title, options, pauseMs] of [
  ['when a rate is given', { inFlight: 8, perSecond: 50 }, 0],
  ['after the target has asked for a pause', { inFlight: 8 }, 1],
] as const) {
  test(`calls keep their distance ${title}`, async () => {
    const budget = new Budget(options);
    if (pauseMs > 0) budget.pause(pauseMs);
    const started = performance.now();
    await Promise.all(Array.from({ length: 6 }, () => budget.pace()));
    // Five distances of 20 ms, less what timers are early.
    expect(performance.now() - started).toBeGreaterThan(95);
  });
}

test('a pause holds back all who wait, and a longer one that comes meanwhile counts', async () => {
  const budget = new Budget({ inFlight: 8 });
  budget.pause(40);
  const started = performance.now();
  const waiting = [budget.pace(), budget.pace()];
  budget.pause(90);
  await Promise.all(waiting);
  expect(performance.now() - started).toBeGreaterThan(85);
});

test('the breaker stays closed for what may pass, and for a target that has answered before', async () => {
  const budget = new Budget({ inFlight: 8 });
  budget.failed('the connection was reset', false);
  await budget.pace();
  budget.answered();
  for (let i = 0; i < 50; i += 1) budget.failed('the connection was refused', true);
  // Fifty failures, but all in one moment: a restart looks like that.
  await budget.pace();
});

/** Failures in a row after an answer, how far apart they come, how often something is answered between, and what becomes of the breaker. */
const inARow: readonly (readonly [
  title: string,
  failures: readonly [count: number, everyMs: number, forGood: boolean],
  answeredAfter: number | null,
  opens: boolean,
])[] = [
  ['the breaker opens after failures in a row that last', [12, 300, false], null, true],
  ['a few calls in a row that hang are enough', [4, 8_000, true], null, true],
  ['one answer ends a row of failures', [40, 1_000, false], 3, false],
];

for (const [title, [count, everyMs, forGood], answeredAfter, opens] of inARow) {
  test(title, async () => {
    await withClock(async (advance) => {
      const budget = new Budget({ inFlight: 8 });
      budget.answered();
      for (let i = 1; i <= count; i += 1) {
        advance(everyMs);
        budget.failed('the connection was reset', forGood);
        if (answeredAfter !== null && i % answeredAfter === 0) budget.answered();
      }
      if (opens) await expect(budget.pace()).rejects.toThrow(BreakerOpen);
      else await budget.pace();
    });
  });
}

test('the breaker opens at once when nothing ever answered and nothing will, also for who waits for a turn', async () => {
  const budget = new Budget({ inFlight: 8 });
  budget.pause(30);
  const waiting = budget.pace();
  budget.failed('the host name is not known', true);
  await expect(waiting).rejects.toThrow(BreakerOpen);
  await expect(budget.pace()).rejects.toThrow('the host name is not known');
});

const answered = (status: number, retryAfter?: string, text = '', date?: string): HttpOutcome => ({
  response: {
    status,
    reason: '',
    headers: [
      ...(retryAfter === undefined ? [] : [['retry-AFTER', retryAfter] as const]),
      ...(date === undefined ? [] : [['DATE', date] as const]),
    ],
    body: Buffer.from(text),
  },
});
/** The first moments of a day that is long to come. */
const onThatDay = (second: number) => `Fri, 01 Jan 2100 00:00:0${second} GMT`;
const failed = (code: string): HttpOutcome => ({ failure: { code, message: code } });

const repeats: readonly (readonly [
  title: string,
  method: string,
  outcome: HttpOutcome,
  ms: number | null,
])[] = [
  ['a connection that was refused', 'POST', failed('ECONNREFUSED'), 150],
  ['a connection that broke off', 'POST', failed('ECONNRESET'), null],
  ['a call without an answer in time', 'POST', failed('DEADLINE'), null],
  ['a GET that broke off', 'GET', failed('ECONNRESET'), 150],
  ['a DELETE that broke off', 'DELETE', failed('ECONNRESET'), null],
  ['an answer 500', 'POST', answered(500), null],
  ['an answer 503', 'POST', answered(503), 150],
  ['an answer 429', 'POST', answered(429), 150],
  ['an answer 423', 'POST', answered(423), 150],
  ['an answer 425', 'POST', answered(425, '1'), 1_000],
  ['an answer 409', 'POST', answered(409), null],
  ['an answer 409 that names a time', 'POST', answered(409, '1'), 1_000],
  ['an answer 409 that speaks of a lock', 'POST', answered(409, undefined, 'The request is locked'), 150],
  ['an answer 409 about a state', 'POST', answered(409, undefined, 'The request was sent'), null],
  ['an answer 403', 'POST', answered(403), null],
  ['an answer 403 that names a time', 'POST', answered(403, '1'), 1_000],
  ['an answer 403 about the rate', 'POST', answered(403, undefined, 'API rate limit exceeded'), 150],
  ['an answer 404', 'POST', answered(404), null],
  ['an answer 404 that names a time', 'POST', answered(404, '1'), 1_000],
  ['an answer 404 that asks again', 'POST', answered(404, undefined, 'Being scanned, try again'), 150],
  ['an answer 404 to a token', 'POST', answered(404, undefined, 'Check the token and try again'), null],
  ['a Retry-After in seconds', 'POST', answered(503, '2'), 2_000],
  ['a Retry-After of an hour', 'POST', answered(429, '3600'), null],
  ['a Retry-After of nothing', 'POST', answered(429, '0'), 0],
  ['a Retry-After in the past', 'POST', answered(429, 'Wed, 21 Oct 2015 07:28:00 GMT'), 0],
  ['a Retry-After by another clock', 'POST', answered(429, onThatDay(2), '', onThatDay(1)), 1_000],
  ['a Retry-After that says nothing', 'POST', answered(429, 'soon'), 150],
  ['an empty Retry-After', 'POST', answered(429, ''), 150],
  ['a success', 'POST', answered(201, '2'), null],
];

for (const [title, method, outcome, ms] of repeats) {
  test(`${title} is ${ms === null ? 'not sent again' : `sent again after ${ms} ms`}`, () => {
    expect(repeatAfter({ method }, outcome, 0)).toBe(ms);
    expect(repeatAfter({ method }, outcome, 3)).toBeNull();
  });
}

test('a target that asks for an hour is left alone', async () => {
  expect(leaveAlone(answered(429, '3600'))).toContain('asks not to be called for 3600 s');
  const others = [answered(429, '20'), answered(200, '3600'), answered(425, '3600'), answered(409, '3600')];
  for (const outcome of [...others, answered(503), failed('ECONNRESET')])
    expect(leaveAlone(outcome)).toBeNull();
  const budget = new Budget({ inFlight: 1 });
  budget.giveUp('left alone');
  budget.answered();
  await expect(budget.pace()).rejects.toThrow('left alone');
});

test('patience ends with trouble that lasts, and comes back with an answer', async () => {
  await withClock(async (advance) => {
    const patience = new Patience();
    const left = () => [patience.forAnother, patience.forRepeats];
    patience.saw(answered(500));
    advance(2_900);
    expect(left()).toEqual([true, true]);
    patience.saw(failed('ECONNRESET'));
    advance(200);
    expect(left()).toEqual([false, true]);
    advance(12_000);
    expect(left()).toEqual([false, false]);
    patience.saw(answered(404));
    expect(left()).toEqual([true, true]);
  });
});

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

test('who finds all taken waits for calls under way, which may be refused', async () => {
  const budget = new RequestBudget({ budget: 1, forMusts: 0 });
  const first = await budget.take(must);
  const second = budget.take(must);
  first?.(false);
  (await second)?.(true);
  await expect(budget.take(must)).rejects.toThrow('and has');
});

test('what musts need is kept for them, also from what is asked again', async () => {
  const again: Asking = { operation: 'createSkeletonRequest', purpose: 'cross-check' };
  for (const [first, next] of [
    [observation, should],
    [again, again],
  ] as const) {
    const budget = new RequestBudget({ budget: 4, forMusts: 3 });
    await take(budget, first);
    await expect(budget.take(next)).rejects.toThrow('kept for musts');
    for (let count = 0; count < 3; count += 1) await take(budget, must);
    await expect(budget.take(must)).rejects.toThrow('and has');
  }
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

test('a target that asks for one pause after the other is left alone when they are as long as a run may wait', async () => {
  await withClock(async (advance) => {
    const budget = new Budget({ inFlight: 8 });
    const pauseMs = 19_000;
    // Those that are asked for at the same time are one.
    for (let each = 0; each < 1_000; each += 1) budget.pause(pauseMs);
    advance(pauseMs);
    await budget.pace();
    for (let waitedMs = pauseMs; waitedMs <= limits.askedMs.most; waitedMs += pauseMs) {
      budget.pause(pauseMs);
      advance(pauseMs);
    }
    await expect(budget.pace()).rejects.toThrow('the target asked for pauses of 30 minutes in all');
  });
});

test('after the time that a run may take nothing is sent any more', async () => {
  await withClock(async (advance) => {
    const budget = new Budget({ inFlight: 1, withinMs: limits.runMs.most });
    advance(limits.runMs.most);
    await budget.pace();
    advance(1);
    await expect(budget.pace()).rejects.toThrow('the run goes on for 240 minutes, and no longer');
  });
});
