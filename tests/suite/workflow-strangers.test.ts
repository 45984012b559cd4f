/** Strangers who know the callback addresses of a run: what they send blames nobody, and the report says that it came. */
import { expect, test } from '@playwright/test';
import { readRun } from '../../reports/run/run-file.ts';
import { flows } from '../flows/all.ts';
import { send } from './callbacks-sender.ts';
import { withVerdict } from './reports-sample.ts';
import { startGround } from './services/tenant-ground.ts';

const deep = 100_000;
const json = (body: string) => [body, { 'content-type': 'application/json' }] as const;

/** What no reader likes. */
const hostile: readonly (readonly [body: string, headers: Record<string, string>])[] = [
  json('['.repeat(deep) + ']'.repeat(deep)),
  json('{"event":'.repeat(deep) + 1 + '}'.repeat(deep)),
  json('{"event":3,"requestId":"stranger","__proto__":{"constructor":{"toString":1}}}'),
  [`<a>${'<b>'.repeat(deep)}${'</b>'.repeat(deep)}</a>`, { 'content-type': 'application/xml' }],
  [
    `a${'[b]'.repeat(deep)}=1&event=3&requestId=stranger`,
    { 'content-type': 'application/x-www-form-urlencoded' },
  ],
  [`${'a.'.repeat(deep)}b=1`, { 'content-type': 'application/x-www-form-urlencoded' }],
];

test('deliveries of strangers at the addresses of a run blame nobody, and stand in the report', async ({}, info) => {
  const addresses = new Set<string>();
  let letGo = (): void => {};
  const disturbed = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  // Requests are sent only once strangers have done their work at the callback addresses of all flows.
  const ground = await startGround(info, {
    behave: async ({ request, forward, reply }) => {
      const given = request.body.toString('utf8').matchAll(/"CallbackUrl":"([^"]*\?flow=[^"]*)"/g);
      for (const [, url = ''] of given) addresses.add(url);
      if (request.url.endsWith('/send')) await disturbed;
      reply(await forward());
    },
  });
  const out = info.outputPath('out');
  const running = ground.cli('--only', 'events', '--out', out);
  const withCallbacks = flows.filter(({ subscription, explores }) => subscription && !explores).length;
  await expect.poll(() => addresses.size).toBe(withCallbacks);
  const foreign = Array.from({ length: 12 }, (_, count) =>
    json(JSON.stringify({ event: 1 + (count % 3), requestId: `stranger-${count}` })),
  );
  expect(addresses.size).toBeGreaterThanOrEqual(hostile.length);
  const all = [...addresses].flatMap((url, at) =>
    // What is slow to read comes once for each address.
    [...foreign, ...hostile.slice(at, at + 1)].map(([body, headers]) => ({ url, body, headers })),
  );
  await Promise.all(all.map(({ url, body, headers }) => send(url, body, { headers })));
  letGo();
  const { stdout } = await running;
  await ground.close();

  const run = readRun(out);
  expect(run.problems).toEqual([]);
  expect(withVerdict(run, 'error')).toEqual([]);
  expect(withVerdict(run, 'failed')).toEqual([]);
  expect(withVerdict(run, 'passed').length).toBeGreaterThan(0);
  const [strangers] = run.unattributed ?? [];
  expect(strangers).toMatchObject({ kind: 'unknown-request', from: ['127.0.0.1'] });
  expect(strangers?.count).toBeGreaterThan(11);
  expect(stdout).toMatch(/blames nobody: \d+ for requests that this run did not create from 127\.0\.0\.1/);
});
