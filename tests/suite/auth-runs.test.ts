/** Checks whose access tokens end unannounced on the way. */
import { expect, test } from '@playwright/test';
import type { Profile } from '../../harness/profile/schema.ts';
import { checked } from '../../openapi/requirements/catalogue.ts';
import { startReference } from '../../reference/server.ts';
import { asLoaded } from '../proof/session.ts';
import { checksAt } from './services/checks-at.ts';
import { instead, startProxy } from './services/proxy.ts';

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
