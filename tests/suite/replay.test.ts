/** A recorded run is judged again without its target, and the recording tells no secrets. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type TestInfo, test } from '@playwright/test';
import { type Recording, readRecording } from '../../harness/replaying/recording.ts';
import { startReference } from '../../reference/server.ts';
import type { Run } from '../../reports/run.ts';
import { readRun } from '../../reports/run-file.ts';
import { referenceProfile } from '../running/reference-target.ts';
import { cli, start } from './cli-spawn.ts';
import { withVerdict } from './command.ts';
import { objectsIn, startEavesdropper } from './services/eavesdropper.ts';
import { writable } from './services/profiles.ts';

const domain = 'people.acme.internal';
const mobileNumbers = ['+4915901234567', '+61491570156'];

/** What a check of another scheme than Bearer sends. */
const ofNobody = Buffer.from('nobody:nothing').toString('base64');

/** Records a run against a reference service, which is closed afterwards. */
async function record(info: TestInfo, faults: readonly string[], ...given: readonly string[]) {
  const reference = await startReference({ faults });
  const heard = await startEavesdropper(reference.baseUrl);
  const { credentials, tokens } = reference;
  const { text, env } = writable({
    ...referenceProfile(reference),
    address: { baseUrl: heard.baseUrl, deadlineMs: 30_000 },
    auth: {
      kind: 'client-credentials',
      ...credentials,
      tokenEndpoint: credentials.tokenEndpoint.replace(reference.baseUrl, heard.baseUrl),
      expiredToken: tokens.expired,
    },
    people: { email: `qa+{run}-{n}@${domain}`, mobileNumbers },
    callbacks: { grace: { silenceMs: 300 } },
  });
  const target = info.outputPath('profile.json');
  writeFileSync(target, text);
  const folders = { out: info.outputPath('out'), recording: info.outputPath('recording') };
  const args = ['--target', target, '--out', folders.out, '--record', folders.recording, ...given];
  const { code, stderr } = await start(args, { env }).ended;
  await heard.close();
  await reference.close();
  expect(stderr).toBe('');
  const said = [...heard.bodies, ...heard.answers].flatMap(objectsIn);
  const texts = (name: string) => said.map((each) => each[name]).filter((each) => typeof each === 'string');
  const secrets = new Set([
    credentials.clientSecret,
    tokens.expired,
    ...[...heard.credentials].filter((each) => each !== ofNobody),
    ...texts('access_token'),
    ...texts('AccessCode').filter((each) => each.length >= 6),
    ...texts('code').filter((each) => /^\d{6}$/.test(each)),
    domain,
    ...texts('Name').filter((each) => /^[A-Z][a-z]+ [A-Z][a-z]+$/.test(each)),
    ...mobileNumbers,
  ]);
  return { code, ...folders, secrets: [...secrets] };
}

async function replay(info: TestInfo, recording: string, ...given: readonly string[]) {
  const out = info.outputPath('replayed');
  const { code, stderr } = await cli('--replay', recording, '--out', out, ...given);
  return { code, stderr, run: readRun(out) };
}

test.describe.configure({ timeout: 400_000 });

const verdicts = (run: Run) => run.requirements.map(({ id, verdict }) => `${id} ${verdict}`);
/**
 * Which request a check gets a place in is a matter of timing, and so is how full one becomes. Access tokens are not
 * asked for in a replay.
 */
const outside = ['limits.signatories', 'auth.lifetime'];
const observations = (run: Run) =>
  run.gaps.flatMap(({ id, observations: seen }) =>
    seen
      .filter(({ stability }) => stability === 'stable' && !outside.includes(id))
      .map(({ key, value }) => `${id} ${key} ${JSON.stringify(value)}`),
  );

test('a replay without the target gives the same verdicts and observations, and the recording no secrets', async ({}, info) => {
  const recorded = await record(info, []);
  const before = readRun(recorded.out);
  const { code, stderr, run } = await replay(info, recorded.recording);
  expect({ code, stderr }).toEqual({ code: recorded.code, stderr: '' });
  expect(withVerdict(before, 'passed').length).toBeGreaterThan(130);
  expect(verdicts(run)).toEqual(verdicts(before));
  expect(observations(run).toSorted()).toEqual(observations(before).toSorted());
  expect(run.deliveries.length).toBe(before.deliveries.length);

  expect(recorded.secrets.length).toBeGreaterThan(40);
  const files = readdirSync(recorded.recording, { recursive: true, encoding: 'utf8' })
    .map((name) => join(recorded.recording, name))
    .filter((name) => statSync(name).isFile());
  const found = files.flatMap((name) => {
    const text = readFileSync(name, 'latin1');
    return recorded.secrets.filter((secret) =>
      /^\d+$/.test(secret) ? new RegExp(`(?<![\\w.])${secret}(?!\\w)`).test(text) : text.includes(secret),
    );
  });
  expect(found).toEqual([]);
});

test('a replay finds the same red requirement, and what was not recorded could not run', async ({}, info) => {
  const only = ['--only', 'otp,skeleton.title-required,skeleton.connections'];
  const recorded = await record(info, ['otp.sms/refused'], ...only);
  const before = readRun(recorded.out);
  expect({ code: recorded.code, red: withVerdict(before, 'failed') }).toEqual({ code: 1, red: ['otp.sms'] });
  const file = join(recorded.recording, 'recording.json');
  const recording = JSON.parse(readFileSync(file, 'utf8')) as Recording;
  const calls = recording.calls.filter(({ about }) => about.check !== 'skeleton.connections');
  expect(calls.length).toBe(recording.calls.length - 1);
  writeFileSync(file, JSON.stringify({ ...recording, calls }));

  const { code, run } = await replay(info, recorded.recording, ...only);
  expect(code).toBe(1);
  expect(run.requirements.find(({ id }) => id === 'skeleton.connections')?.reason).toContain(
    'the recording has no such call',
  );
  expect(verdicts(run).filter((each) => !verdicts(before).includes(each))).toEqual([
    'skeleton.connections could-not-run',
  ]);
});

test('a recording has to be there, and is a target of its own', async ({}, info) => {
  expect(() => readRecording(info.outputPath())).toThrow('there is no recording.json');
  const { code, stderr } = await cli('--replay', info.outputPath(), '--base-url', 'http://127.0.0.1:9');
  expect(stderr).toContain('exclude each other');
  expect(code).toBe(3);
});
