/** Callbacks in trouble: thousands of repetitions, 50 MB, hostile heads, others' addresses. Bounded, and nobody is blamed. */
import { expect, test } from '@playwright/test';
import type { Address } from '../../harness/callbacks/address.ts';
import { readDelivery } from '../../harness/callbacks/reading.ts';
import { judge } from '../../harness/judging/sequence/sequence.ts';
import type { SeenDelivery } from '../../record/facts.ts';
import { heldBytes } from '../proof/fuzz/memory.ts';
import { send, withListener } from './callbacks-sender.ts';
import { planOf } from './callbacks-story.ts';

const mebibyte = 1024 * 1024;

/** A request with one signer whose action began and ended before anything was sent. */
function planAt(address: Address) {
  const plan = planOf(['signer'], { callbackUrl: address.url });
  const at = { startMs: 0, endMs: 0 };
  return { plan, actions: { created: at, sent: at, completed: [{ signatory: 0, at }] } };
}

/** What is judged from the deliveries that an address took: requirements by their verdict. */
async function judgedAt(address: Address) {
  const { plan, actions } = planAt(address);
  const known = { requestIds: ['request-1'], signatories: plan.signatories };
  const seen: SeenDelivery[] = [];
  for (const delivery of address.deliveries()) {
    seen.push((await readDelivery(delivery, { settings: {}, known, markers: [] })).seen);
  }
  const { judgements, observations } = judge(plan, actions, seen, {
    shared: address.refused().shared,
    refused: Object.values(address.refused().counts).reduce((sum, count) => sum + count, 0),
  });
  const having = (verdict: string) =>
    judgements.filter((each) => each.verdict === verdict).map(({ requirement }) => requirement);
  return { failed: having('failed'), passed: having('passed'), observations };
}

const event = (code: number, more: object = {}) =>
  JSON.stringify({ event: code, requestId: 'request-1', ...more });
const whole = [event(1), event(2, { signatoryId: 'signatory-0' }), event(3)];

test('a callback that is repeated 5,000 times is taken 200 times, and the rest is counted', async () => {
  await withListener({}, async (listener) => {
    const [address, other] = [listener.open('check'), listener.open('other')];
    const before = heldBytes();
    for (const body of whole.slice(0, 2)) await send(address.url, body);
    const statuses = new Map<string, number>();
    for (let sent = 0; sent < 5_000; sent += 100) {
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, () => send(address.url, whole[2] ?? '')),
      );
      for (const outcome of outcomes) {
        const name = JSON.stringify(outcome);
        statuses.set(name, (statuses.get(name) ?? 0) + 1);
      }
    }
    expect(Object.fromEntries(statuses)).toEqual({ '{"status":200}': 198, '{"status":429}': 4_802 });
    expect(address.refused().counts).toEqual({ 'deliveries-per-check': 4_802 });
    expect(heldBytes() - before).toBeLessThan(40 * mebibyte);
    const { failed } = await judgedAt(address);
    expect(failed).toEqual([]);
    expect(await send(other.url, '{}')).toEqual({ status: 200 });
  });
});

test('a callback of 50 MB is taken to disk, read, and blamed for nothing', async () => {
  await withListener({}, async (listener) => {
    const address = listener.open('check');
    const before = heldBytes();
    for (const body of whole.slice(0, 2)) await send(address.url, body);
    const large = Buffer.from(event(3, { note: 'x'.repeat(50 * mebibyte) }));
    expect(await send(address.url, large)).toEqual({ status: 200 });
    const [, , kept] = address.deliveries();
    expect(kept?.body).toMatchObject({ size: large.length, file: expect.any(String) });
    const { failed, passed } = await judgedAt(address);
    expect(failed).toEqual([]);
    expect(passed).toContain('events.process-completed');
    // The text itself is ours and still there.
    expect(heldBytes() - before).toBeLessThan(150 * mebibyte);
  });
});

const heads: readonly Readonly<Record<string, string>>[] = [
  { 'Content-Type': 'application/json; charset=utf-7' },
  { 'Content-Type': `multipart/form-data; boundary=${'-'.repeat(3_000)}` },
  { 'Content-Type': 'text/html, application/json;;;=;' },
  { 'Content-Encoding': 'gzip' },
  { 'X-Forwarded-Host': '"><script>', Forwarded: 'host="evil.example"' },
  { 'X-Event': '3', 'X-Signature': 'sha256=', 'webhook-timestamp': 'NaN' },
];

test('bad JSON and hostile header fields make a delivery unreadable, and nothing else', async () => {
  await withListener({}, async (listener) => {
    const address = listener.open('check');
    for (const body of whole) await send(address.url, body);
    for (const headers of heads) await send(address.url, '{"event":', { headers });
    for (const body of [
      '',
      '{',
      '[]',
      'null',
      '{"event":{}}',
      '\ufeff{"event":99}',
      '\u0000',
      '{"event":1e999}',
    ]) {
      expect(await send(address.url, body)).toEqual({ status: 200 });
    }
    expect((await judgedAt(address)).failed).toEqual([]);
    expect(listener.problems()).toEqual([]);
  });
});

test('callbacks of another request at the address of a check are no callbacks of its own', async () => {
  await withListener({}, async (listener) => {
    const address = listener.open('check');
    const foreign = (code: number) => JSON.stringify({ event: code, requestId: 'request-of-somebody-else' });
    for (const body of [whole[0], whole[1], whole[2]]) await send(address.url, body ?? '');
    for (const code of [1, 2, 3]) await send(address.url, foreign(code));
    const { failed } = await judgedAt(address);
    expect(failed).toEqual([]);
  });
});
