/** What a profile could still unlock. */
import { expect, test } from '@playwright/test';
import { lacking, notApplicable } from '../../harness/judging/unlocks.ts';
import type { Profile } from '../../harness/profile/schema.ts';

const least: Profile = {
  address: { baseUrl: 'https://sandbox.example.com' },
  auth: { kind: 'static', token: 'a-token-of-the-tests' },
};

test('a key that is not given is named with what it would make applicable', () => {
  expect(lacking(least)).toContainEqual({ key: 'create.template', requirements: ['create.template-200'] });
  expect(notApplicable(least)['create.template-200']).toBe('the profile has no create.template');
});

test('of an expired token each kind of authorization names the ways that it has', () => {
  const id = 'skeleton.token-expired';
  const of = (auth: Profile['auth']) => {
    const profile = { ...least, auth };
    const key = lacking(profile).find(({ requirements }) => requirements.includes(id))?.key;
    return [key, notApplicable(profile)[id]];
  };
  const two = 'auth.expiredToken or calls.expireToken';
  expect(of(least.auth)).toEqual([two, `the profile has no ${two}`]);
  const grant = {
    kind: 'client-credentials' as const,
    tokenEndpoint: 'https://login.example.com/token',
    clientId: 'suite',
    clientSecret: 'a-secret-of-the-tests',
  };
  const three = 'auth.expiredToken, calls.expireToken or auth.tokenFile';
  expect(of(grant)).toEqual([three, `the profile has no ${three}`]);
  const [key, why] = of({ ...grant, tokenFile: '~/tokens.json' });
  expect(key).toBe(two);
  expect(why).toContain('those that auth.tokenFile keeps have not expired yet: a run after that has one');
  const [, byLogin] = of({
    kind: 'authorization-code',
    tokenEndpoint: grant.tokenEndpoint,
    authorizationEndpoint: 'https://login.example.com/authorize',
    clientId: 'suite',
  });
  expect(byLogin).toContain('the access token of `login` has not expired yet: a run after that and another');
});

test('what the target does not offer is not advertised', () => {
  const profile = { ...least, notApplicable: { 'create.template-200': 'not part of our plan' } };
  expect(lacking(profile).flatMap(({ requirements }) => requirements)).not.toContain('create.template-200');
  expect(lacking(profile).map(({ key }) => key)).not.toContain('create.template');
  expect(notApplicable(profile)['create.template-200']).toContain('not part of our plan');
});

test('what only the signing page shows is not applicable where people sign, and the driver is named as the reason', () => {
  const page = { url: '{link}', document: 'iframe', sign: '#sign', done: '#done' };
  const reason = (signing: NonNullable<Profile['signing']>) =>
    notApplicable({ ...least, signing })['signing.title-shown'];
  expect(reason({ driver: 'manual', send: 'creation' })).toContain('the profile says signing.driver: manual');
  expect(reason({ driver: 'browser', page, send: 'creation' })).toBeUndefined();
  // A module says itself what it sees.
  const byModule = notApplicable({
    ...least,
    signing: { driver: 'module', module: './signing.ts', send: 'creation' },
  });
  expect(byModule['signing.signer-views']).toBeUndefined();
});
