/** Forged, foreign, malformed, oversized and endless deliveries: named, counted, and harmless to all others. */
import { readdir } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { decode } from '../../harness/callbacks/decode.ts';
import type { Listener } from '../../harness/callbacks/listener.ts';
import { readDelivery } from '../../harness/callbacks/reading.ts';
import { judge } from '../../harness/callbacks/sequence.ts';
import { answerOf, open, send, withListener } from './callbacks-sender.ts';

const soon = { deadlineMs: 5_000 };

/** After an attack the listener still takes the delivery of another check, and has nothing to complain about. */
async function goesOn(listener: Listener): Promise<void> {
  const other = listener.open('another check');
  expect(await send(other.url, '{"event":1}')).toEqual({ status: 200 });
  expect(await other.wait((all) => all.length === 1, soon)).toHaveLength(1);
  expect(other.refused().counts).toEqual({});
  expect(listener.problems()).toEqual([]);
}

test('a body over the limit is refused with 413, whether its length is declared or not', async () => {
  await withListener({ limits: { bodyBytes: 200_000 } }, async (listener, folder) => {
    const address = listener.open('check');
    expect(await send(address.url, Buffer.alloc(200_001))).toEqual({ status: 413 });
    const socket = await open(address.url);
    const answer = answerOf(socket);
    socket.write(
      `POST ${new URL(address.url).pathname} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    for (let sent = 0; sent < 4; sent++) socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(address.deliveries()).toEqual([]);
    expect(address.refused().counts).toEqual({ 'body-size': 2 });
    expect(address.refused().first[0]?.message).toContain('callbacks.limits.bodyBytes');
    await expect.poll(() => readdir(folder)).toEqual([]);
    await goesOn(listener);
  });
});

test('a body that never ends is given up at the time limit', async () => {
  await withListener({ limits: { arrivalMs: 120 } }, async (listener, folder) => {
    const address = listener.open('check');
    const socket = await open(address.url);
    const answer = answerOf(socket);
    socket.write(
      `POST ${new URL(address.url).pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n`,
    );
    socket.write(Buffer.alloc(100_000));
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(address.refused().counts).toEqual({ 'arrival-time': 1 });
    await expect.poll(() => readdir(folder)).toEqual([]);
    await goesOn(listener);
  });
});

test('many endless bodies at once stay within the limit of all bytes', async () => {
  await withListener({ limits: { bytes: 1_000_000, arrivalMs: 60_000 } }, async (listener) => {
    const address = listener.open('check');
    const endless = Array.from({ length: 8 }, async () => {
      const socket = await open(address.url);
      const answer = answerOf(socket);
      socket.write(
        `POST ${new URL(address.url).pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n`,
      );
      socket.write(Buffer.alloc(150_000));
      return { socket, answer };
    });
    const opened = await Promise.all(endless);
    const first = await Promise.race(opened.map(({ answer }) => answer));
    expect(first).toMatch(/^HTTP\/1\.1 413 /);
    for (const { socket } of opened) socket.destroy();
    await expect.poll(() => listener.counts().refused.incomplete ?? 0).toBeGreaterThan(0);
    expect(address.refused().counts.bytes).toBeGreaterThan(0);
    await goesOn(listener);
  });
});

test('a delivery that breaks off is counted and leaves nothing behind', async () => {
  await withListener({}, async (listener, folder) => {
    const address = listener.open('check');
    const socket = await open(address.url);
    socket.write(
      `POST ${new URL(address.url).pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: 500000\r\n\r\n`,
    );
    socket.write(Buffer.alloc(300_000));
    await expect.poll(() => readdir(folder)).toHaveLength(1);
    socket.resetAndDestroy();
    await expect.poll(() => address.refused().counts).toEqual({ incomplete: 1 });
    await expect.poll(() => readdir(folder)).toEqual([]);
    await goesOn(listener);
  });
});

test('more deliveries than a check may take are refused with 429, and other checks are not touched', async () => {
  await withListener({ limits: { deliveriesPerCheck: 3 } }, async (listener) => {
    const address = listener.open('check');
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => send(address.url, '{}')));
    const statuses = outcomes.map((outcome) => ('status' in outcome ? outcome.status : outcome.error));
    expect(statuses.toSorted()).toEqual([200, 200, 200, ...Array.from({ length: 7 }, () => 429)]);
    expect(address.refused().counts).toEqual({ 'deliveries-per-check': 7 });
    await goesOn(listener);
  });
});

test('more deliveries than the listener may take are refused with 429', async () => {
  await withListener({ limits: { deliveries: 2 } }, async (listener) => {
    const [one, other] = [listener.open('one'), listener.open('other')];
    await send(one.url, '{}');
    await send(other.url, '{}');
    expect(await send(other.url, '{}')).toEqual({ status: 429 });
    expect(listener.counts()).toMatchObject({ stored: 2, refused: { deliveries: 1 } });
  });
});

test('a flood for requests of others on the one fixed URL does not push out a delivery of ours', async () => {
  const named = (message: { body: Uint8Array }, ids: readonly string[]) =>
    ids.find((id) => Buffer.from(message.body).toString().includes(id));
  const options = { correlate: 'request-id', identify: named, limits: { deliveriesPerCheck: 2 } } as const;
  await withListener(options, async (listener) => {
    const address = listener.open('check');
    address.claim('ours-0001');
    for (let sent = 0; sent < 5; sent++) await send(address.url, `{"requestId":"theirs-${sent}"}`);
    const outcomes = [];
    for (let sent = 0; sent < 3; sent++) outcomes.push(await send(address.url, '{"requestId":"ours-0001"}'));
    expect(outcomes).toEqual([{ status: 200 }, { status: 200 }, { status: 429 }]);
    expect(address.deliveries()).toHaveLength(2);
    expect(listener.counts()).toMatchObject({ stored: 2, held: 5 });
    expect(address.refused()).toMatchObject({ counts: { 'deliveries-per-check': 1 }, shared: 0 });
  });
});

test('when too many deliveries wait for their request ids, the next are refused, and nobody is blamed', async () => {
  const options = { correlate: 'request-id', identify: () => undefined, limits: { held: 2 } } as const;
  await withListener(options, async (listener) => {
    const address = listener.open('check');
    const outcomes = [];
    for (let sent = 0; sent < 4; sent++) outcomes.push(await send(address.url, '{}'));
    expect(outcomes).toEqual([{ status: 200 }, { status: 200 }, { status: 429 }, { status: 429 }]);
    const { shared } = address.refused();
    expect(shared).toBe(2);
    const signatories = [{ email: 'a@example.com', role: 1, order: 1 }] as const;
    const plan = { signatories, callbackUrl: address.url, subscription: [3], documents: [] };
    const actions = { completed: [{ signatory: 0, at: { startMs: 0, endMs: 0 } }] };
    const [judgement] = judge(plan, actions, [], { shared }).judgements;
    expect(judgement).toMatchObject({ requirement: 'events.process-completed', verdict: 'unreadable' });
  });
});

test('header fields over the limit and bytes that are no HTTP are refused and counted', async () => {
  await withListener({ limits: { headerBytes: 4_096 } }, async (listener) => {
    const address = listener.open('check');
    expect(await send(address.url, '{}', { headers: { 'X-Large': 'x'.repeat(5_000) } })).toEqual({
      status: 431,
    });
    for (const bytes of [
      '\u0000\u0001\u0002\r\n\r\n',
      'GET\r\n\r\n',
      '\u0016\u0003\u0001 a TLS greeting\r\n\r\n',
    ]) {
      const socket = await open(address.url);
      const answer = answerOf(socket);
      socket.write(bytes);
      expect(await answer).toMatch(/^HTTP\/1\.1 400 /);
    }
    expect(listener.counts().refused).toEqual({ 'header-size': 1, malformed: 3 });
    await goesOn(listener);
  });
});

test('an endless body for an unknown path is cut off, not read', async () => {
  await withListener({}, async (listener) => {
    const socket = await open(listener.url);
    const answer = answerOf(socket);
    socket.write('POST /callback/unknown HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    const writing = setInterval(() => socket.write(`1000\r\n${'x'.repeat(4_096)}\r\n`), 5);
    expect(await answer).toMatch(/^HTTP\/1\.1 404 /);
    clearInterval(writing);
    expect(listener.counts()).toMatchObject({ stored: 0, foreign: 1, bytes: 0 });
    await goesOn(listener);
  });
});

test('deliveries that are no events are said to be unreadable', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const bomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><a>&b;</a>`;
  const rows: [title: string, contentType: string, body: string][] = [
    ['no body', 'application/json', ''],
    ['JSON that is cut off', 'application/json', '{"event": 1, "requestId": "'],
    ['JSON nested without end', 'application/json', deep],
    ['a bare number', 'application/json', '2'],
    ['null', 'application/json', 'null'],
    ['an HTML page', 'text/html', '<!DOCTYPE html><html><body>502 Bad Gateway</body></html>'],
    ['XML with entities that grow', 'application/xml', bomb],
    ['XML nested without end', 'application/xml', `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`],
    ['multipart without a boundary', 'multipart/form-data', '--x\r\n\r\n1\r\n--x--'],
    [
      'multipart that is cut off',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name=event\r\n\r\n1',
    ],
    [
      'a form that pollutes prototypes',
      'application/x-www-form-urlencoded',
      '__proto__[event]=1&constructor.prototype.event=2',
    ],
    ['random bytes', 'application/octet-stream', '\u0000\u00ff\u0010\u0080 nothing'],
    ['an event nobody knows', 'application/json', '{"event": "signatory_was_late"}'],
    ['two events at one place', 'application/json', '{"eventType": 1, "eventCode": 3}'],
  ];
  for (const [title, contentType, body] of rows) {
    const message = {
      method: 'POST',
      target: '/callback/x',
      url: 'http://127.0.0.1/callback/x',
      headers: [['Content-Type', contentType]] as const,
      body: Buffer.from(body),
    };
    const decoded = decode(message, {}, { requestIds: ['r-00000001'], signatories: [] });
    expect(decoded, title).toMatchObject({ readable: false });
    expect(decoded.problems.join(), title).not.toBe('');
  }
  expect(({} as Record<string, unknown>).event).toBeUndefined();
});

test('a forged delivery decides nothing once a genuine one has arrived', async () => {
  await withListener({}, async (listener) => {
    const address = listener.open('check');
    const settings = { authenticity: { kind: 'header', header: 'X-Secret', secret: 'right' } } as const;
    const genuine = { headers: { 'content-type': 'application/json', 'X-Secret': 'right' } };
    const signer = { email: 'a@example.com', role: 1, order: 1 } as const;
    await send(address.url, '{"event":3}', {
      headers: { 'content-type': 'application/json', 'X-Secret': 'wrong' },
    });
    await send(address.url, '{"event":1}', genuine);
    await send(address.url, '{"event":2,"email":"a@example.com"}', genuine);
    await send(address.url, '{"event":3}', genuine);
    const deliveries = await address.wait((all) => all.length === 4, soon);
    const known = { requestIds: [], signatories: [signer] };
    const seen = [];
    for (const delivery of deliveries) {
      seen.push((await readDelivery(delivery, { settings, known, markers: [] })).seen);
    }
    const plan = {
      signatories: [signer],
      callbackUrl: address.url,
      subscription: [1, 2, 3],
      attachments: false,
      documents: [],
    };
    const actions = { completed: [{ signatory: 0, at: { startMs: 0, endMs: 0 } }] };
    const verdicts = judge(plan, actions, seen).judgements.map(({ verdict }) => verdict);
    expect(new Set(verdicts)).toEqual(new Set(['passed']));
    expect(seen[0]?.forged).toContain('callbacks.authenticity');
    // Where every delivery looks forged, the secret may be the wrong one: that is no fault of the target.
    const [forged] = seen;
    const alone = judge(plan, actions, forged ? [forged] : []).judgements;
    expect(new Set(alone.map(({ verdict }) => verdict))).toEqual(new Set(['unreadable']));
    expect(alone[0]?.message).toContain(
      'the header X-Secret is not the one of callbacks.authenticity.secret',
    );
  });
});
