/** A service that breaks at one call only, end to end: exactly the requirement of that call fails. */
import { expect, test } from '@playwright/test';
import { withVerdict } from './command.ts';
import type { Passing } from './services/proxy.ts';
import { runThrough } from './services/run-through.ts';

/** A type 0 creation in which Title is missing. */
function isUntitled({ url, body, headers }: Passing['request']): boolean {
  if (!url.includes('type=0') || headers['content-type'] !== 'application/json') return false;
  const text = body.toString('utf8');
  return text.startsWith('{"Message"') && text.endsWith('}') && !text.includes('"Title"');
}

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
  test(`a service that ${title} when Title is missing fails that requirement alone`, async ({}, info) => {
    const { run, exitCode, stdout } = await runThrough(info.outputPath('out'), async (passing) => {
      if (isUntitled(passing.request)) breaks(passing);
      else passing.reply(await passing.forward());
    });
    expect(withVerdict(run, 'failed')).toEqual(['skeleton.title-required']);
    expect(withVerdict(run, 'could-not-run')).toEqual([]);
    expect({ exitCode, verdict: run.verdict }).toEqual({ exitCode: 1, verdict: 'nonconformant' });
    const failed = run.requirements.find(({ id }) => id === 'skeleton.title-required');
    expect(failed?.checks[0]?.rows[0]?.message).toMatch(received);
    expect(stdout).toContain('skeleton.title-required  (must, ');
  });
}

test('a service that answers a creation with 204 fails what its answer lacks, and nothing else', async ({}, info) => {
  const { run, exitCode } = await runThrough(info.outputPath('out'), async ({ request, forward, reply }) => {
    const answer = await forward();
    const created = request.url.includes('type=0') && answer.status === 201;
    reply(created ? { status: 204 } : answer);
  });
  expect(withVerdict(run, 'failed')).toEqual(['skeleton.response-json']);
  expect(exitCode).toBe(1);
});
