/** Whole runs with tokens that end, that are replaced and that were kept: all passes, and no secret is left behind. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, type TestInfo, test } from '@playwright/test';
import type { Profile } from '../../harness/profile/schema.ts';
import type { Dialect } from '../../reference/dialect.ts';
import type { Reference } from '../../reference/server.ts';
import { readRun } from '../../reports/run-file.ts';
import { referenceProfile } from '../running/reference-target.ts';
import { expectNone, filesIn } from './artefacts.ts';
import { inProcess } from './cli-spawn.ts';
import { objectsIn, startEavesdropper } from './services/eavesdropper.ts';
import { writable } from './services/profiles.ts';
import { refreshTokenOf, withDialect } from './services/token-asking.ts';

/** A run lasts longer than its tokens; and however slow this machine is, a call gets its answer. */
const pace = { perSecond: 15, deadlineMs: 60_000 };
const longEnough = ['--only', 'upload,skeleton'];

type Auth = (reference: Reference, endpoint: string) => Promise<{ auth: object; env?: NodeJS.ProcessEnv }>;

/** Runs the selection; afterwards no token and no key that went over the wire is found in what it left. */
async function runWith(
  info: TestInfo,
  dialect: Partial<Dialect>,
  authOf: Auth,
  selection: readonly string[] = [],
  change: (profile: Profile) => object = (profile) => profile,
) {
  return withDialect(dialect, async (reference) => {
    const heard = await startEavesdropper(reference.baseUrl);
    const endpoint = reference.credentials.tokenEndpoint.replace(reference.baseUrl, heard.baseUrl);
    const { auth, env: given = {} } = await authOf(reference, endpoint);
    const profile = change({ ...referenceProfile(reference), address: { baseUrl: heard.baseUrl, ...pace } });
    const { text, env } = writable({ ...profile, auth });
    const target = info.outputPath('profile.json');
    writeFileSync(target, text);
    const out = info.outputPath('out');
    const ended = await inProcess(['--target', target, '--out', out, ...selection], { ...env, ...given });
    await heard.close();
    const granted = [...heard.answers, ...heard.bodies]
      .flatMap(objectsIn)
      .flatMap((each) =>
        ['access_token', 'refresh_token', 'accessToken', 'refreshToken'].map((key) => each[key]),
      )
      .filter((each) => typeof each === 'string');
    const secrets = [...new Set([...heard.credentials, ...granted, ...Object.values({ ...env, ...given })])];
    const places = [...filesIn(out), ['stdout', ended.stdout], ['stderr', ended.stderr]] as const;
    expectNone(secrets.map(String), places);
    return { ended, secrets, target, out, run: readRun(out) };
  });
}

const failedIn = ({ requirements }: ReturnType<typeof readRun>) =>
  requirements
    .filter(({ verdict }) => ['failed', 'could-not-run', 'error'].includes(verdict))
    .map(({ id, verdict, reason }) => `${id} ${verdict} ${reason ?? ''}`);

test('tokens that end unannounced are renewed when they are refused, but never in a check of tokens', async ({}, info) => {
  const dialect = { tokenLifetimeSeconds: 3, tokenLifetimeShown: false } as const;
  const { run, ended } = await runWith(
    info,
    dialect,
    async ({ credentials }, endpoint) => ({
      auth: { kind: 'client-credentials', ...credentials, tokenEndpoint: endpoint },
    }),
    longEnough,
  );
  expect(failedIn(run)).toEqual([]);
  expect({ code: ended.code, verdict: run.verdict }).toEqual({ code: 0, verdict: 'partial' });
  const renewed = run.exchanges.filter(({ retries }) =>
    retries.some((each) => each.includes('renewed access token')),
  );
  expect(renewed.length).toBeGreaterThan(0);
  expect(renewed.filter(({ check = '' }) => /token-(missing|invalid|expired)/.test(check))).toEqual([]);
  const lifetime = run.gaps.find(({ id }) => id === 'auth.lifetime');
  expect(lifetime?.observations.map(({ key }) => key)).toEqual(['refused after seconds']);
});

test('a refresh token in JSON that is replaced is kept in the token file, and the next run goes on with it', async ({}, info) => {
  const dialect = { refreshTokens: 'rotated', tokenEncoding: 'json', tokenLifetimeSeconds: 6 } as const;
  const selection = ['--only', 'upload,skeleton.request-id'];
  const tokenFile = info.outputPath('tokens.json');
  await withDialect(dialect, async (reference) => {
    const profile = { ...referenceProfile(reference), signing: undefined };
    const { text, env } = writable({
      ...profile,
      auth: {
        kind: 'refresh-token',
        ...reference.credentials,
        refreshToken: await refreshTokenOf(reference),
        method: 'body',
        encoding: 'json',
        tokenFile: 'tokens.json',
      },
    });
    const target = info.outputPath('profile.json');
    writeFileSync(target, text);
    const kept: string[] = [];
    for (const name of ['one', 'two']) {
      const out = info.outputPath(name);
      const ended = await inProcess(['--target', target, '--out', out, ...selection], env);
      const run = readRun(out);
      expect(failedIn(run)).toEqual([]);
      expect({ code: ended.code, verdict: run.verdict }).toEqual({ code: 0, verdict: 'partial' });
      expect(run.warnings?.filter((each) => each.includes('of no use'))).toEqual([]);
      const { refreshToken, accessTokens } = JSON.parse(readFileSync(tokenFile, 'utf8')) as {
        refreshToken: string;
        accessTokens: { token: string }[];
      };
      kept.push(refreshToken);
      const secrets = [...kept, ...accessTokens.map(({ token }) => token), ...Object.values(env)];
      expectNone(secrets, [...filesIn(out), ['stdout', ended.stdout], ['stderr', ended.stderr]]);
    }
    expect(new Set([...kept, env.TEST_AUTH_REFRESHTOKEN]).size).toBe(3);
  });
});

test('an access token that an earlier run kept until it had expired serves the checks of expired tokens', async ({}, info) => {
  const checks =
    'upload.token-expired,upload.token-expired-message,skeleton.token-expired,create.token-expired';
  const tokenFile = info.outputPath('tokens.json');
  const { run, ended } = await runWith(
    info,
    {},
    async ({ credentials, tokens }, tokenEndpoint) => {
      // What a run of yesterday left.
      const auth = {
        kind: 'client-credentials',
        ...credentials,
        tokenEndpoint,
        tokenFile: 'tokens.json',
      } as const;
      const { TokenFile } = await import('../../harness/profile/token-file.ts');
      const { tokensOf } = await import('../../harness/profile/token-file.ts');
      const file = new TokenFile(tokenFile, tokensOf(auth));
      file.keep({ token: tokens.expired, lifetimeMs: -86_400_000 });
      return { auth };
    },
    ['--only', checks],
    ({ calls, ...profile }) => {
      const { expireToken: _, ...others } = calls ?? {};
      return { ...profile, calls: others };
    },
  );
  expect(failedIn(run)).toEqual([]);
  expect(run.requirements.map(({ id, verdict }) => `${id} ${verdict}`).sort()).toEqual(
    checks
      .split(',')
      .sort()
      .map((id) => `${id} passed`),
  );
  expect(ended.code).toBe(0);
});
