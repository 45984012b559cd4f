/** Trouble that an answer can be in, over the wire: bounded, named, and nobody is blamed. What becomes of each kind is a row of the judge. */
import { expect, test } from '@playwright/test';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { heldBytes } from '../proof/fuzz/memory.ts';
import { selfSigned } from './services/certificate.ts';
import { checksAt, checksThrough } from './services/checks-at.ts';
import { serve, serveRaw } from './services/loopback.ts';
import type { Behaviour, Forwarded, Passing } from './services/proxy.ts';

/** Deals with one call that was not answered yet. */
type Trouble = (passing: Passing) => Promise<void> | void;

const okay = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const piece = Buffer.alloc(65_536, 'x');

/** Writes bytes as they are, and ends the connection. */
const saying =
  (text: string | Buffer): Trouble =>
  ({ raw }) =>
    raw((socket) => socket.end(text));

const troubles = {
  'one byte a second': ({ raw }) =>
    raw((socket) => {
      const text = `${okay}Content-Length: 2\r\n\r\n{}`;
      let at = 0;
      const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), 1_000);
      socket.once('close', () => clearInterval(timer));
    }),
  'a Content-Length that is too long': saying(`${okay}Content-Length: 500\r\n\r\n{"requestId":"r"}`),
  'a Content-Length that is too short': saying(`${okay}Content-Length: 5\r\n\r\n{"requestId":"r"}`),
  'a Content-Length that is none': saying(`${okay}Content-Length: many\r\n\r\n{}`),
  garbage: saying(Buffer.from('00ff1603010200010001fc0303deadbeef0d0a0d0a', 'hex')),
  'a login page with 200': ({ reply }) =>
    reply({
      headers: { 'Content-Type': 'text/html' },
      body: Buffer.from('<!doctype html><html><title>Sign in</title><form action="/login"></form></html>'),
    }),
  'a redirect to itself': ({ request, reply }) => reply({ status: 307, headers: { Location: request.url } }),
  'an answer of 200 MB': ({ raw }) =>
    raw((socket) => {
      socket.write(`${okay}Content-Length: ${200 * 1024 * 1024}\r\n\r\n`);
      // One piece a turn: a reader that keeps up would never let a loop end.
      const more = () => {
        if (!socket.destroyed) socket.write(piece, () => setImmediate(more));
      };
      more();
    }),
  'bytes that are no UTF-8': saying(
    Buffer.concat([
      Buffer.from(`${okay}Connection: close\r\n\r\n{"requestId":"`),
      Buffer.from([0xc3, 0x28, 0xff]),
    ]),
  ),
  'chunks that are none': saying(`${okay}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`),
  'chunks without an end': saying(`${okay}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`),
} as const satisfies Record<string, Trouble>;

/** A type 0 creation in which Title is missing. */
function isUntitled({ url, body, headers }: Passing['request']): boolean {
  if (!url.includes('type=0') || headers['content-type'] !== 'application/json') return false;
  const text = body.toString('utf8');
  return text.startsWith('{"Message"') && text.endsWith('}') && !text.includes('"Title"');
}

/** A check of each step: an upload, a creation, a signatory, and refusals of each. */
const some: readonly RequirementId[] = [
  'upload.pdf',
  'upload.token-missing',
  'skeleton.created',
  'skeleton.title-required',
  'skeleton.unknown-document',
  'signatory.added',
  'signatory.email-required',
  'otp.mobile-required',
];

/** Of what an answer of 200 MB brings, and of everything else, no more than this is kept. */
const mostHeldBytes = 100 * 1024 * 1024;

/** A busy machine is no trouble: only where an answer never comes the deadline is short. */
const unhurriedMs = 60_000;

/** Some checks, in bounded memory. */
async function someChecks(behave: Behaviour, deadlineMs: number) {
  const before = heldBytes();
  const checked = await checksThrough(behave, deadlineMs, some);
  expect(heldBytes() - before).toBeLessThan(mostHeldBytes);
  return checked;
}

/** These never end, and are left out where each call has its time. */
const lasting: readonly string[] = ['one byte a second', 'an answer of 200 MB', 'chunks without an end'];

for (const title of ['one byte a second', 'an answer of 200 MB'] as const) {
  test(`${title}, always: nothing can run, and that is told soon`, async () => {
    const { verdicts, reasons, exchanges } = await someChecks(troubles[title], 1_200);
    expect(Object.keys(verdicts)).toEqual(['could-not-run']);
    expect(reasons.every((reason) => reason.length > 20)).toBe(true);
    expect(exchanges.length).toBeLessThan(30);
  });
}

test('each trouble that passes, one after the other: the run recovers or could not run', async () => {
  const passing = Object.entries<Trouble>(troubles).filter(([title]) => !lasting.includes(title));
  let met = 0;
  const { verdicts, blame } = await checksThrough(async (call) => {
    // Far enough apart for what is asked again to get through.
    const [, trouble] = (call.index % 25 === 12 && passing[(call.index - 12) / 25]) || [];
    if (!trouble) return call.reply(await call.forward());
    met += 1;
    await trouble(call);
  }, unhurriedMs);
  expect(met).toBe(passing.length);
  expect(blame).toEqual([]);
  expect(verdicts.error ?? []).toEqual([]);
  expect((verdicts.passed ?? []).length).toBeGreaterThan(80);
});

test('a login page with 200, once in the place of an upload, an addition and a refusal, is got over', async () => {
  const places = { upload: 0, addition: 0, refusal: 0 };
  const { verdicts, blame } = await someChecks(async (call) => {
    const answer = await call.forward();
    const { url } = call.request;
    const accepted = answer.status < 300;
    const place = isUntitled(call.request)
      ? 'refusal'
      : accepted && url.endsWith('/document')
        ? 'upload'
        : accepted && url.endsWith('/signatories')
          ? 'addition'
          : undefined;
    if (place) places[place] += 1;
    if (place && places[place] === 1) await troubles['a login page with 200'](call);
    else call.reply(answer);
  }, unhurriedMs);
  for (const [place, times] of Object.entries(places)) expect(times, place).toBeGreaterThan(1);
  expect(blame).toEqual([]);
  expect(Object.keys(verdicts)).toEqual(['passed']);
});

test('TLS that ends in the middle, of the greeting or of an answer: nothing can run', async () => {
  const greeting = await serveRaw((socket) =>
    socket.once('data', () => socket.end(Buffer.from('160303', 'hex'))),
  );
  const certificate = await selfSigned();
  const answer = await serve((_, response) => {
    response.writeHead(200, { 'Content-Length': 500 }).write('{"documentToken":');
    setImmediate(() => response.socket?.destroy());
  }, certificate);
  for (const { port } of [greeting, answer]) {
    const target = { baseUrl: `https://127.0.0.1:${port}`, token: 'some-token', deadlineMs: unhurriedMs };
    const { verdicts } = await checksAt({ ...target, ca: certificate.cert }, [
      'upload.pdf',
      'skeleton.title-required',
    ]);
    expect(Object.keys(verdicts)).toEqual(['could-not-run']);
  }
  await greeting.close();
  await answer.close();
});

test('answers to the wrong request are never taken for right ones, and break nothing', async () => {
  let before: Forwarded | undefined;
  const { verdicts } = await someChecks(async ({ forward, reply }) => {
    const answer = await forward();
    reply(before ?? answer);
    before = answer;
  }, unhurriedMs);
  expect(verdicts.error ?? []).toEqual([]);
  expect((verdicts.failed ?? []).length + (verdicts['could-not-run'] ?? []).length).toBeGreaterThan(0);
});
