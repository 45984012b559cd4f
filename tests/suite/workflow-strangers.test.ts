/** Strangers who know the callback addresses of a run: what they send blames nobody, and the report says that it came. */
import { writeFileSync } from 'node:fs';
import { expect, type TestInfo, test } from '@playwright/test';
import type { Profile } from '../../harness/profile/schema.ts';
import { startReference } from '../../reference/server.ts';
import { readRun } from '../../reports/run-file.ts';
import { flows } from '../flows/all.ts';
import { referenceProfile } from '../running/reference-target.ts';
import { send } from './callbacks-sender.ts';
import { inProcess } from './cli-spawn.ts';
import { objectsIn, startEavesdropper } from './services/eavesdropper.ts';
import { writable } from './services/profiles.ts';

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

/**
 * A run of the events whose requests are sent only once `disturb` has done its work at the callback addresses.
 * @param disturb is given the addresses of all flows
 */
async function disturbedRun(
  info: TestInfo,
  disturb: (urls: readonly string[]) => Promise<void>,
  callbacks: Profile['callbacks'] = {},
) {
  const reference = await startReference();
  let letGo = (): void => {};
  const disturbed = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const proxy = await startEavesdropper(reference.baseUrl, {
    before: async (url) => {
      if (url.endsWith('/send')) await disturbed;
    },
  });
  const given = referenceProfile(reference);
  const { text, env } = writable({
    ...given,
    address: { ...given.address, baseUrl: proxy.baseUrl },
    callbacks: { ...given.callbacks, ...callbacks },
  });
  const file = info.outputPath('profile.json');
  writeFileSync(file, text);
  const out = info.outputPath('out');
  const urls = () => {
    const given = proxy.bodies.flatMap(objectsIn).map(({ CallbackUrl }) => String(CallbackUrl));
    return [...new Set(given.filter((url) => url.includes('?flow=')))];
  };
  const running = inProcess(['--target', file, '--only', 'events', '--out', out], env);
  const withCallbacks = flows.filter(({ subscription, explores }) => subscription && !explores).length;
  await expect.poll(() => urls().length, { timeout: 60_000 }).toBe(withCallbacks);
  await disturb(urls());
  letGo();
  const { stdout } = await running;
  await proxy.close();
  await reference.close();
  const run = readRun(out);
  const having = (wanted: string) =>
    run.requirements
      .filter(({ verdict }) => verdict === wanted)
      .map(({ id, checks, reason }) => [id, reason, ...checks.map(({ message }) => message)].join(': '));
  expect(run.problems).toEqual([]);
  expect(having('error')).toEqual([]);
  expect(having('failed')).toEqual([]);
  return { run, stdout, having };
}

test('deliveries of strangers at the addresses of a run blame nobody, and stand in the report', async ({}, info) => {
  const { run, stdout, having } = await disturbedRun(info, async (urls) => {
    const foreign = Array.from({ length: 12 }, (_, count) =>
      json(JSON.stringify({ event: 1 + (count % 3), requestId: `stranger-${count}` })),
    );
    expect(urls.length).toBeGreaterThanOrEqual(hostile.length);
    const all = urls.flatMap((url, at) =>
      // What is slow to read comes once for each address.
      [...foreign, ...hostile.slice(at, at + 1)].map(([body, headers]) => ({ url, body, headers })),
    );
    await Promise.all(all.map(({ url, body, headers }) => send(url, body, { headers })));
  });
  const [strangers] = run.unattributed ?? [];
  expect(strangers).toMatchObject({ kind: 'unknown-request', from: ['127.0.0.1'] });
  expect(strangers?.count).toBeGreaterThan(11);
  expect(stdout).toMatch(/blames nobody: \d+ for requests that this run did not create from 127\.0\.0\.1/);
  expect(having('passed').length).toBeGreaterThan(0);
});
