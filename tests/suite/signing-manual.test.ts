/** Signing by hand: what people are asked in the terminal and on the page, how long they are waited for, and whom the page answers. */

import { once } from 'node:events';
import http from 'node:http';
import { expect, test } from '@playwright/test';
import type { SigningDriver } from '../../harness/people/driver.ts';
import { createManualDriver } from '../../harness/people/manual.ts';
import { startManualServer } from '../../harness/people/manual-server.ts';
import { countdown, instructionOf } from '../../harness/people/manual-task.ts';
import { createOutbox } from '../../harness/people/outbox.ts';
import { otpType, role } from '../../openapi/codes.ts';
import { monotonicMs } from '../../record/clock.ts';
import { mailpit, mailpitSettings, noOutbox, personWith, withService } from './signing-people.ts';

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
    const body = new URLSearchParams({ answer: given });
    return (await fetch(`${await url()}tasks/${number}`, { method: 'POST', body, redirect: 'manual' }))
      .status;
  };
  try {
    await work({ driver, lines, url, page, answer });
  } finally {
    await driver.close();
  }
}

test('people find their tasks in order, with the time that is left, and answer them', async () => {
  await byHand({}, async ({ driver, page, answer }) => {
    const first = driver.act(anna, 'sign', 'right');
    const second = driver.act(ben, 'approve', 'right');
    const shown = await page();
    expect(shown).toContain('<title>2 to do');
    expect(shown).toMatch(/<time>(?:1:00|0:5\d)<\/time> left/);
    expect(shown).toContain('http-equiv="refresh"');
    expect(shown.indexOf('Anna Example')).toBeLessThan(shown.indexOf('Ben Example'));
    expect(await answer(1, 'done')).toBe(303);
    expect(await first).toMatchObject({ kind: 'done', exchanges: [] });
    expect(await page()).toContain('<title>1 to do');
    expect(await answer(2, 'refused')).toBe(303);
    expect(await second).toMatchObject({ kind: 'refused' });
    expect(await page()).toContain('nothing to do at the moment');
  });
});

test('the terminal tells all that came together once, and where to answer', async () => {
  await byHand({}, async ({ driver, lines, answer }) => {
    const acts = [driver.act(anna, 'sign', 'right'), driver.act(ben, 'approve', 'right')];
    await expect.poll(() => lines).toHaveLength(3);
    expect(lines[0]).toContain(
      `People are asked to sign (2 to do in 1 request, 1 min each). Say what came of it at http://127`,
    );
    expect(lines[1]).toBe('  1. request req-7: Sign as Anna Example <anna@example.com>, a signer.');
    expect(lines[2]).toBe('  2. request req-7: Approve as Ben Example <ben@example.com>, an approver.');
    await Promise.all([answer(1, 'done'), answer(2, 'could-not')]);
    const reason = 'the person who was asked says that they could not try it';
    expect(await Promise.all(acts)).toMatchObject([{ kind: 'done' }, { kind: 'unknown', reason }]);
  });
});

test('what will be asked stands in the list beforehand, and is asked in its turn', async () => {
  await byHand({}, async ({ driver, lines, page, answer }) => {
    await driver.announce?.([
      { task: ben, act: 'sign', codes: 'right' },
      { task: anna, act: 'sign', codes: 'right' },
    ]);
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
    expect('at' in outcome && outcome.at.startMs).toBeLessThan(before);
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
  const coded = (type: 1 | 2 | 3 | 4) => personWith({ otpType: type, accessCode: 'Ab1' });
  const rows = [
    [{ task: coded(otpType.email), act: 'sign', codes: 'right' }, 'with the code from the e-mail.'],
    [
      { task: coded(otpType.sms), act: 'sign', codes: 'right' },
      'with the code that is sent to +12025550123.',
    ],
    [{ task: coded(otpType.accessCode), act: 'sign', codes: 'right' }, 'with the access code Ab1.'],
    [{ task: coded(otpType.email), act: 'sign', codes: 'none' }, 'without entering a code. It may be'],
    [
      { task: coded(otpType.accessCode), act: 'sign', codes: 'wrong' },
      'with a wrong code, as Ab2. It may be',
    ],
    [{ task: ben, act: 'sign', codes: 'right' }, 'Try to sign as Ben Example'],
    [{ task: anna, act: 'sign', codes: 'none' }, 'Try to sign as Anna Example'],
    [{ task: personWith({ role: role.cc }), act: 'sign', codes: 'right' }, 'in copy only. It may be'],
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
