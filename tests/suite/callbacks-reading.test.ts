/** From a recorded delivery, in whatever form, to judgement and timeline. */
import { existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, type TestInfo, test } from '@playwright/test';
import { zipSync } from 'fflate';
import { PDFDocument } from 'pdf-lib';
import { plainPdf } from '../../generators/documents/pdf.ts';
import { originOf } from '../../harness/callbacks/authenticity.ts';
import { allRead, readDelivery } from '../../harness/callbacks/reading.ts';
import { recordDelivery } from '../../harness/callbacks/record-delivery.ts';
import { judgeSequence } from '../../harness/judging/sequence/sequence.ts';
import { timelineOf } from '../../harness/judging/sequence/timeline.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import { PeopleRedactor } from '../../harness/recording/people-redaction.ts';
import { notKept, Recorder } from '../../harness/recording/recorder.ts';
import { Redactor } from '../../harness/recording/redact.ts';
import { replayListener } from '../../harness/replaying/deck.ts';
import { Disguise } from '../../harness/replaying/disguise.ts';
import { genuineHeader, keptListener, RecordingTape } from '../../harness/replaying/record.ts';
import { readRecording } from '../../harness/replaying/recording.ts';
import type { Exchange } from '../../record/exchange.ts';
import type { Plan } from '../../record/facts.ts';
import { send, withAddress, withListener } from './callbacks-sender.ts';
import { attachmentOf, changed, planOf, story } from './callbacks-story.ts';

test('a timeline has actions and deliveries in their order, with what was attached and what failed', () => {
  const plan = planOf(['signer'], { attachments: true, documents: ['ESC-1'] });
  const cut = attachmentOf([], 'truncated');
  const given = changed(story(plan, 'sent 1 +a 2a 3'), ({ code }) =>
    code === 3 ? { attachments: [cut] } : {},
  );
  const actions = { ...given.actions, created: { startMs: -20, endMs: -10 } };
  const anchor = { at: '2026-01-02T03:04:05.000Z', monotonicMs: 500 };
  const { judgements } = judgeSequence(plan, actions, given.deliveries);
  const timeline = timelineOf(plan, actions, given.deliveries, judgements, anchor);
  expect(timeline.map(({ kind, title, delivery, verdict }) => [kind, title, delivery, verdict])).toEqual([
    ['action', 'request created', undefined, undefined],
    ['action', 'request sent', undefined, undefined],
    ['delivery', 'event 1', '1', undefined],
    ['action', 'signatory 1 (signer, order 1) completes', undefined, undefined],
    ['delivery', 'event 2 of signatory 1 (signer, order 1)', '3', undefined],
    ['delivery', 'event 3, 1 attached', '4', 'failed'],
  ]);
  expect(timeline[0]).toMatchObject({ at: '2026-01-02T03:04:04.480Z', until: '2026-01-02T03:04:04.490Z' });
});

for (const [title, has, shown] of [
  ['a page that became a picture, with words of the service on it, may show its document', 'a picture', [2]],
  ['a page of words alone that are not those of the document shows it not', 'words', [1]],
  ['a page with nothing on it shows no document', 'nothing', [1]],
] as const) {
  test(title, async () => {
    const { bytes, marker } = await plainPdf({ run: 'run-1', seed: 1, name: 'pages' });
    const document = await PDFDocument.load(bytes);
    const page = document.addPage([600, 800]);
    const isPicture = has === 'a picture';
    if (isPicture) page.drawRectangle({ x: 0, y: 0, width: 600, height: 700 });
    if (has !== 'nothing') page.drawText('Envelope 7, signed by A', { x: 20, y: 760 });
    const content = Buffer.from(await document.save()).toString('base64');
    const body = JSON.stringify({ event: 3, attachments: [{ name: 'a.pdf', content }] });
    const [event] = (await seenOf(body, { 'content-type': 'application/json' }, marker)) ?? [];
    expect(event?.attachments[0]).toMatchObject({ shown, hasText: !isPicture });
  });
}

const first = 'signatory 1 (signer, order 1)';
const second = 'signatory 2 (signer, order 1)';
const all = { subscription: [0], explicitCodes: [1, 2, 3] } as const;
/** What arrived, and the lines in which something is wrong. */
const missing: readonly [what: string, more: Partial<Plan>, words: string, wrong: readonly string[]][] = [
  ['event 2 of one signer', {}, 'sent 1 +a 2a +b 3', [`event 2 of ${second}: never came`]],
  ['one event 2 that names nobody', {}, 'sent 1 +a 2 +b 3', [`event 2 of ${first}, ${second}: too few came`]],
  ['event 3', {}, 'sent 1 +a 2a +b 2b', ['event 3: never came']],
  ['one of all', all, 'sent 1 +a 2a +b 2b', ['event 3: never came']],
  ['what came too early is wrong itself', {}, 'sent 1 +a 2a 2b +b 3', [`event 2 of ${second}`]],
];

for (const [what, more, words, wrong] of missing) {
  test(`in a timeline what is missing has a line of its own, and what came is not wrong: ${what}`, () => {
    const plan = planOf(['signer', 'signer'], { requestReceived: 'sending', ...more });
    const { actions, deliveries } = story(plan, words);
    const { judgements } = judgeSequence(plan, actions, deliveries);
    const end = { at: '2026-01-02T03:04:05.000Z', monotonicMs: 500 };
    const timeline = timelineOf(plan, actions, deliveries, judgements, end);
    const bad = timeline.filter(({ verdict }) => verdict === 'failed');
    expect(bad.map(({ title }) => title)).toEqual(wrong);
    for (const { message } of bad) expect(message).toMatch(/^events\.[a-z-]+/);
    const absent = bad.filter(({ kind }) => kind === 'missing');
    expect(absent.map(({ at, delivery }) => [at, delivery])).toEqual(
      wrong.filter((line) => line.includes(': ')).map(() => [end.at, undefined]),
    );
  });
}

test('a delivery whose reading breaks is unreadable, and the others are read all the same', async () => {
  await withAddress({}, async (address) => {
    const link = { event: 3, documents: [{ content: 'https://files.example/1.pdf' }] };
    await send(address.url, JSON.stringify(link));
    await send(address.url, '{"event":1}');
    const deliveries = await address.next(1, 5_000);
    const attachments = { list: '/documents', content: '/content', as: 'url' } as const;
    const fetchLink = () => Promise.reject(new RangeError('Maximum call stack size exceeded'));
    const options = { settings: { attachments }, known, markers: [], fetchLink };
    const read = await Promise.all(deliveries.map((delivery) => readDelivery(delivery, options)));
    expect(read.map(({ seen: { events, problems } }) => [events.map(({ code }) => code), problems])).toEqual([
      [[], ['it cannot be read: Maximum call stack size exceeded']],
      [[1], []],
    ]);
  });
});

test('reading one delivery after the other lets others be heard, who may end the run', async () => {
  await withAddress({}, async (address) => {
    for (let count = 0; count < 3; count += 1) await send(address.url, '{"event":1}');
    const heard: string[] = [];
    for (const delivery of address.deliveries()) {
      setImmediate(() => heard.push('others'));
      await readDelivery(delivery, { settings: {}, known, markers: [] });
      heard.push('read');
    }
    expect(heard).toEqual(['others', 'read', 'others', 'read', 'others', 'read']);
  });
});

test('what nobody waits for any more can be waited for before a run closes', async () => {
  await withAddress({}, async (address) => {
    for (let count = 0; count < 3; count += 1) await send(address.url, '{"event":1}');
    let read = 0;
    const abandoned = async () => {
      for (const delivery of address.deliveries()) {
        await readDelivery(delivery, { settings: {}, known, markers: [] });
        read += 1;
      }
    };
    void abandoned();
    await allRead();
    expect(read).toBe(3);
  });
});

test('a delivery without the proof of its origin is not read, and says which setting may be wrong', async () => {
  await withAddress({}, async (address) => {
    for (const secret of ['wrong', 'right']) {
      const headers = { 'content-type': 'application/json', 'X-Secret': secret };
      await send(address.url, '{"event":3}', { headers });
    }
    const deliveries = await address.next(1, 5_000);
    const settings = { authenticity: { kind: 'header', header: 'X-Secret', secret: 'right' } } as const;
    const read = await Promise.all(
      deliveries.map((delivery) => readDelivery(delivery, { settings, known, markers: [] })),
    );
    expect(read.map(({ seen: { events, forged } }) => [events.map(({ code }) => code), forged])).toEqual([
      [[], expect.stringContaining('X-Secret is not the one of callbacks.authenticity.secret')],
      [[3], undefined],
    ]);
  });
});

const known = { requestIds: ['request-1'], signatories: [] };
const final = { event: 3, requestId: 'request-1' };

async function seenOf(body: string | Uint8Array, headers: Record<string, string>, marker: string) {
  let seen: Awaited<ReturnType<typeof readDelivery>>['seen'] | undefined;
  await withListener({}, async (listener) => {
    const address = listener.open('coded');
    await send(address.url, body, { headers });
    const [delivery] = await address.next(0, 10_000);
    if (delivery) seen = (await readDelivery(delivery, { settings: {}, known, markers: [marker] })).seen;
  });
  return seen?.events;
}

test('a body in gzip and a document in parts are read, one in an archive says that it is unreadable', async () => {
  const { bytes, marker } = await plainPdf({ run: 'run-1', seed: 1, name: 'coded' });
  const base64 = Buffer.from(bytes).toString('base64');
  const json = JSON.stringify({ ...final, documents: [{ content: base64 }] });
  const plain = { 'content-type': 'application/json' };
  const whole = [{ code: 3, attachments: [{ state: 'whole', markers: [marker] }] }];
  const coded = { ...plain, 'content-encoding': 'gzip' };
  expect(await seenOf(gzipSync(json), coded, marker)).toMatchObject(whole);

  const parts = [
    `Content-Type: application/json\r\n\r\n${JSON.stringify(final)}`,
    `Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}`,
  ];
  const mixed = `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`;
  expect(await seenOf(mixed, { 'content-type': 'multipart/mixed; boundary=b' }, marker)).toMatchObject(whole);

  // Stored as it is, a PDF stands in the archive byte for byte.
  for (const level of [6, 0] as const) {
    const archive = Buffer.from(zipSync({ 'signed.pdf': bytes }, { level })).toString('base64');
    expect(await seenOf(JSON.stringify({ ...final, bundle: archive }), plain, marker)).toMatchObject([
      { code: 3, attachments: [{ state: 'unreadable' }] },
    ]);
  }
});

const ours = 'the-key-of-callbacks';
const profile = {
  name: 'acme',
  address: { baseUrl: 'http://127.0.0.1:9' },
  auth: { kind: 'static', token: 'a-token' },
  callbacks: { authenticity: { kind: 'header', header: 'X-Key', secret: ours } },
} as const;
const secret = 'a-secret-of-the-run';
const inGzip = (value: object) => gzipSync(JSON.stringify({ ...final, ...value }));
const notUndoneText = '(not kept: its content coding was not undone)';

const withSecret = Buffer.from(JSON.stringify({ ...final, note: secret }));
const hidden = [3, JSON.stringify({ ...final, note: '[access token]' })];
const notUndone = [undefined, notUndoneText];
// A frame with its text as it is.
const zstd = Buffer.concat([Buffer.from('28b52ffd2013990000', 'hex'), Buffer.from(secret)]);

function recorderIn(info: TestInfo) {
  const redactor = new Redactor();
  const people = new PeopleRedactor({ profile: {}, runId: 'run', seed: 1 });
  return { redactor, recorder: new Recorder(redactor, people, info.outputPath()) };
}

/** A callback with a Content-Encoding, and what run.json has of it: the event, and its body as text. */
const codedCallbacks: readonly (readonly [
  what: string,
  body: Uint8Array,
  kept: readonly unknown[],
  given?: { readonly coding?: string; readonly key?: string },
])[] = [
  ['gzip with a secret', gzipSync(withSecret), hidden],
  ['gzip with a document', inGzip({ documents: ['JVBERi0xLjcKJSVFT0Y='] }), [3, notKept]],
  ['forged gzip', gzipSync(withSecret), notUndone, { key: 'another' }],
  ['zstd', zstd, notUndone, { coding: 'zstd' }],
  ['gzip that is cut off', gzipSync(withSecret, { level: 0 }).subarray(0, -4), notUndone],
  ['gzip that a gateway has undone', withSecret, hidden],
];
for (const [what, sent, kept, { coding = 'gzip', key = ours } = {}] of codedCallbacks)
  test(`a callback in a content coding is recorded without secrets and documents: ${what}`, async ({}, info) => {
    const { redactor, recorder } = recorderIn(info);
    redactor.add(secret, 'access token');
    const headers = { 'content-type': 'application/json', 'content-encoding': coding, 'x-key': key };
    await withListener({}, async (listener) => {
      await send(listener.open('coded').url, sent, { headers });
      const [delivery] = listener.deliveries();
      if (!delivery) throw new Error('nothing arrived');
      const recorded = await recordDelivery(delivery, recorder, profile.callbacks, known.requestIds);
      expect([recorded.event, recorded.body?.text]).toEqual(kept);
      if (kept[1] === notUndoneText) expect(recorded.body).toMatchObject({ size: sent.length });
      expect(existsSync(info.outputPath('bodies'))).toBe(false);
      const disguise = new Disguise({ profile, runId: 'run', seed: 1, secrets: redactor.known.keys() });
      const heard = await keptListener(listener, { profile }, disguise);
      const [{ headers: fields = [], body = { text: '' } } = {}] = heard.listener.deliveries;
      const bytes = 'base64' in body ? Buffer.from(body.base64, 'base64') : body;
      expect(`${bytes}${JSON.stringify(disguise.value([fields, body]))}`).not.toContain(secret);
      expect('text' in body && body.text === notUndoneText).toBe(kept[1] === notUndoneText);
    });
  });

const disguise = new Disguise({ profile, runId: 'run', seed: 1, secrets: [] });
/** What a recording keeps of a listener. */
const kept = (listener: Parameters<typeof keptListener>[0], of: Profile = profile, most?: number) =>
  keptListener(listener, { profile: of }, disguise, most);

test('a recording holds no more callbacks than its bound: flows with more are lost', async () => {
  await withListener({}, async (listener) => {
    const note = 'x'.repeat(1_000);
    for (const check of ['first', 'forged', 'second', 'third']) {
      const key = check === 'forged' ? 'another' : ours;
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-key': key };
      await send(listener.open(check).url, inGzip({ note }), { headers });
    }
    const plain = { 'content-type': 'application/json', 'x-key': ours };
    await send(listener.open('plain').url, JSON.stringify(final), { headers: plain });
    await send(listener.open('long').url, JSON.stringify({ note }), { headers: plain });
    const heard = await kept(listener, profile, 1_500);
    expect(heard.listener.deliveries.map(({ check }) => check)).toEqual(['first', 'forged', 'plain']);
    expect([...heard.lost]).toEqual(['second', 'third', 'long']);
  });
});

test('a forged callback proves no origin in a recording either, though it carries the mark of one that did', async () => {
  await withListener({}, async (listener) => {
    for (const key of [ours, 'another']) {
      const headers = { 'x-key': key, 'x-recorded-origin': 'proved-when-recorded' };
      await send(listener.open(key).url, JSON.stringify(final), { headers });
    }
    const { deliveries } = (await kept(listener)).listener;
    const callbacks = { authenticity: genuineHeader };
    const proved = deliveries.map(({ headers }) => {
      const body = Buffer.alloc(0);
      return originOf({ method: 'POST', target: '/', url: '', headers, body }, callbacks, { at: '' }).genuine;
    });
    expect(proved).toEqual([true, false]);
  });
});

test('a replay knows of the way to the listener what its recording says', async () => {
  await withListener({}, async (listener) => {
    const way = { changes: 'the query parameter note is missing' };
    expect(replayListener((await kept({ ...listener, way })).listener, '').way).toEqual(way);
  });
});

test('a recording has no secret of a callback that nobody knows, where the name of its field says that it is one', async () => {
  await withListener({}, async (listener) => {
    const headers = { authorization: 'Basic b2YtdGhlLXRhcmdldA==', 'x-webhook-secret': 'of-the-target' };
    await send(listener.open('plain').url, JSON.stringify(final), { headers });
    const { deliveries } = (await kept(listener, {} as Profile)).listener;
    expect(deliveries[0]?.headers).toContainEqual(['authorization', 'Basic [credentials]']);
    expect(deliveries[0]?.headers).toContainEqual(['x-webhook-secret', '[credentials]']);
  });
});

/** What a recording with room for 1,000 bytes keeps of calls with answers of so many, and the flows that it lacks answers of. */
async function keptOf(
  made: readonly (Pick<Exchange, 'operation' | 'purpose' | 'template' | 'row'> & {
    readonly size: number;
    readonly flow?: string;
  })[],
  info: TestInfo,
) {
  const { redactor, recorder } = recorderIn(info);
  const folder = info.outputPath('recording');
  const address = { baseUrl: 'http://127.0.0.1:9' };
  const whole: Profile = { address, auth: { kind: 'static', token: 'a-token' } };
  const loaded = { profile: whole, hash: '', secrets: new Map<string, string>() };
  const tape = new RecordingTape(folder, { loaded, recorder, redactor }, 1_000);
  for (const { size, flow, ...about } of made) {
    const body = Buffer.alloc(size, 'x');
    const request = { method: 'GET', url: new URL(address.baseUrl), headers: [], body: null };
    const timing = { startedAt: '2026-01-02T00:00:00.000Z', durationMs: 0, retries: [] };
    recorder.begin({ request, about: { ...about, ...timing } });
    const outcome = { response: { status: 200, reason: 'OK', headers: [], body } };
    const at = { startMs: 0, endMs: 0 };
    tape.keep({ about, request, authorization: '', outcome, timing, at, again: false, flow });
  }
  const facts = { runId: 'run', seed: 1, explore: false, accessCode: '123456', otherCallbackUrls: [] };
  const callbackUrl = { callbackUrl: 'https://listener.example/', callbackUrlVouched: false };
  await tape.write({ ...facts, ...callbackUrl } as never, undefined);
  const { calls, lost } = readRecording(folder);
  return { kept: calls.map(({ response, failure }) => response?.status ?? failure?.code), lost };
}

const creation = (row: string, size: number) =>
  ({ operation: 'createSkeletonRequest', purpose: 'flow', row, flow: row, size }) as const;
const readLater = (template: string, size: number, flow?: string) =>
  ({ operation: null, purpose: 'template', template, size, flow }) as const;

test('a recording holds no more answers than its bound, so that a run does not hold them either', async ({}, info) => {
  const made = [creation('small', 400), creation('large', 700), creation('last', 600), creation('none', 1)];
  expect(await keptOf(made, info)).toEqual({
    kept: [200, 'NOT_SENT', 200, 'NOT_SENT'],
    lost: ['large', 'none'],
  });
});

test('a flow lacks what a call of the profile was answered for its request, and each one what a mailbox held', async ({}, info) => {
  const created = [creation('first', 100), creation('second', 100)];
  const documents = await keptOf([...created, readLater('completedDocuments', 900, 'second')], info);
  expect(documents).toEqual({ kept: [200, 200, 'NOT_SENT'], lost: ['second'] });
  const mailbox = await keptOf([...created, readLater('outbox.email', 900)], info);
  expect(mailbox.lost).toEqual(['first', 'second']);
});
