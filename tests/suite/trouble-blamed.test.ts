/** A service that breaks at one call only: exactly the requirement of that call fails. */
import { expect, test } from '@playwright/test';
import { checksThrough } from './services/checks-at.ts';
import { isUntitled } from './services/troubles.ts';

const deadlineMs = 60_000;

test('a service that says 500 when Title is missing fails that requirement alone', async () => {
  let sent = 0;
  const { verdicts, blame } = await checksThrough(async ({ request, forward, reply }) => {
    if (!isUntitled(request)) return reply(await forward());
    sent += 1;
    reply({ status: 500, body: Buffer.from('NullPointerException') });
  }, deadlineMs);
  expect(verdicts.failed).toEqual(['skeleton.title-required']);
  expect(verdicts['could-not-run'] ?? []).toEqual([]);
  expect(sent).toBe(4);
  expect(blame.at(-1)).toMatch(/^expected 400 · received 500 NullPointerException$/);
});

test('a service that answers a creation with 204 fails what its answer lacks, and nothing else', async () => {
  const { verdicts } = await checksThrough(async ({ request, forward, reply }) => {
    const answer = await forward();
    const created = request.url.includes('type=0') && answer.status === 201;
    reply(created ? { status: 204 } : answer);
  }, deadlineMs);
  expect(verdicts.failed).toEqual(['skeleton.response-json']);
});
