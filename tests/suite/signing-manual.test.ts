/** Signing by hand: what people are asked in the terminal and on the page, whom the page answers, and what a run leaves with people. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { WaitingLedger, waitingFor } from '../../harness/flows/resuming/ledger.ts';
import { keptOf, seenOf } from '../../harness/flows/resuming/left.ts';
import { keyFileOf, spanOf, waitingKeys } from '../../harness/flows/resuming/waiting-file.ts';
import type { SigningDriver } from '../../harness/people/driver.ts';
import { createManualDriver } from '../../harness/people/manual.ts';
import { startManualServer } from '../../harness/people/manual-server.ts';
import { countdown, instructionOf } from '../../harness/people/manual-task.ts';
import { createOutbox } from '../../harness/people/outbox.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import { otpType, role } from '../../openapi/codes.ts';
import { monotonicMs } from '../../record/clock.ts';
import { deliveryOf, planOf } from './callbacks-story.ts';
import { mailpit, mailpitSettings, noOutbox, personWith, withService } from './signing-people.ts';
import '../proof/own-state.ts';

const anna = personWith();
const ben = personWith({ name: 'Ben Example', email: 'ben@example.com', order: 2, role: role.approver });

interface Hand {
  readonly driver: SigningDriver;
  readonly lines: readonly string[];
  /** The address of the page, as it is printed. */
  readonly url: () => Promise<string>;
  /** The text of the page; waits until somebody is asked for something. */
  readonly page: () => Promise<string>;
  readonly answer: (number: number, answer: string) => Promise<number>;
}

/** The address that is told among the lines, once it is. */
async function printedIn(lines: readonly string[]): Promise<string> {
  const told = () => /Say what came of it at (\S+)/.exec(lines.join('\n'))?.[1] ?? '';
  await expect.poll(told).not.toBe('');
  return told();
}

async function byHand(
  settings: { readonly requests?: number; readonly timeoutMs?: number },
  work: (hand: Hand) => Promise<void>,
): Promise<void> {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const { requests = 3, timeoutMs = 60_000 } = settings;
  const driver = createManualDriver({ requests, timeoutMs, outbox: noOutbox, print });
  const url = () => printedIn(lines);
  const page = async () => (await fetch(await url())).text();
  const answer = async (number: number, given: string) => {
    const made = {
      method: 'POST',
      body: new URLSearchParams({ answer: given }),
      redirect: 'manual',
    } as const;
    return (await fetch(`${await url()}tasks/${number}`, made)).status;
  };
  try {
    await work({ driver, lines, url, page, answer });
  } finally {
    await driver.close();
  }
}

test('people find their tasks in order, on the terminal once and on the page with the time that is left, and answer them', async () => {
  await byHand({}, async ({ driver, lines, page, answer }) => {
    const acts = [driver.act(anna, 'sign', 'right'), driver.act(ben, 'approve', 'right')];
    const shown = await page();
    expect(shown).toContain('<title>2 to do');
    expect(shown).toMatch(/<time>(?:1:00|0:5\d)<\/time> left/);
    expect(shown).toContain('http-equiv="refresh"');
    expect(shown.indexOf('Anna Example')).toBeLessThan(shown.indexOf('Ben Example'));
    const asked =
      'People are asked to sign (2 to do in 1 request, 1 min each). Say what came of it at http://127';
    expect(lines).toEqual([
      expect.stringContaining(asked),
      '  1. request req-7: Sign as Anna Example <anna@example.com>, a signer.',
      '  2. request req-7: Approve as Ben Example <ben@example.com>, an approver.',
    ]);
    expect(await answer(1, 'done')).toBe(303);
    expect(await acts[0]).toMatchObject({ kind: 'done', exchanges: [] });
    expect(await page()).toContain('<title>1 to do');
    expect(await answer(2, 'could-not')).toBe(303);
    const reason = 'the person who was asked says that they could not try it';
    expect(await acts[1]).toMatchObject({ kind: 'unknown', reason });
    expect(await page()).toContain('nothing to do at the moment');
  });
});

test('what will be asked stands in the list beforehand, and is asked in its turn', async () => {
  await byHand({}, async ({ driver, lines, page, answer }) => {
    await driver.announce?.([ben, anna].map((task) => ({ task, act: 'sign', codes: 'right' })));
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('2 to do in 1 request');
    expect(lines[1]).toContain('1. request req-7: Try to sign as Ben Example');
    const before = monotonicMs();
    const first = driver.act(ben, 'sign', 'right');
    const shown = await page();
    expect(shown.match(/<form /g)).toHaveLength(1);
    expect(shown.indexOf('Ben Example')).toBeLessThan(shown.indexOf('Anna Example'));
    expect(shown).toContain('After the one above.');
    await answer(2, 'done');
    await answer(1, 'refused');
    expect(await first).toMatchObject({ kind: 'refused' });
    const second = driver.act(anna, 'sign', 'right');
    await answer(2, 'done');
    const outcome = await second;
    expect(outcome).toMatchObject({ kind: 'done' });
    // They had the list before they were asked, and may have acted then.
    expect('at' in outcome && outcome.at?.startMs).toBeLessThan(before);
    expect(lines).toHaveLength(3);
  });
});

test('every wait ends: with the time, and with the run', async () => {
  await byHand({ timeoutMs: 1_000 }, async ({ driver, page }) => {
    const reason = 'nobody said in time what came of it';
    const unknown = { kind: 'unknown', reason, exchanges: [], mayBeDone: true };
    expect(await driver.act(anna, 'sign', 'right')).toEqual(unknown);
    expect(await page()).toContain('The time was up.');
  });
  await byHand({}, async ({ driver, page }) => {
    const act = driver.act(anna, 'sign', 'right');
    await page();
    await driver.close();
    expect(await act).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('the run ended') });
    expect(await driver.act(anna, 'sign', 'right')).toMatchObject({ kind: 'unknown' });
  });
});

test('only who knows the address may answer, and only what can be answered', async () => {
  await byHand({}, async ({ driver, url: printed, page, answer }) => {
    const act = driver.act(personWith({ name: '<script>alert(1)</script>' }), 'sign', 'right');
    expect(await page()).not.toContain('<script>');
    const url = new URL(await printed());
    expect(url.hostname).toBe('127.0.0.1');
    expect(url.pathname).toMatch(/^\/[0-9a-f]{32}\/$/);
    expect((await fetch(url.origin)).status).toBe(404);
    expect((await fetch(`${url.origin}/tasks/1`, { method: 'POST', body: 'answer=done' })).status).toBe(404);
    expect(await answer(1, 'perhaps')).toBe(400);
    expect(await answer(7, 'done')).toBe(303);
    expect(await answer(1, 'done')).toBe(303);
    expect(await answer(1, 'refused')).toBe(303);
    expect(await act).toMatchObject({ kind: 'done' });
  });
});

test('the page links to the signing page that stands in the e-mail', async () => {
  const mails = [{ to: anna.email, subject: 'Sign', text: 'https://example.org/sign/1?a=1&b=2' }];
  await withService(
    (seen) => mailpit(mails, seen),
    async ({ call }) => {
      const outbox = createOutbox({ email: mailpitSettings }, call);
      const lines: string[] = [];
      const print = (line: string) => lines.push(line);
      const driver = createManualDriver({ requests: 1, timeoutMs: 60_000, outbox, print });
      const act = driver.act(anna, 'sign', 'right');
      const url = await printedIn(lines);
      const page = async () => (await fetch(url)).text();
      await expect.poll(page).toContain('href="https://example.org/sign/1?a=1&amp;b=2"');
      await driver.close();
      expect(await act).toMatchObject({ kind: 'unknown' });
    },
  );
});

test('instructions say how, and that a refusal may be right', () => {
  const ofCc = personWith({ role: role.cc });
  const coded = (type: 1 | 2 | 3 | 4) => personWith({ otpType: type, accessCode: 'Ab1' });
  const of = (type: 1 | 2 | 3 | 4, codes: 'right' | 'wrong' | 'none') =>
    ({ task: coded(type), act: 'sign', codes }) as const;
  const rows = [
    [of(otpType.email, 'right'), 'with the code from the e-mail.'],
    [of(otpType.sms, 'right'), 'with the code that is sent to +12025550123.'],
    [of(otpType.accessCode, 'right'), 'with the access code Ab1.'],
    [of(otpType.email, 'none'), 'without entering a code. The service may refuse it'],
    [of(otpType.accessCode, 'wrong'), 'with a wrong code, as Ab2. The service may refuse it'],
    [{ task: ben, act: 'sign', codes: 'right' }, 'Try to sign as Ben Example'],
    [{ task: anna, act: 'sign', codes: 'none' }, 'Try to sign as Anna Example'],
    [{ task: ofCc, act: 'sign', codes: 'right' }, 'in copy only. The service may refuse it'],
  ] as const;
  for (const [asked, part] of rows) expect(instructionOf(asked)).toContain(part);
  expect([0, 59_001, 600_000, -5].map(countdown)).toEqual(['0:00', '1:00', '10:00', '0:00']);
});

const rows: readonly (readonly [title: string, headers: Record<string, string>, status: number])[] = [
  ['the page itself', { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, 303],
  ['a program without such headers', {}, 303],
  ['a name that leads here', { Host: 'rebound.example' }, 403],
  ['another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' }, 403],
  ['another port of this machine', { 'Sec-Fetch-Site': 'same-site' }, 403],
  ['another origin', { Origin: 'https://evil.example' }, 403],
];

test('an answer is taken from the page itself, and from no other site or name', async () => {
  const answered: number[] = [];
  const page = () => Promise.resolve('the page');
  const server = await startManualServer({ page, answer: (number) => void answered.push(number) });
  for (const [title, headers, status] of rows) {
    const request = http.request(`${server.url}tasks/1`, { method: 'POST', headers }).end('answer=done');
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.resume();
    expect(response.statusCode, title).toBe(status);
  }
  await server.close();
  expect(answered).toEqual(rows.filter(([, , status]) => status === 303).map(() => 1));
});

const profile: Profile = {
  address: { baseUrl: 'https://sandbox.example.com' },
  auth: { kind: 'static', token: 'some-token' },
  signing: { driver: 'manual' },
};

const flow = {
  name: 'a flow',
  requestId: 'req-1',
  signatoryIds: ['sig-1', null],
  documents: 1,
  created: spanOf({ startMs: 0, endMs: 1 }),
  answers: [],
  seen: [],
};

const result = { name: 'a flow', judgements: [], observations: [], timeline: [] };

function leave(out: string): WaitingLedger {
  const ledger = WaitingLedger.begin({ out, runId: 'r1', seed: 3, profile });
  ledger.add(flow);
  return ledger;
}

test('the key makes addresses that cannot be guessed, and lies away from the run where others cannot read it', async ({}, info) => {
  const out = info.outputPath('out');
  const { keys } = leave(out);
  expect(keys.addressOf('one')).toMatch(/^[\w-]{22}$/);
  expect(keys.addressOf('one')).not.toBe(keys.addressOf('two'));
  expect(waitingKeys().accessCode).not.toBe(keys.accessCode);
  expect(readdirSync(out)).toEqual(['waiting.json']);
  const state = readFileSync(join(out, 'waiting.json'), 'utf8');
  for (const secret of [keys.key, keys.accessCode, keys.addressOf('a flow')])
    expect(state).not.toContain(secret);
  // Windows knows no such modes.
  if (process.platform !== 'win32') expect(statSync(keyFileOf('r1')).mode & 0o777).toBe(0o600);
});

test('what does not fit is refused with the reason', async ({}, info) => {
  const out = info.outputPath('out');
  const refused = (words: string | RegExp, place = out, other: Profile = profile, manual = true) =>
    expect(() => waitingFor(place, other, manual)).toThrow(words);
  refused(/there is no such file or folder/, info.outputPath('nowhere'));
  refused(/there is no run; name the folder/, info.outputDir);
  leave(out);
  expect(() => waitingFor(out, undefined, true)).toThrow(/name the --target of that run too/);
  refused('--resume and --no-manual exclude each other', out, profile, false);
  const elsewhere = { ...profile, address: { baseUrl: 'https://b.example' } };
  refused(
    /its address.baseUrl was https:\/\/sandbox.example.com, and now is https:\/\/b.example/,
    out,
    elsewhere,
  );
  refused(/its people were others: set people/, out, { ...profile, people: { email: 'qa+{n}@example.org' } });
  refused(/the profile needs signing.driver "manual"/, out, { ...profile, signing: { driver: 'http' } });
  const file = join(out, 'waiting.json');
  const state = readFileSync(file, 'utf8');
  writeFileSync(file, state.replace('"runId"', '"id"'));
  refused(/waiting\.json:1: is no file of this version of the suite about requests that wait: .*runId/);
  writeFileSync(file, '{');
  refused(/waiting\.json:1: is no JSON, or cut off/, join(out, 'waiting.json'));
  writeFileSync(file, state);
  writeFileSync(keyFileOf('r1'), 'short');
  refused(/r1\.key is no key/);
  rmSync(keyFileOf('r1'));
  refused(/r1\.key is missing: .* resume on the machine, and as the user, of the run before/);
  const done = leave(out);
  done.finish(result);
  refused(/nothing is left to resume/);
  done.close();
  writeFileSync(join(out, 'run.json'), '{}');
  refused(/nothing is left to resume: no request of this run waits for people/);
});

test('a run that begins anew forgets what an earlier one left in its folder', async ({}, info) => {
  const out = info.outputPath('out');
  leave(out);
  WaitingLedger.begin({ out, runId: 'r2', seed: 3, profile });
  const left = [existsSync(keyFileOf('r1')), existsSync(keyFileOf('r2')), readdirSync(out)];
  expect(left).toEqual([false, true, []]);
});

test('a file of somebody else that names a run of ours takes nothing of it away, and says nothing about it', async ({}, info) => {
  const [out, given] = [info.outputPath('out'), info.outputPath('given')];
  leave(out);
  const state = readFileSync(join(out, 'waiting.json'), 'utf8');
  mkdirSync(given);
  writeFileSync(join(given, 'waiting.json'), state.replace('"req-1"', '"req-2"'));
  expect(() => waitingFor(given, profile, true)).toThrow(/waiting\.json is not as the run r1 wrote it/);
  WaitingLedger.begin({ out: given, runId: 'r2', seed: 3, profile });
  expect(waitingFor(out, profile, true).state.flows).toMatchObject([{ requestId: 'req-1' }]);
  WaitingLedger.begin({ out, runId: 'r2', seed: 3, profile });
});

test('callbacks that had arrived come back as they were, without the words of the target', () => {
  const plan = planOf(['signer'], { callbackUrl: 'http://127.0.0.1:9/callback/secret?flow=a' });
  const arrived = (index: number, target: string, word: string, forged?: string) =>
    deliveryOf(index, word, [100, 200], { target, ...(forged ? { forged } : {}) });
  const kept = keptOf(
    [
      // A tunnel may take a part of the path away.
      arrived(4, '/secret?flow=a', '1'),
      arrived(5, '/callback/secret', '2a'),
      arrived(6, '/callback/secret?flow=a', '1', 'not from the target'),
    ],
    plan,
  );
  expect(JSON.stringify(kept)).not.toMatch(/secret|signatory-0|person-0/);
  const [first, second, ...others] = seenOf(kept, plan);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ target: '/callback/secret?flow=a', index: -2 });
  const signatory = { by: 'email', value: 'person-0@example.com' };
  expect(second).toMatchObject({ target: '/elsewhere', events: [{ code: 2, signatory }] });
  expect(Math.abs((first?.arrivedMs ?? 0) - 150)).toBeLessThan(5);
});
