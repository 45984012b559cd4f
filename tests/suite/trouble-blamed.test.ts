/** A service that breaks at one call only: exactly the requirement of that call fails. */
import { expect, test } from '@playwright/test';
import { checksThrough } from './services/checks-at.ts';
import type { Passing } from './services/proxy.ts';
import { isUntitled } from './services/troubles.ts';

const deadlineMs = 60_000;

const ways: readonly (readonly [title: string, break_: (passing: Passing) => void, received: RegExp])[] = [
  [
    'says 500',
    ({ reply }) => reply({ status: 500, body: Buffer.from('NullPointerException') }),
    /^expected 400 · received 500 NullPointerException$/,
  ],
  [
    'says 503',
    ({ reply }) => reply({ status: 503, headers: { 'Retry-After': '0' } }),
    /^expected 400 · received 503/,
  ],
  ['resets the connection', ({ reset }) => reset(), /^expected 400 · received the connection was reset$/],
];

for (const [title, breaks, received] of ways) {
  test(`a service that ${title} when Title is missing fails that requirement alone`, async () => {
    const { verdicts, blame } = await checksThrough(async (passing) => {
      if (isUntitled(passing.request)) breaks(passing);
      else passing.reply(await passing.forward());
    }, deadlineMs);
    expect(verdicts.failed).toEqual(['skeleton.title-required']);
    expect(verdicts['could-not-run'] ?? []).toEqual([]);
    expect(blame.at(-1)).toMatch(received);
  });
}

test('a service that answers a creation with 204 fails what its answer lacks, and nothing else', async () => {
  const { verdicts } = await checksThrough(async ({ request, forward, reply }) => {
    const answer = await forward();
    const created = request.url.includes('type=0') && answer.status === 201;
    reply(created ? { status: 204 } : answer);
  }, deadlineMs);
  expect(verdicts.failed).toEqual(['skeleton.response-json']);
});
