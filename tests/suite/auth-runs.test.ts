/** Runs whose access tokens end or are replaced on the way: each is renewed, and what was replaced is kept for the next run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { Profile } from '../../harness/profile/schema.ts';
import { checked } from '../../openapi/requirements/catalogue.ts';
import { startReference } from '../../reference/server.ts';
import { readRun } from '../../reports/run/run-file.ts';
import { referenceProfile } from '../../running/reference-target.ts';
import { asLoaded } from '../proof/session.ts';
import { expectNone, filesIn } from './artefacts.ts';
import { inProcess } from './cli-spawn.ts';
import { withReference } from './reference-client.ts';
import { checksAt } from './services/checks-at.ts';
import { writable } from './services/profiles.ts';
import { instead, startProxy } from './services/proxy.ts';
import { refreshTokenOf } from './services/token-asking.ts';

/** After so many calls a token is refused: more than are under way when the one before it ends. */
const usesOfToken = 25;

test('tokens that end unannounced are renewed when they are refused, but never in a check of tokens', async () => {
  const reference = await startReference({ dialect: { tokenLifetimeShown: false } });
  const uses = new Map<string, number>();
  const gate = await startProxy(
    reference.baseUrl,
    instead(({ headers: { authorization = '' } }) => {
      const used = (uses.get(authorization) ?? 0) + 1;
      uses.set(authorization, used);
      return used > usesOfToken ? { status: 401 } : undefined;
    }),
  );
  const { tokens, credentials } = reference;
  const profile: Profile = {
    address: { baseUrl: gate.baseUrl, deadlineMs: 60_000 },
    auth: { kind: 'client-credentials', ...credentials, expiredToken: tokens.expired },
    upload: { encoding: 'multipart', field: 'file' },
  };
  const { verdicts, exchanges, observations } = await checksAt(
    asLoaded(profile),
    checked.map(({ id }) => id).filter((id) => id.startsWith('skeleton.')),
  );
  await gate.close();
  await reference.close();
  const { passed = [], 'not-applicable': _, ...others } = verdicts;
  expect(others).toEqual({});
  expect(passed.length).toBeGreaterThan(20);
  const ofTokens = ['missing', 'invalid', 'expired'].map((each) => `skeleton.token-${each}`);
  expect(passed).toEqual(expect.arrayContaining(ofTokens));
  const renewed = exchanges.filter(({ retries }) =>
    retries.some((each) => each.includes('renewed access token')),
  );
  expect(renewed.length).toBeGreaterThan(0);
  expect(renewed.filter(({ check = '' }) => /token-(missing|invalid|expired)/.test(check))).toEqual([]);
  const lifetime = observations.filter(({ gap }) => gap === 'auth.lifetime');
  expect(lifetime.map(({ key }) => key)).toEqual(['refused after seconds']);
});

test('a refresh token that is replaced is kept in the token file, and the next run goes on with it', async ({}, info) => {
  const dialect = { refreshTokens: 'rotated', tokenEncoding: 'json', tokenLifetimeSeconds: 6 } as const;
  await withReference({ dialect }, async ({ reference }) => {
    const { text, env } = writable({
      ...referenceProfile(reference),
      signing: undefined,
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
      const given = ['--target', target, '--only', 'upload.pdf,skeleton.request-id', '--out', out];
      const { code, stdout, stderr } = await inProcess(given, env);
      expect({ code, verdict: readRun(out).verdict }).toEqual({ code: 0, verdict: 'partial' });
      expect(readRun(out).warnings?.filter((each) => each.includes('of no use'))).toEqual([]);
      const { refreshToken, accessTokens } = JSON.parse(
        readFileSync(info.outputPath('tokens.json'), 'utf8'),
      ) as { refreshToken: string; accessTokens: { token: string }[] };
      kept.push(refreshToken);
      const secrets = [...kept, ...accessTokens.map(({ token }) => token), ...Object.values(env)];
      expectNone(secrets, [...filesIn(out), ['stdout', stdout], ['stderr', stderr]]);
    }
    expect(new Set([...kept, env.TEST_AUTH_REFRESHTOKEN]).size).toBe(3);
  });
});
