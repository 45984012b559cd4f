/** The callback listener: its addresses, what it records, and a port that is taken. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { startListener } from '../../harness/callbacks/listener.ts';
import { type Waited, withLate } from '../../harness/flows/flow-deliveries.ts';
import type { FlowParts } from '../../harness/flows/flow-parts.ts';
import { monotonicMs } from '../../record/clock.ts';
import { bytesOf } from '../../record/delivery.ts';
import { ConfigurationError } from '../../record/errors.ts';
import { send, withAddress, withListener } from './callbacks-sender.ts';
import { planOf } from './callbacks-story.ts';

const soon = { deadlineMs: 5_000 };

test('an address cannot be guessed and is not given twice', async () => {
  await withListener({}, async (listener) => {
    const urls = Array.from({ length: 50 }, () => listener.open('check').url);
    expect(new Set(urls).size).toBe(50);
    for (const url of urls) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\/[\w-]{22}$/);
  });
});

test('a delivery is recorded as it came', async () => {
  await withListener({}, async (listener) => {
    const address = listener.open('events.all');
    const before = monotonicMs();
    const outcome = await send(`${address.url}?secret=a%20b&secret=c`, '{"event": 1}', {
      method: 'PUT',
      headers: { 'X-Signature': 'AbC', 'Content-Type': 'application/json' },
    });
    expect(outcome).toEqual({ status: 200 });
    const [delivery] = await address.wait((all) => all.length === 1, soon);
    expect(delivery?.check).toBe('events.all');
    expect(delivery?.method).toBe('PUT');
    expect(delivery?.target).toBe(`${new URL(address.url).pathname}?secret=a%20b&secret=c`);
    expect(delivery?.url).toBe(`${address.url}?secret=a%20b&secret=c`);
    expect(delivery?.headers).toContainEqual(['X-Signature', 'AbC']);
    expect(delivery?.answered).toEqual({ kind: 'status', status: 200 });
    expect(delivery && (await bytesOf(delivery.body)).toString()).toBe('{"event": 1}');
    const times = [delivery?.started, delivery?.arrived, delivery?.finished].map(
      (at) => at?.monotonicMs ?? 0,
    );
    const story = [before, ...times, monotonicMs()];
    expect(story).toEqual(story.toSorted((a, b) => a - b));
    expect(Date.now() - Date.parse(delivery?.arrived.at ?? '')).toBeLessThan(60_000);
  });
});

test('a large body goes to disk under its hash, a small one does not', async () => {
  await withAddress({}, async (address, _, folder) => {
    const large = Buffer.alloc(3_000_000, 'pdf ');
    await send(address.url, large);
    await send(address.url, large);
    await send(address.url, Buffer.alloc(60_000, 'x'));
    const [first, second, third] = await address.wait((all) => all.length === 3, soon);
    const sha256 = createHash('sha256').update(large).digest('hex');
    expect(await readdir(folder)).toEqual([sha256]);
    expect(first?.body).toMatchObject({ size: 3_000_000, sha256 });
    expect(second?.body).toEqual(first?.body);
    expect(first && (await bytesOf(first.body)).equals(large)).toBe(true);
    expect(third?.body).toHaveProperty('base64');
  });
});

test('a port that is taken is a configuration error that names setting and fix', async () => {
  await withListener({}, async (listener, folder) => {
    const port = Number(new URL(listener.url).port);
    const error = await startListener({ folder, port }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({
      message: `the callback listener cannot start: port ${port} on 127.0.0.1 is taken by another program; set callbacks.listen.port to a free one, or to 0 for any free one`,
    });
    const elsewhere = startListener({ folder, host: '203.0.113.7' });
    await expect(elsewhere).rejects.toBeInstanceOf(ConfigurationError);
  });
});

test('where a callback of one flow came late, those of the others are waited for longer', async () => {
  const grace = { arrivalMs: 20_000 };
  const parts = { settings: { grace }, requestIds: new Set(['request-1']) } as unknown as FlowParts;
  for (const lateMs of [0, 11_000]) {
    await withListener({}, async (listener) => {
      const [early, missing] = ['early', 'missing'].map((name) => {
        const address = listener.open(name);
        const at = { startMs: 0, endMs: monotonicMs() - lateMs };
        const request = { address, tasks: [], documents: [], definition: {} };
        const plan = planOf(['signer'], { subscription: [3] });
        return {
          run: { request },
          plan,
          actions: { completed: [{ signatory: 0, at }] },
          before: [],
          read: [],
        };
      }) as unknown as [Waited, Waited];
      await send(early.run.request.address?.url ?? '', '{"event":3}');
      const waited = withLate([early, missing], parts, []);
      // Where all came at once, what has not come is lost.
      if (lateMs > 0) await send(missing.run.request.address?.url ?? '', '{"event":3}');
      expect((await waited).map(({ read }) => read.length)).toEqual([1, lateMs > 0 ? 1 : 0]);
    });
  }
});
