/** A service that breaks at one call only: exactly the requirement of that call fails. */
import { expect, test } from '@playwright/test';
import { checksThrough } from './services/checks-at.ts';
import type { Passing } from './services/proxy.ts';
import { isUntitled } from './services/troubles.ts';

const deadlineMs = 60_000;

/** Each with how often such a call is sent. */
const ways: readonly (readonly [
  title: string,
  break_: (passing: Passing) => void,
  received: RegExp,
  sent: number,
])[] = [
  [
    'says 500',
    ({ reply }) => reply({ status: 500, body: Buffer.from('NullPointerException') }),
    /^expected 400 · received 500 NullPointerException$/,
    4,
  ],
  [
    'says 503',
    ({ reply }) => reply({ status: 503, headers: { 'Retry-After': '0' } }),
    /^expected 400 · received 503/,
    // Twice, and each time the client sends it four times.
    2 * 4,
  ],
  ['resets the connection', ({ reset }) => reset(), /^expected 400 · received the connection was reset$/, 4],
];

for (const [title, breaks, received, most] of ways) {
  test(`a service that ${title} when Title is missing fails that requirement alone`, async () => {
    let sent = 0;
    const { verdicts, blame } = await checksThrough(async (passing) => {
      if (isUntitled(passing.request)) {
        sent += 1;
        breaks(passing);
      } else passing.reply(await passing.forward());
    }, deadlineMs);
    expect(verdicts.failed).toEqual(['skeleton.title-required']);
    expect(verdicts['could-not-run'] ?? []).toEqual([]);
    expect(sent).toBe(most);
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
