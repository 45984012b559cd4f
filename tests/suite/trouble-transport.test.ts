/** Every trouble that an answer can be in, always and now and then: bounded, named, and nobody is blamed. */
import { expect, test } from '@playwright/test';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { heldBytes } from '../proof/fuzz/memory.ts';
import { selfSigned } from './services/certificate.ts';
import { checksAt } from './services/checks-at.ts';
import { serve, serveRaw } from './services/loopback.ts';
import { startPlainService } from './services/plain-service.ts';
import { type Behaviour, type Forwarded, startProxy } from './services/proxy.ts';
import { type Trouble, troubles } from './services/troubles.ts';

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

async function checksThrough(behave: Behaviour, deadlineMs: number) {
  const service = await startPlainService();
  const proxy = await startProxy(service.baseUrl, behave);
  const before = heldBytes();
  try {
    const { token } = service;
    const checked = await checksAt({ baseUrl: proxy.baseUrl, token, deadlineMs }, some);
    expect(heldBytes() - before).toBeLessThan(mostHeldBytes);
    return checked;
  } finally {
    await proxy.close();
    await service.close();
  }
}

for (const [title, trouble] of Object.entries<Trouble>(troubles)) {
  test(`${title}, always: nothing can run, and that is told soon`, async () => {
    const { verdicts, reasons, calls, tookMs } = await checksThrough(trouble, 1_200);
    expect(Object.keys(verdicts)).toEqual(['could-not-run']);
    expect(reasons.every((reason) => reason.length > 20)).toBe(true);
    expect(calls).toBeLessThan(30);
    expect(tookMs).toBeLessThan(60_000);
  });

  test(`${title}, now and then: the run recovers or could not run`, async () => {
    // Far enough apart for what is asked again to get through; a call that takes long is alone.
    const hit = title === 'one byte a second' ? [12] : [12, 60];
    const { verdicts, blame } = await checksThrough(async (passing) => {
      if (hit.includes(passing.index)) await trouble(passing);
      else passing.reply(await passing.forward());
    }, 3_000);
    expect(blame).toEqual([]);
    expect(verdicts.error ?? []).toEqual([]);
    expect((verdicts.passed ?? []).length).toBeGreaterThan(0);
  });
}

for (const title of ['a login page with 200', 'bytes that are no UTF-8'] as const) {
  test(`${title}, once and in the place of a refusal, is asked about again`, async () => {
    let times = 0;
    const { verdicts, blame } = await checksThrough(async (passing) => {
      const { url, body } = passing.request;
      const untitled = url.includes('type=0') && body.length > 2 && !body.includes('"Title"');
      if (untitled) times += 1;
      if (untitled && times === 1) await troubles[title](passing);
      else passing.reply(await passing.forward());
    }, 3_000);
    expect(times).toBeGreaterThan(1);
    expect(blame).toEqual([]);
    expect(verdicts['could-not-run']).toEqual(['skeleton.title-required']);
  });
}

const steps = { upload: /\/document$/, creation: /type=0/, addition: /\/signatories$/ };
for (const title of ['a login page with 200', 'bytes that are no UTF-8'] as const) {
  for (const [step, path] of Object.entries(steps)) {
    test(`${title}, in the place of the first ${step}, is got over`, async () => {
      let hit = false;
      const { verdicts, blame } = await checksThrough(async (passing) => {
        const answer = await passing.forward();
        const first = !hit && answer.status < 300 && path.test(passing.request.url);
        hit ||= first;
        if (first) await troubles[title](passing);
        else passing.reply(answer);
      }, 3_000);
      expect(hit).toBe(true);
      expect(blame).toEqual([]);
      expect(Object.keys(verdicts)).toEqual(['passed']);
    });
  }
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
    const target = { baseUrl: `https://127.0.0.1:${port}`, token: 'some-token', deadlineMs: 3_000 };
    const { verdicts } = await checksAt({ ...target, ca: certificate.cert }, some);
    expect(Object.keys(verdicts)).toEqual(['could-not-run']);
  }
  await greeting.close();
  await answer.close();
});

test('answers to the wrong request are never taken for right ones, and break nothing', async () => {
  let before: Forwarded | undefined;
  const { verdicts } = await checksThrough(async ({ forward, reply }) => {
    const answer = await forward();
    reply(before ?? answer);
    before = answer;
  }, 3_000);
  expect(verdicts.error ?? []).toEqual([]);
  expect((verdicts.failed ?? []).length + (verdicts['could-not-run'] ?? []).length).toBeGreaterThan(0);
});
