/** How deliveries find their check through tunnels and changed URLs; each way to correlate them has its sandbox. */
import { readdir } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { identify } from '../../harness/callbacks/decode.ts';
import { selfCall } from '../../harness/callbacks/self-call.ts';
import { send, withAddress, withListener } from './callbacks-sender.ts';
import { serve } from './services/loopback.ts';

const soon = { deadlineMs: 5_000 };
const byId = (message: Parameters<typeof identify>[0], ids: readonly string[]) => identify(message, {}, ids);

test('a path in small letters is still that of its check', async () => {
  await withListener({}, async (listener) => {
    const [address, small] = [listener.open('check'), new URL(listener.open('other').url)];
    small.pathname = new URL(address.url).pathname.toLowerCase();
    expect(await send(small.href, '{}')).toEqual({ status: 200 });
    expect(address.deliveries().map(({ target }) => target)).toEqual([small.pathname]);
  });
});

test('a public URL stands in the addresses, with its path, and its self-call is only a warning', async () => {
  const asked: string[] = [];
  const server = await serve(({ url }, response) => {
    asked.push(url);
    response.writeHead(302, { Location: '/inner' }).end();
  });
  const elsewhere = `${server.baseUrl}/hooks/`;
  await withListener({ publicUrl: elsewhere }, async (listener) => {
    expect(listener.open('check').url.startsWith(`${elsewhere}callback/`)).toBe(true);
    expect(await selfCall(listener)).toEqual({
      reached: false,
      message: expect.stringContaining('something else answered with 302'),
    });
  });
  expect(asked).toEqual([expect.stringMatching('^/hooks/callback/')]);
  await server.close();
  await withListener({}, async (listener) => {
    expect(await selfCall(listener)).toEqual({ reached: true });
    expect(listener.deliveries()).toEqual([]);
  });
  await withListener({ correlate: 'request-id', identify: byId }, async (listener) =>
    expect(await selfCall(listener)).toEqual({ reached: true }),
  );
  await withListener({ publicUrl: 'http://127.0.0.1:9' }, async (listener) =>
    expect(await selfCall(listener, 500)).toMatchObject({ reached: false }),
  );
});

test('a delivery to a URL that the target changed reaches the check whose request it names', async () => {
  await withAddress({ identify: byId }, async (address, listener, folder) => {
    const cut = `${listener.url}/callback/?tenant=7`;
    expect(await send(cut, JSON.stringify({ event: 1, requestId: 'request-0001-kqz7w' }))).toEqual({
      status: 404,
    });
    expect(
      await send(cut, JSON.stringify({ event: 1, requestId: 'of-others-1', pad: 'x'.repeat(100_000) })),
    ).toEqual({
      status: 404,
    });
    expect(listener.counts()).toMatchObject({ stored: 0, foreign: 2 });
    address.claim('request-0001-kqz7w');
    const large = JSON.stringify({ event: 3, requestId: 'request-0001-kqz7w', pad: 'x'.repeat(100_000) });
    expect(await send(cut, large)).toEqual({ status: 200 });
    const deliveries = await address.wait((all) => all.length === 2, soon);
    expect(deliveries.map(({ target, answered }) => [target, answered])).toEqual([
      ['/callback/?tenant=7', { kind: 'status', status: 404 }],
      ['/callback/?tenant=7', { kind: 'status', status: 200 }],
    ]);
    expect(listener.counts()).toMatchObject({ stored: 2, foreign: 1 });
    await listener.close();
    await expect.poll(() => readdir(folder)).toHaveLength(1);
  });
});

test('a large delivery of a stranger, who knows no address and names no request, is not taken apart', async () => {
  const taken: string[][] = [];
  const identify: typeof byId = (message, ids) => {
    taken.push([...ids]);
    return byId(message, ids);
  };
  await withAddress({ identify }, async (address, listener) => {
    address.claim('request-0001-kqz7w');
    const large = (requestId: string) => JSON.stringify({ event: 1, requestId, pad: 'x'.repeat(5_000) });
    const url = `${listener.url}/x`;
    expect(await send(url, large('request-0002-kqz7w'))).toEqual({ status: 404 });
    expect(await send(url, large('request-0003-kqz7w'))).toEqual({ status: 404 });
    expect(taken).toEqual([]);
    // For each id that is claimed later, only that one is looked for.
    address.claim('request-0002-kqz7w');
    expect(await address.wait((all) => all.length === 1, soon)).toHaveLength(1);
    expect(taken).toEqual([['request-0002-kqz7w']]);
  });
});

test('what nobody claims in time is forgotten, and its place is free again', async () => {
  const limits = { heldMs: 1, held: 1 };
  await withListener({ correlate: 'request-id', identify: byId, limits }, async (listener) => {
    const { url } = listener.open('check');
    for (const foreign of [1, 2]) {
      const body = JSON.stringify({ event: 1, requestId: 'of-others' });
      expect(await send(url, body)).toEqual({ status: 200 });
      await expect.poll(() => listener.counts()).toMatchObject({ stored: 0, held: 0, foreign });
    }
  });
});

test('a request id that anybody could count up to makes nobody the sender', async () => {
  await withAddress({ identify: byId }, async (address, listener) => {
    for (const id of ['20001', 'REQ-2026-000017', '1234567890123456789']) {
      address.claim(id);
      expect(await send(`${listener.url}/x`, JSON.stringify({ event: 9, requestId: id }))).toEqual({
        status: 404,
      });
    }
    expect(address.deliveries()).toEqual([]);
    expect(listener.counts()).toMatchObject({ stored: 0, foreign: 3 });
    expect(listener.counts().strange).toMatchObject([{ kind: 'unknown-address', count: 3 }]);
  });
});
