/** Drawings of flows: from when on events are allowed, and where the bars of a timeline stand. */
import { expect, test } from '@playwright/test';
import { allowedOf } from '../../harness/judging/sequence/timeline.ts';
import { event, role } from '../../openapi/codes.ts';
import type { Plan } from '../../record/facts.ts';
import { barsOf } from '../../reports/page/timeline.ts';

const anchor = { at: '2026-01-01T00:00:00.000Z', monotonicMs: 0 };
const span = (startMs: number) => ({ startMs, endMs: startMs + 5 });

const plan: Plan = {
  signatories: [
    { email: 'a@example.com', role: role.signer, order: 1 },
    { email: 'b@example.com', role: role.cc, order: 2 },
  ],
  callbackUrl: 'https://callback.example.com/',
  subscription: [event.all],
  documents: [],
};
const actions = { created: span(0), sent: span(100), completed: [{ signatory: 0, at: span(200) }] };
const told = (given: Plan, done: Parameters<typeof allowedOf>[1]) =>
  allowedOf(given, done, anchor).map(({ title, at }) => [title, at.slice(20, 23)]);

test('events are allowed from the action on that they tell of, and none for a CC', () => {
  expect(told(plan, actions)).toEqual([
    ['event 1, before event 3', '000'],
    ['event 2 of signatory 1 (signer, order 1)', '200'],
    ['event 3, after the last event 2', '200'],
  ]);
});

test('what nobody subscribed to, and the end of what has not ended, is not among them', () => {
  expect(told({ ...plan, subscription: [event.processCompleted] }, actions)).toHaveLength(1);
  expect(told(plan, { ...actions, completed: [] })).toEqual([['event 1, before event 3', '000']]);
  const { callbackUrl, ...silent } = plan;
  expect(callbackUrl).toBeDefined();
  expect(told(silent, actions)).toEqual([]);
});

test('bars keep the order of time, and a long pause leaves room for what comes after it', () => {
  const at = (ms: number) => new Date(Date.parse(anchor.at) + ms).toISOString();
  const bars = barsOf([
    { kind: 'action', title: 'created', at: at(0), until: at(20) },
    { kind: 'allowed', title: 'event 3', at: at(60_000) },
    { kind: 'delivery', title: 'one', at: at(60_000), until: at(60_030) },
    { kind: 'delivery', title: 'another', at: at(60_063), until: at(60_093) },
  ]);
  const [created, allowed, one, another] = bars;
  expect(bars.map(({ sinceMs, tookMs }) => [sinceMs, tookMs])).toEqual([
    [0, 20],
    [60_000, null],
    [60_000, 30],
    [60_063, 30],
  ]);
  expect([created?.from, (allowed?.from ?? 0) + (allowed?.width ?? 0)]).toEqual([0, 1]);
  // On a true scale each of them would have a two-thousandth of the line.
  expect(one?.width).toBeGreaterThan(0.015);
  expect((another?.from ?? 0) - (one?.from ?? 0)).toBeGreaterThan(one?.width ?? 1);
  expect((another?.from ?? 0) + (another?.width ?? 0)).toBeCloseTo(1);
});

test('a flow of one moment has a drawing too', () => {
  const [bar] = barsOf([{ kind: 'action', title: 'created', at: anchor.at }]);
  expect(bar).toMatchObject({ from: 0, width: 0, sinceMs: 0, tookMs: null });
});
