/** Small files and bodies that grow when they are read: each ends as a result, and what comes after it is read. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { openDelivery } from '../../harness/callbacks/reading.ts';
import type { Answer } from '../../harness/target/call.ts';
import { uncoded } from '../../harness/untrusted/content-coding.ts';
import { hurry } from '../../harness/untrusted/deadline.ts';
import { limits } from '../../harness/untrusted/limits.ts';
import { parsePayload } from '../../harness/untrusted/payload/parse.ts';
import { readPdf, whyUnread } from '../../harness/untrusted/pdf/completed.ts';
import { HttpSender } from '../../harness/wire/http.ts';
import { moment } from '../../record/clock.ts';
import type { Delivery } from '../../record/delivery.ts';
import { plainPdf } from '../../reference/plain-pdf.ts';
import { startReferenceTarget } from '../../running/reference-target.ts';
import { gzipBomb, pdfBombs } from '../proof/fuzz/bombs.ts';
import { heldBytes } from '../proof/fuzz/fuzz-run.ts';
import { withSession } from '../proof/session.ts';
import { serve } from './services/loopback.ts';
import { get } from './services/outcome.ts';

const inflated = 4 * 1024 * 1024;

/** Those that `npm run fuzz` reads each time. */
const ofFuzz = [
  'a tree of pages that doubles',
  'a page that is there 100,000 times',
  'a tree of pages that is a circle',
];

test.describe('a PDF', () => {
  for (const [name, make] of Object.entries(pdfBombs)) {
    if (ofFuzz.includes(name)) continue;
    test(`with ${name} is read or given up, and the next one is read`, async () => {
      // Some are harmless with a bound inside of pdfjs, others only end with the thread.
      const reading = await readPdf(make(inflated), 500);
      if (!reading.readable) expect(['too-slow', 'too-large', 'damaged']).toContain(reading.reason);
      else expect(reading.pageCount).toBeGreaterThanOrEqual(0);
      expect(await readPdf(plainPdf([`After ${name}`]))).toMatchObject({ readable: true, pageCount: 1 });
    });
  }

  test('is not opened after others that took long, whether they were read or given up', async () => {
    const read = (text: string) => readPdf(plainPdf([text]));
    hurry.pdfsMs = 0;
    expect(await read('One that is read')).toMatchObject({ readable: true });
    expect(hurry.pdfsMs).toBeGreaterThan(0);
    await readPdf(pdfBombs['forms that draw ten others each'](), 500);
    expect(hurry.pdfsMs).toBeGreaterThan(400);
    hurry.pdfsMs = limits.pdfsMs.most + 1;
    const message = `reading those before it took longer than ${limits.pdfsMs.most} ms`;
    const unread = await read('After many');
    expect(unread).toEqual({ readable: false, reason: 'too-slow', message });
    expect(whyUnread(unread)).toBe(message);
    hurry.pdfsMs = 0;
    expect(await read('After many')).toMatchObject({ readable: true });
  });

  test('is given up at once when the run is told to end, as are payloads that are large', async () => {
    const message = { method: 'POST', target: '/', url: 'http://a.invalid/', headers: [] };
    const large = { ...message, body: Buffer.from(`[${'1,'.repeat(limits.hurriedBytes.most)}1]`) };
    const bombs = [1, 2, 3].map(() => readPdf(pdfBombs['forms that draw ten others each']()));
    hurry.on = true;
    const told = { readable: false, message: expect.stringContaining('told to end') };
    expect(await Promise.all(bombs)).toMatchObject([told, told, told]);
    expect(parsePayload(large)).toMatchObject({
      parsed: false,
      problem: expect.stringContaining('told to end'),
    });
    hurry.on = false;
    expect(parsePayload(large)).toMatchObject({ parsed: true });
  });
});

test.describe('a body in gzip', () => {
  const undone = ({ body, coding }: ReturnType<typeof gzipBomb>) =>
    uncoded([['Content-Encoding', coding]], body, 1024 * 1024);

  test('that is longer than the bound without its coding is refused', async () => {
    expect((await undone(gzipBomb(1024 * 1024, 1))).length).toBe(1024 * 1024);
    await expect(undone(gzipBomb(1024 * 1024 + 1, 1))).rejects.toThrow('larger than 1048576 bytes');
    await expect(undone(gzipBomb(64 * 1024 * 1024, 2))).rejects.toThrow('larger than 1048576 bytes');
  });

  test('with more codings than the bound, one over the other, is refused unread', async () => {
    expect((await undone(gzipBomb(100, limits.contentCodings.most))).length).toBe(100);
    await expect(undone(gzipBomb(100, limits.contentCodings.most + 1))).rejects.toThrow('it has 3 codings');
  });
});

test('the content coding of a large callback is no more undone where others took too long, and that of a small one is', async () => {
  const read = async (length: number) => {
    const sent = gzipSync(`{"event":1${' '.repeat(length)}}`);
    const now = moment();
    const delivery: Delivery = {
      ...{ index: 0, check: '', method: 'POST', target: '/', url: '/', answered: { kind: 'abandoned' } },
      headers: [['Content-Encoding', 'gzip']],
      body: { size: sent.length, sha256: '', base64: sent.toString('base64') },
      ...{ started: now, arrived: now, finished: now },
    };
    return (await openDelivery(delivery, {})).coding;
  };
  hurry.payloadsMs = 0;
  try {
    expect(await read(10)).toBe('undone');
    expect(hurry.payloadsMs).toBe(0);
    expect(await read(inflated)).toBe('undone');
    expect(hurry.payloadsMs).toBeGreaterThan(0);
    hurry.payloadsMs = limits.largeBodiesMs.most + 1;
    expect([await read(10), await read(inflated)]).toEqual(['undone', 'left']);
    Object.assign(hurry, { on: true, payloadsMs: 0 });
    expect([await read(limits.hurriedBytes.most / 2), await read(inflated)]).toEqual(['undone', 'left']);
  } finally {
    Object.assign(hurry, { on: false, payloadsMs: 0 });
  }
});

test('a coding that nobody knows leaves a body as it came, and one that is known and not undone says so', async () => {
  const body = Buffer.from('{}');
  for (const name of ['utf-8', 'constructor', '__proto__', 'tostring'])
    expect(await uncoded([['Content-Encoding', name]], body, 100)).toEqual(body);
  for (const name of ['zstd', 'Compress'])
    await expect(uncoded([['Content-Encoding', name]], body, 100)).rejects.toThrow(name.toLowerCase());
});

const most = limits.errorBytes.most;
const coded = gzipBomb(3 * most, 1);
const long = gzipBomb(8 * most, 1);
const body = (length: number) => expect.objectContaining({ length });

const endless = (response: ServerResponse) => {
  const more = () => {
    while (response.write(Buffer.alloc(64 * 1024, 'x')));
  };
  response.writeHead(401).on('drain', more);
  more();
};
const answering =
  (status: number, given: string | Uint8Array, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(given);
const inCoding = ({ coding }: { readonly coding: string }) => ({ 'content-encoding': coding });
const large = 'x'.repeat(3 * most);
const begun = (status: number, length = most) => ({ response: { status, body: body(length) } });
const bombed = { failure: { code: 'CONTENT_ENCODING' } };
const headless = { failure: expect.anything() };
const whole = { response: { body: Buffer.from('whole') } };

/** What a server answers, and what comes of it where four times as much is read of a success as of a refusal. */
const answers: readonly (readonly [
  what: string,
  answer: (response: ServerResponse) => void,
  outcome: Record<string, unknown>,
])[] = [
  ['a long refusal is read in part', answering(400, large), begun(400)],
  ['a refusal that grows is read in part', answering(401, coded.body, inCoding(coded)), begun(401)],
  ['a refusal without end is one all the same', endless, begun(401)],
  ['a success is read as a whole', answering(200, large), begun(200, 3 * most)],
  ['a success that is a bomb is a failure', answering(200, long.body, inCoding(long)), bombed],
  ['headers without end are one, too', answering(200, '', { 'x-long': 'x'.repeat(1024 * 1024) }), headless],
  ['after all the next is read', answering(200, gzipSync('whole'), { 'content-encoding': 'gzip' }), whole],
];

test('of an answer that is no success the beginning counts, and one that is too large is no answer', async () => {
  let count = 0;
  const server = await serve((_, response) => answers[count++]?.[1](response));
  const sender = new HttpSender({ deadlineMs: 20_000, connectMs: 5_000, maxResponseBytes: 4 * most });
  for (const [what, , outcome] of answers)
    expect(await sender.send(get(`${server.baseUrl}/`)), what).toMatchObject(outcome);
  sender.close();
  await server.close();
});

test('a run does not hold what nobody looks at any more, so that large answers do not add up', async () => {
  await withSession(
    () => startReferenceTarget(),
    { runId: 'held', flows: [] },
    async (session) => {
      const ask = async (count: number) => {
        const body = { json: { Title: `the ${count}.` } };
        const call = {
          operation: 'createSkeletonRequest',
          purpose: 'judged',
          deliberate: true,
          body,
        } as const;
        return new WeakRef<Answer>(await session.call(call));
      };
      const answers = [await ask(1), await ask(2), await ask(3)];
      // What a turn has looked at is held until it ends.
      const held = () => {
        heldBytes();
        return answers.filter((answer) => answer.deref()).length;
      };
      await expect.poll(held).toBe(0);
    },
  );
});
