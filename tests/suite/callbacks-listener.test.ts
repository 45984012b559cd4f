/** The callback listener: its addresses, what it records, how deliveries find their check, and foreign, malformed, oversized and endless ones, which harm nobody else. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, type TestInfo, test } from '@playwright/test';
import { lostBetween } from '../../harness/callbacks/counts.ts';
import { identify } from '../../harness/callbacks/decode.ts';
import { type Listener, startListener } from '../../harness/callbacks/listener.ts';
import { readDelivery } from '../../harness/callbacks/reading.ts';
import { selfCall } from '../../harness/callbacks/self-call.ts';
import { type FlowAtEnd, readEach, withLate } from '../../harness/flows/flow-deliveries.ts';
import type { FlowParts } from '../../harness/flows/flow-parts.ts';
import { judgeSequence } from '../../harness/judging/sequence/sequence.ts';
import { graceDefaults } from '../../harness/profile/callback-settings.ts';
import { Redactor } from '../../harness/recording/redact.ts';
import { limits } from '../../harness/untrusted/limits.ts';
import { listening } from '../../harness/wire/listening.ts';
import { monotonicMs } from '../../record/clock.ts';
import { bytesOf } from '../../record/delivery.ts';
import { ConfigurationError } from '../../record/errors.ts';
import { heldBytes } from '../proof/fuzz/fuzz-run.ts';
import { answerOf, open, send, withAddress, withListener } from './callbacks-sender.ts';
import { planOf } from './callbacks-story.ts';
import { serve } from './services/loopback.ts';

const soonMs = 5_000;

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
    const [delivery] = await address.next(0, soonMs);
    const query = '?secret=a%20b&secret=c';
    expect(delivery).toMatchObject({
      ...{ check: 'events.all', method: 'PUT', answered: { kind: 'status', status: 200 } },
      ...{ target: `${new URL(address.url).pathname}${query}`, url: `${address.url}${query}` },
    });
    expect(delivery?.headers).toContainEqual(['X-Signature', 'AbC']);
    expect(delivery && (await bytesOf(delivery.body)).toString()).toBe('{"event": 1}');
    const times = [delivery?.started, delivery?.arrived, delivery?.finished];
    const story = [before, ...times.map((at) => at?.monotonicMs ?? 0), monotonicMs()];
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
    const [first, second, third] = await address.next(2, soonMs);
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
    const taken = `port ${port} on 127.0.0.1 is taken by another program; set callbacks.listen.port to a free`;
    expect(error).toMatchObject({ message: expect.stringContaining(taken) });
    const elsewhere = startListener({ folder, host: '203.0.113.7' });
    await expect(elsewhere).rejects.toBeInstanceOf(ConfigurationError);
  });
});

test('where a callback of one flow came late, or event 3 to none, those of the others are waited for longer', async () => {
  const grace = { ...graceDefaults, arrivalMs: 20_000 };
  const parts = { grace, settings: {}, requestIds: new Set(['request-1']) } as unknown as FlowParts;
  const rows = [
    // Where all came at once, what has not come is lost.
    { lateMs: 0, code: 3, later: [] },
    { lateMs: 11_000, code: 3, later: ['missing'] },
    { lateMs: 0, code: 1, later: ['early', 'missing'] },
  ];
  for (const { lateMs, code, later } of rows) {
    await withListener({}, async (listener) => {
      const [early, missing] = ['early', 'missing'].map((name) => {
        const address = listener.open(name);
        const at = { startMs: 0, endMs: monotonicMs() - lateMs };
        const run = { request: { address, tasks: [], documents: [], definition: {} } };
        const plan = planOf(['signer'], { subscription: [3] });
        return { run, plan, actions: { completed: [{ signatory: 0, at }] }, before: [], read: [] };
      }) as unknown as [FlowAtEnd, FlowAtEnd];
      const both = { early, missing };
      const tell = (name: keyof typeof both, body: string) =>
        send(both[name].run.request.address?.url ?? '', body);
      await tell('early', `{"event":${code}}`);
      const waited = withLate([early, missing], parts, []);
      for (const name of later) await tell(name as keyof typeof both, '{"event":3}');
      const isLater = (name: string) => Number(later.includes(name));
      expect((await waited).map(({ read }) => read.length)).toEqual([
        1 + isLater('early'),
        isLater('missing'),
      ]);
    });
  }
});

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
    const message = expect.stringContaining('something else answered with 302, a redirect');
    expect(await selfCall(listener)).toEqual({ reached: false, message, redirects: true });
  });
  expect(asked).toEqual([expect.stringMatching('^/hooks/callback/')]);
  await server.close();
  await withListener({}, async (listener) => {
    expect(await selfCall(listener)).toMatchObject({ reached: true });
    expect(listener.deliveries()).toEqual([]);
  });
  await withListener({ correlate: 'request-id', identify: byId }, async (listener) =>
    expect(await selfCall(listener)).toMatchObject({ reached: true }),
  );
  await withListener({ publicUrl: 'http://127.0.0.1:9' }, async (listener) =>
    expect(await selfCall(listener, 500)).toMatchObject({ reached: false }),
  );
});

test('a delivery to a URL that the target changed reaches the check whose request it names', async () => {
  await withAddress({ identify: byId }, async (address, listener, folder) => {
    const cut = `${listener.url}/callback/?tenant=7`;
    const of = (requestId: string, pad = '') => JSON.stringify({ event: 1, requestId, pad });
    for (const body of [of('request-0001-kqz7w'), of('of-others-1', 'x'.repeat(100_000))])
      expect(await send(cut, body)).toEqual({ status: 404 });
    expect(listener.counts()).toMatchObject({ stored: 0, foreign: 2 });
    address.claim('request-0001-kqz7w');
    expect(await send(cut, of('request-0001-kqz7w', 'x'.repeat(100_000)))).toEqual({ status: 200 });
    const deliveries = await address.next(1, soonMs);
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
    expect(await address.next(0, soonMs)).toHaveLength(1);
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
      const body = JSON.stringify({ event: 9, requestId: id });
      expect(await send(`${listener.url}/x`, body)).toEqual({ status: 404 });
    }
    expect(address.deliveries()).toEqual([]);
    expect(listener.counts()).toMatchObject({ stored: 0, foreign: 3 });
    expect(listener.counts().strange).toMatchObject([{ kind: 'unknown-address', count: 3 }]);
  });
});

/** After an attack the listener has nothing left in its folder, takes the delivery of another check, and has nothing to complain about. */
async function goesOn(listener: Listener, folder: string): Promise<void> {
  await expect.poll(() => readdir(folder)).toEqual([]);
  const other = listener.open('another check');
  expect(await send(other.url, '{"event":1}')).toEqual({ status: 200 });
  expect(await other.next(0, soonMs)).toHaveLength(1);
  expect(other.refused().counts).toEqual({});
  expect(listener.problems()).toEqual([]);
}

/** Sends header fields and what follows them as they stand, on a connection of its own; its answer comes when the listener ends it. */
async function raw(url: string, ...parts: readonly (string | Uint8Array)[]) {
  const socket = await open(url);
  const answer = answerOf(socket);
  socket.write(`POST ${new URL(url).pathname} HTTP/1.1\r\nHost: x\r\n`);
  for (const part of parts) socket.write(part);
  return { socket, answer };
}

test('a body over the limit is refused with 413, whether its length is declared or not', async () => {
  await withAddress({ limits: { bodyBytes: 200_000 } }, async (address, listener, folder) => {
    expect(await send(address.url, Buffer.alloc(200_001))).toEqual({ status: 413 });
    const chunks = `10000\r\n${'x'.repeat(65_536)}\r\n`.repeat(4);
    const { answer } = await raw(address.url, 'Transfer-Encoding: chunked\r\n\r\n', chunks);
    expect(await answer).toMatch(/^HTTP\/1\.1 413 .*callbacks\.limits\.bodyBytes/s);
    expect(address.deliveries()).toEqual([]);
    expect(address.refused().counts).toEqual({ 'body-size': 2 });
    await goesOn(listener, folder);
  });
});

test('a delivery that expects more than anybody promises, or another protocol, is taken', async () => {
  await withAddress({}, async (address) => {
    for (const [at, field] of ['Expect: 200-ok', 'Upgrade: h2c\r\nConnection: Upgrade'].entries()) {
      const { socket } = await raw(address.url, `${field}\r\nContent-Length: 11\r\n\r\n{"event":1}`);
      expect(await address.next(at, soonMs), field).toHaveLength(at + 1);
      socket.destroy();
    }
  });
});

test('a body that never ends is given up at the time limit', async () => {
  await withAddress({ limits: { arrivalMs: 120 } }, async (address, listener, folder) => {
    const { answer } = await raw(address.url, 'Content-Length: 200000\r\n\r\n', Buffer.alloc(100_000));
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(address.refused().counts).toEqual({ 'arrival-time': 1 });
    await goesOn(listener, folder);
  });
});

test('a delivery that breaks off is counted and leaves nothing behind', async () => {
  await withAddress({}, async (address, listener, folder) => {
    const { socket } = await raw(address.url, 'Content-Length: 500000\r\n\r\n', Buffer.alloc(300_000));
    await expect.poll(() => readdir(folder)).toHaveLength(1);
    socket.resetAndDestroy();
    await expect.poll(() => address.refused().counts).toEqual({ incomplete: 1 });
    await goesOn(listener, folder);
  });
});

test('more deliveries than a check may take are refused with 429, and other checks are not touched', async () => {
  await withAddress({ limits: { deliveriesPerCheck: 3 } }, async (address, listener, folder) => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => send(address.url, '{}')));
    const statuses = outcomes.map((outcome) => ('status' in outcome ? outcome.status : outcome.error));
    expect(statuses.toSorted()).toEqual([200, 200, 200, 429, 429]);
    expect(address.refused().counts).toEqual({ 'deliveries-per-check': 2 });
    await goesOn(listener, folder);
  });
});

test('a flood for requests of others on the one fixed URL does not push out a delivery of ours', async () => {
  const named = (message: { body: Uint8Array }, ids: readonly string[]) =>
    ids.find((id) => Buffer.from(message.body).toString().includes(id));
  const options = { correlate: 'request-id', identify: named, limits: { deliveriesPerCheck: 2 } } as const;
  await withAddress(options, async (address, listener) => {
    address.claim('ours-0001');
    for (let sent = 0; sent < 5; sent++) await send(address.url, `{"requestId":"theirs-${sent}"}`);
    for (const status of [200, 200, 429])
      expect(await send(address.url, '{"requestId":"ours-0001"}')).toEqual({ status });
    expect(address.deliveries()).toHaveLength(2);
    expect(listener.counts()).toMatchObject({ stored: 2, held: 5 });
    expect(address.refused()).toMatchObject({ counts: { 'deliveries-per-check': 1 }, shared: 0 });
  });
});

test('when too many deliveries wait for their request ids, the next are refused, and nobody is blamed', async () => {
  const options = { correlate: 'request-id', identify: () => undefined, limits: { held: 2 } } as const;
  await withAddress(options, async (address) => {
    for (const status of [200, 200, 429, 429]) expect(await send(address.url, '{}')).toEqual({ status });
    const { shared } = address.refused();
    expect(shared).toBe(2);
    const signatories = [{ email: 'a@example.com', role: 1, order: 1 }] as const;
    const plan = { signatories, callbackUrl: address.url, subscription: [3], documents: [] };
    const actions = { completed: [{ signatory: 0, at: { startMs: 0, endMs: 0 } }] };
    const [judgement] = judgeSequence(plan, actions, [], { shared }).judgements;
    expect(judgement).toMatchObject({ requirement: 'events.process-completed', verdict: 'could-not-run' });
  });
});

test('header fields over the limit and bytes that are no HTTP are refused and counted', async () => {
  await withAddress({ limits: { headerBytes: 4_096 } }, async (address, listener, folder) => {
    const headers = { 'X-Large': 'x'.repeat(5_000) };
    expect(await send(address.url, '{}', { headers })).toEqual({ status: 431 });
    for (const bytes of ['GET\r\n\r\n', '\u0016\u0003\u0001 a TLS greeting\r\n\r\n']) {
      const socket = await open(address.url);
      const answer = answerOf(socket);
      socket.write(bytes);
      expect(await answer).toMatch(/^HTTP\/1\.1 400 /);
    }
    expect(listener.counts().refused).toEqual({ 'header-size': 1, malformed: 2 });
    await goesOn(listener, folder);
  });
});

test('connections beyond the limit are counted with their time, and so is what was lost by them', async () => {
  await withAddress({ limits: { connections: 4 } }, async (address, listener) => {
    const startMs = monotonicMs();
    const idle = await Promise.all(Array.from({ length: 4 }, () => open(listener.url)));
    const dropped = await Promise.all(Array.from({ length: 6 }, () => send(address.url, '{"event":1}')));
    expect(dropped.every((outcome) => 'error' in outcome)).toBe(true);
    await expect.poll(() => lostBetween(listener.counts(), startMs, monotonicMs())).toBe(6);
    expect(lostBetween(listener.counts(), startMs - 9_000, startMs - 5_000)).toBe(0);
    const [strange] = listener.counts().strange ?? [];
    expect(strange).toMatchObject({ kind: 'connections', count: 6, from: ['127.0.0.1'] });
    for (const socket of idle) socket.destroy();
    // The listener learns a moment later that they are gone.
    await expect.poll(() => send(address.url, '{"event":1}')).toEqual({ status: 200 });
    expect(address.deliveries()).toHaveLength(1);
  });
});

/** A listener in a process of its own that may open few files, and does `then` once it has said its address. */
async function withFewFiles(info: TestInfo, then: string) {
  const script = info.outputPath('listener.mjs');
  writeFileSync(
    script,
    `import { closeSync, openSync } from 'node:fs';
const { startListener } = await import(process.argv[2]);
const listener = await startListener({ folder: process.env.FOLDER });
// Nobody ends it where its test was ended.
setTimeout(process.exit, 50_000, 1);
process.stdout.write(listener.url);
${then}`,
  );
  const listener = fileURLToPath(new URL('../../harness/callbacks/listener.ts', import.meta.url));
  const command = 'ulimit -n 256; exec "$0" --import tsx "$@"';
  const child = spawn('sh', ['-c', command, process.execPath, script, listener], {
    env: { ...process.env, FOLDER: info.outputPath('bodies') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said = async () => String((await once(child.stdout, 'data'))[0]);
  return { child, said, url: await said() };
}

test('that connections may be lost is known where the process can open nothing more', async ({}, info) => {
  const { child, said } = await withFewFiles(
    info,
    `try { for (;;) openSync('/dev/null', 'r'); } catch {}
setInterval(() => {
  const { strange = [] } = listener.counts();
  if (strange.length === 0) return;
  process.stdout.write(JSON.stringify([strange[0].kind, listener.problems()]));
  process.exit(0);
}, 50);`,
  );
  expect(JSON.parse(await said())).toEqual(['connections', [expect.stringContaining('EMFILE')]]);
  child.kill();
});

test('whoever opens as many connections as they can leaves the run the files that it needs', async ({}, info) => {
  const { child, said, url } = await withFewFiles(
    info,
    `process.stdin.on('data', () => {
  const open = [];
  try { for (;;) open.push(openSync('/dev/null', 'r')); } catch {}
  for (const each of open) closeSync(each);
  process.stdout.write(String(open.length));
});`,
  );
  const sockets = await Promise.all(Array.from({ length: 400 }, () => open(url).catch(() => null)));
  child.stdin.write('how many');
  expect(Number(await said())).toBeGreaterThan(100);
  for (const socket of sockets) socket?.destroy();
  child.kill();
});

test('that connections may be lost is known where others connect faster than the listener takes them', async () => {
  await withListener({}, async (listener, folder) => {
    const { port } = new URL(listener.url);
    const startMs = monotonicMs();
    // One connection is taken in each turn of the event loop, and the system keeps 511 that wait.
    const busy = setInterval(() => {
      for (const untilMs = monotonicMs() + 20; monotonicMs() < untilMs; );
    }, 1);
    const sockets = Array.from({ length: 700 }, () =>
      net.connect(Number(port), '127.0.0.1').on('error', () => undefined),
    );
    await expect.poll(() => lostBetween(listener.counts(), startMs, monotonicMs())).toBeGreaterThan(0);
    clearInterval(busy);
    for (const socket of sockets) socket.destroy();
    expect(listener.counts().strange).toMatchObject([{ kind: 'connections', from: [] }]);
    await goesOn(listener, folder);
  });
});

test('a server of the suite takes no more connections than its bound, so that others leave it something to open', async () => {
  const server = http.createServer((_, response) => response.end());
  const { port, close } = await listening(server);
  const dropped = once(server, 'drop');
  const sockets = Array.from({ length: 600 }, () =>
    net.connect(port, '127.0.0.1').on('error', () => undefined),
  );
  await dropped;
  expect(await promisify(server.getConnections.bind(server))()).toBe(server.maxConnections);
  for (const socket of sockets) socket.destroy();
  await close();
});

/** What no callback comes of, as raw bytes, and how it is counted. `\u0004` ends the sending side. */
const brokenHeads: readonly (readonly [title: string, bytes: string, kind: string])[] = [
  ['both lengths', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 'malformed'],
  ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello', 'malformed'],
  ['a coding that is none', 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n', 'malformed'],
  ['a space before the colon', 'Content-Length : 5\r\n\r\nhello', 'malformed'],
  ['header fields that break off', 'X-Slow: 1\r\n\u0004', 'incomplete'],
  ['header fields that never end', 'X-Slow: 1\r\n', 'arrival-time'],
];

test('smuggled, cut and slow header fields bring no delivery, and are counted as what may have been one', async () => {
  for (const [title, bytes, kind] of brokenHeads) {
    await withAddress({ limits: { arrivalMs: 300 } }, async (address, listener, folder) => {
      const startMs = monotonicMs();
      const { pathname } = new URL(address.url);
      const { socket, answer } = await raw(address.url, bytes.replace('\u0004', ''));
      // What follows a request whose end nobody can tell is no request of its own.
      if (kind === 'malformed') socket.write(`GET ${pathname} HTTP/1.1\r\nHost: x\r\n\r\n`);
      if (bytes.endsWith('\u0004')) socket.end();
      expect(await answer, title).not.toMatch(/ 200 /);
      expect(address.deliveries(), title).toEqual([]);
      await expect.poll(() => listener.counts().strange, title).toMatchObject([{ kind, count: 1 }]);
      expect(lostBetween(listener.counts(), startMs, monotonicMs()), title).toBe(1);
      await goesOn(listener, folder);
    });
  }
});

test('a connection that is opened and never used is ended in time, and was no callback', async () => {
  await withListener({ limits: { arrivalMs: 300 } }, async (listener, folder) => {
    const ended = answerOf(await open(listener.url));
    expect(await ended).not.toMatch(/ 200 /);
    expect(listener.counts()).toMatchObject({ lost: {}, strange: [], refused: {} });
    await goesOn(listener, folder);
  });
});

test('an endless body for an unknown path is cut off, not read', async () => {
  await withListener({}, async (listener, folder) => {
    const url = `${listener.url}/callback/unknown`;
    const { socket, answer } = await raw(url, 'Transfer-Encoding: chunked\r\n\r\n');
    const writing = setInterval(() => socket.write(`1000\r\n${'x'.repeat(4_096)}\r\n`), 5);
    expect(await answer).toMatch(/^HTTP\/1\.1 404 /);
    clearInterval(writing);
    expect(listener.counts()).toMatchObject({ stored: 0, foreign: 1, bytes: 0 });
    await goesOn(listener, folder);
  });
});

test('a large callback is taken to disk, read, and blamed for nothing', async () => {
  await withAddress({}, async (address) => {
    const plan = planOf(['signer'], { callbackUrl: address.url, subscription: [3] });
    const before = heldBytes();
    const large = Buffer.from(JSON.stringify({ event: 3, note: 'x'.repeat(10 * 1024 * 1024) }));
    expect(await send(address.url, large)).toEqual({ status: 200 });
    const [kept] = address.deliveries();
    expect(kept?.body).toMatchObject({ size: large.length, file: expect.any(String) });
    if (!kept) return;
    const known = { requestIds: ['request-1'], signatories: plan.signatories };
    const { seen } = await readDelivery(kept, { settings: {}, known, markers: [] });
    const actions = { completed: [{ signatory: 0, at: { startMs: 0, endMs: 0 } }] };
    const judged = judgeSequence(plan, actions, [seen]).judgements.map(({ verdict }) => verdict);
    expect(new Set(judged)).toEqual(new Set(['passed']));
    // The text itself is ours and still there.
    expect(heldBytes() - before).toBeLessThan(30 * 1024 * 1024);
  });
});

test('however many came at once, they are read one after the other', async () => {
  await withAddress({}, async (address) => {
    for (let count = 0; count < 3; count += 1)
      await send(address.url, JSON.stringify({ event: 3, documents: ['https://files.example.com/a.pdf'] }));
    let atOnce = 0;
    const seen: number[] = [];
    const fetchLink = async () => {
      atOnce += 1;
      seen.push(atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      return null;
    };
    const settings = { attachments: { as: 'url', list: '/documents' } } as const;
    const parts = { settings, requestIds: new Set(['request-1']), fetchLink };
    const run = { request: { tasks: [], documents: [], callbackUrl: undefined } };
    await readEach(address.deliveries(), run, parts, ({ seen: { index } }) => index);
    expect(seen).toEqual([1, 1, 1]);
  });
});

test('a sender names no zone of a network, which could hold any text', async () => {
  await withAddress({}, async (address) => {
    for (const sender of ['fe80::1', 'fe80::1%AccessToken123456'])
      await send(address.url, '{}', { headers: { 'x-forwarded-for': sender } });
    expect(address.deliveries().map(({ from }) => from)).toEqual(['127.0.0.1 for fe80::1', '127.0.0.1']);
  });
});

test('the name of a file in a callback is told up to its bound, and of a secret there is nothing left', async () => {
  await withAddress({}, async (address) => {
    const { most } = limits.fileNameCharacters;
    const secret = 'access-token-'.repeat(most);
    const redactor = new Redactor();
    redactor.add(secret, 'access token');
    const file = Buffer.from('%PDF-1.4 '.repeat(50)).toString('base64');
    const body = JSON.stringify({ event: 3, requestId: 'request-1', file, fileName: secret });
    await send(address.url, Buffer.from(body));
    const [kept] = address.deliveries();
    const known = { requestIds: ['request-1'], signatories: [] };
    const read = kept && (await readDelivery(kept, { settings: {}, known, markers: [] }));
    const names = read?.seen.events.flatMap(({ attachments }) => attachments.map(({ name }) => name));
    expect(names).toEqual([`${secret.slice(0, most)}…`]);
    expect(redactor.text(names?.[0] ?? '')).toBe('[access token]…');
  });
});
