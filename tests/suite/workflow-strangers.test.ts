/** Strangers who know the callback addresses of a run: what they send blames nobody, and the report says that it came. */
import { expect, test } from '@playwright/test';
import { readRun } from '../../reports/run/run-file.ts';
import { flows } from '../flows/all.ts';
import { send } from './callbacks-sender.ts';
import { withVerdict } from './reports-sample.ts';
import { startGround } from './services/tenant-ground.ts';

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
  // What no reader likes, the fuzz of the listener sends.
  const foreign = Array.from({ length: 12 }, (_, count) =>
    JSON.stringify({ event: 1 + (count % 3), requestId: `stranger-${count}` }),
  );
  await Promise.all([...addresses].flatMap((url) => foreign.map((body) => send(url, body))));
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
