/** Every trouble that an answer can be in: bounded, named, and nobody is blamed. */
import { expect, test } from '@playwright/test';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { heldBytes } from '../proof/fuzz/memory.ts';
import { selfSigned } from './services/certificate.ts';
import { checksAt, checksThrough } from './services/checks-at.ts';
import { serve, serveRaw } from './services/loopback.ts';
import type { Behaviour, Forwarded } from './services/proxy.ts';
import { isUntitled, type Trouble, troubles } from './services/troubles.ts';

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

/** What lasts, or is large, or is an answer of somebody else: always. All other trouble breaks an answer off. */
const lasting: readonly (keyof typeof troubles)[] = [
  'one byte a second',
  'a login page with 200',
  'a redirect to itself',
  'an answer of 200 MB',
  'chunks without an end',
];

for (const title of lasting) {
  test(`${title}, always: nothing can run, and that is told soon`, async () => {
    const { verdicts, reasons, exchanges, tookMs } = await someChecks(troubles[title], 1_200);
    expect(Object.keys(verdicts)).toEqual(['could-not-run']);
    expect(reasons.every((reason) => reason.length > 20)).toBe(true);
    expect(exchanges.length).toBeLessThan(30);
    expect(tookMs).toBeLessThan(60_000);
  });
}

for (const [title, trouble] of Object.entries<Trouble>(troubles)) {
  if ((lasting as readonly string[]).includes(title)) continue;
  test(`${title}, now and then: the run recovers or could not run`, async () => {
    // Far enough apart for what is asked again to get through.
    const hit = [12, 60];
    const { verdicts, blame } = await someChecks(async (passing) => {
      if (hit.includes(passing.index)) await trouble(passing);
      else passing.reply(await passing.forward());
    }, unhurriedMs);
    expect(blame).toEqual([]);
    expect(verdicts.error ?? []).toEqual([]);
    expect((verdicts.passed ?? []).length).toBeGreaterThan(0);
  });
}

for (const title of ['a login page with 200', 'bytes that are no UTF-8'] as const) {
  test(`${title}, once and in the place of a refusal, is asked about again`, async () => {
    let times = 0;
    const { verdicts, blame } = await someChecks(async (passing) => {
      if (isUntitled(passing.request)) times += 1;
      if (isUntitled(passing.request) && times === 1) await troubles[title](passing);
      else passing.reply(await passing.forward());
    }, unhurriedMs);
    expect(times).toBeGreaterThan(1);
    expect(blame).toEqual([]);
    expect(verdicts.passed).toContain('skeleton.title-required');
  });
}

const steps = { upload: /\/document$/, creation: /type=0/, addition: /\/signatories$/ };
for (const [step, path] of Object.entries(steps)) {
  test(`a login page with 200, in the place of the first ${step}, is got over`, async () => {
    let hit = false;
    const { verdicts, blame } = await someChecks(async (passing) => {
      const answer = await passing.forward();
      const first = !hit && answer.status < 300 && path.test(passing.request.url);
      hit ||= first;
      if (first) await troubles['a login page with 200'](passing);
      else passing.reply(answer);
    }, unhurriedMs);
    expect(hit).toBe(true);
    expect(blame).toEqual([]);
    expect(Object.keys(verdicts)).toEqual(['passed']);
  });
}

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
    const { verdicts } = await checksAt({ ...target, ca: certificate.cert }, some);
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
