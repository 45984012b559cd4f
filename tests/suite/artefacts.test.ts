/** Nothing that a run leaves behind or prints holds a secret or tells who the people of the profile are. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, type TestInfo, test } from '@playwright/test';
import { startReference } from '../../reference/server.ts';
import { readRun } from '../../reports/run-file.ts';
import { referenceProfile } from '../running/reference-target.ts';
import { expectNone, expectNoneHidden, filesIn } from './artefacts.ts';
import { type Ended, root, start } from './cli-spawn.ts';
import { objectsIn, startEavesdropper } from './services/eavesdropper.ts';

const domain = 'people.acme.internal';
const mobileNumbers = ['+4915901234567', '+61491570156'];
/** Checks whose failures tell of people: their bodies, answers and commands are printed. */
const faults = [
  'signatory.email-required/accepted',
  'signatory.name-required/accepted',
  'otp.mobile-valid/2-invalid-accepted',
];

/** A run with a profile of secrets and people; `how` starts it with the profile's file and the environment. */
async function runInConfidence(
  info: TestInfo,
  how: (profile: string, env: NodeJS.ProcessEnv) => Promise<Ended>,
) {
  const reference = await startReference({ faults });
  const heard = await startEavesdropper(reference.baseUrl, { reflects: true });
  const { credentials, tokens } = reference;
  const profile = info.outputPath('profile.json');
  const written = {
    ...referenceProfile(reference),
    address: { baseUrl: heard.baseUrl, deadlineMs: 30_000 },
    auth: {
      kind: 'client-credentials',
      tokenEndpoint: credentials.tokenEndpoint.replace(reference.baseUrl, heard.baseUrl),
      clientId: credentials.clientId,
      clientSecret: `\${SANDBOX_SECRET}`,
      expiredToken: `\${SANDBOX_EXPIRED_TOKEN}`,
    },
    people: { email: `qa+{run}-{n}@${domain}`, mobileNumbers },
  };
  writeFileSync(profile, JSON.stringify(written));
  const ended = await how(profile, {
    SANDBOX_SECRET: credentials.clientSecret,
    SANDBOX_EXPIRED_TOKEN: tokens.expired,
  });
  await heard.close();
  await reference.close();
  const said = [...heard.bodies, ...heard.answers].flatMap(objectsIn);
  const texts = (name: string) => said.map((each) => each[name]).filter((each) => typeof each === 'string');
  const people = said.filter(({ Email }) => typeof Email === 'string' && Email.endsWith(`@${domain}`));
  return {
    ended,
    secrets: [
      ...new Set([
        credentials.clientSecret,
        tokens.expired,
        ...heard.credentials,
        ...texts('access_token'),
        ...texts('AccessCode').filter((code) => code.length >= 6),
        // One-time passwords and links to signing pages, as the outbox of the reference service shows them.
        ...texts('code'),
        ...texts('link'),
      ]),
    ],
    people: [
      ...new Set([
        ...people.map(({ Email }) => String(Email)),
        ...people.map(({ Name }) => String(Name)).filter((name) => /^[A-Z][a-z]+ [A-Z][a-z]+$/.test(name)),
        ...mobileNumbers,
      ]),
    ],
  };
}

test('no artefact and no line of output holds a secret or a person', async ({}, info) => {
  const out = info.outputPath('out');
  const { ended, secrets, people } = await runInConfidence(
    info,
    (target, env) => start(['--target', target, '--out', out], { env }).ended,
  );
  const run = readRun(out);
  expect(run.requirements.filter(({ verdict }) => verdict === 'failed').length).toBeGreaterThanOrEqual(3);
  expect(secrets.length).toBeGreaterThan(4);
  // The outbox was read, so there were one-time passwords and links to hide.
  expect(secrets.some((secret) => /^\d{6}$/.test(secret))).toBe(true);
  expect(secrets.some((secret) => secret.includes('/sign/'))).toBe(true);
  expect(people.length).toBeGreaterThan(40);

  const places = [...filesIn(out), ['stdout', ended.stdout], ['stderr', ended.stderr]] as const;
  expect(places.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'run.json',
      'junit.xml',
      'summary.md',
      'index.html',
      'exchanges.har',
      'observed.overlay.yaml',
    ]),
  );
  expectNone(secrets, places);
  expectNoneHidden(secrets, places);
  expectNone(people, places);
});

test('a person keeps one pseudonym in all artefacts', async ({}, info) => {
  const out = info.outputPath('out');
  const { people } = await runInConfidence(
    info,
    (target, env) => start(['--target', target, '--only', 'otp', '--out', out], { env }).ended,
  );
  const pseudonyms = filesIn(out).map(([, content]) => {
    const text = content.toString('utf8').replaceAll(/&quot;|\\"/g, '"');
    const pairs = text.matchAll(/"Email":"person-(\w+)@example\.invalid"(?:,"Name":"Person (\w+)")?/g);
    const codes = [...pairs].map(([, address, name = address]) => {
      expect(address).toBe(name);
      return address;
    });
    return new Set(codes).size;
  });
  const addresses = people.filter((each) => each.includes('@'));
  expect(Math.max(...pseudonyms)).toBe(addresses.length);
});

test('no trace of Playwright holds a secret or a person', async ({}, info) => {
  const results = info.outputPath('results');
  const playwright = createRequire(import.meta.url).resolve('@playwright/test/cli');
  const given = ['--project=conformance', '--trace=on', `--output=${results}`, '--grep=@otp\\.|token-'];
  const { ended, secrets, people } = await runInConfidence(
    info,
    (target, env) =>
      start(['test', `--config=${join(root, 'playwright.config.ts')}`, ...given], {
        script: playwright,
        cwd: info.outputPath(),
        env: { ...env, ESIGN_TARGET: target },
      }).ended,
  );
  const places = [...filesIn(results), ['stdout', ended.stdout], ['stderr', ended.stderr]] as const;
  expect(places.filter(([name]) => name.endsWith('/test.trace')).length).toBeGreaterThan(10);
  expect(people.length).toBeGreaterThan(10);
  expectNone(secrets, places);
  expectNoneHidden(secrets, places);
  expectNone(people, places);
});
