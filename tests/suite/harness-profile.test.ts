/** The profile loader: YAML, JSON, `extends`, and references to the environment. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { loadProfile } from '../../harness/profile/load.ts';
import { selfSigned } from './services/certificate.ts';
import { env, load, minimal, reference, refusal } from './services/profiles.ts';

test('YAML and JSON say the same', async ({}, info) => {
  const yaml = load(info, minimal);
  const json = load(
    info,
    JSON.stringify({
      address: { baseUrl: 'https://sandbox.example.com/esign' },
      auth: { kind: 'static', token: reference('TOKEN') },
    }),
    env,
    'acme.json',
  );
  expect(yaml?.profile).toEqual(json?.profile);
  expect(yaml?.hash).toBe(json?.hash);
  expect(yaml?.profile.auth).toEqual({ kind: 'static', token: 'a-token-of-the-tests' });
});

test('values of the environment are secrets, and change nothing about the hash', async ({}, info) => {
  const one = load(info, minimal);
  const other = load(info, minimal, { TOKEN: 'another-token' });
  expect(one?.secrets).toEqual(new Map([['TOKEN', 'a-token-of-the-tests']]));
  expect(one?.hash).toBe(other?.hash);
});

test('a profile takes what it does not say from the one that it extends', async ({}, info) => {
  writeFileSync(
    info.outputPath('base.yaml'),
    `${minimal}upload: { encoding: multipart, field: document }\nlimits: { documents: 2 }\n`,
  );
  const loaded = load(
    info,
    `extends: base.yaml\naddress: { perSecond: 5 }\nauth: { kind: static, token: "${reference('OTHER')}" }\nupload: { field: file }\n`,
    { OTHER: 'the-other-token' },
  );
  expect(loaded?.profile).toMatchObject({
    address: { baseUrl: 'https://sandbox.example.com/esign', perSecond: 5 },
    auth: { token: 'the-other-token' },
    upload: { encoding: 'multipart', field: 'file' },
    limits: { documents: 2 },
  });
});

test('the CA certificate is read from beside the profile', async ({}, info) => {
  const { cert } = await selfSigned();
  writeFileSync(info.outputPath('ca.pem'), cert);
  const loaded = load(
    info,
    `address: { baseUrl: https://127.0.0.1:1, ca: ca.pem }\nauth: { kind: static, token: "${reference('TOKEN')}" }\n`,
  );
  expect(loaded?.ca).toBe(cert);
});

test('a message shows what was written, not the secret in its place', async ({}, info) => {
  const told = refusal(info, minimal.replace('https://sandbox.example.com/esign', `"${reference('TOKEN')}"`));
  expect(told).toContain(`address.baseUrl "${reference('TOKEN')}" does not have the form`);
  expect(told).not.toContain(env.TOKEN);
});

test('a folder and a missing file are no profiles', async ({}, info) => {
  expect(() => loadProfile({ target: import.meta.dirname }, env)).toThrow(
    /is no file, but has to be a target profile/,
  );
  expect(() => loadProfile({ target: join(info.outputDir, 'no.yaml') }, env)).toThrow(
    /there is no such profile$/,
  );
});

test('a base URL alone takes its token, and an expired one, from the environment', async () => {
  const given = { ESIGN_TOKEN: 'a-token-of-the-tests', ESIGN_EXPIRED_TOKEN: 'one-of-yesterday' };
  expect(loadProfile({ baseUrl: 'https://sandbox.example.com/v1/' }, given)?.profile).toEqual({
    name: 'sandbox.example.com',
    address: { baseUrl: 'https://sandbox.example.com/v1/' },
    auth: { kind: 'static', token: 'a-token-of-the-tests', expiredToken: 'one-of-yesterday' },
  });
  expect(loadProfile({}, given)).toBeNull();
});

const options: readonly (readonly [string, Parameters<typeof loadProfile>[0], NodeJS.ProcessEnv, RegExp])[] =
  [
    ['a base URL without a token', { baseUrl: 'https://a.example' }, {}, /^ESIGN_TOKEN is not set: /],
    [
      'a base URL that is none',
      { baseUrl: 'a.example' },
      {},
      /^--base-url "a\.example" is no http or https URL/,
    ],
    [
      'a base URL with a query',
      { baseUrl: 'https://a.example?b' },
      { ESIGN_TOKEN: 't' },
      /put query parameters/,
    ],
    ['two targets', { baseUrl: 'https://a.example', target: 'a.yaml' }, {}, /exclude each other/],
  ];

for (const [title, given, environment, message] of options) {
  test(`options are refused with a message: ${title}`, () => {
    expect(() => loadProfile(given, environment)).toThrow(message);
  });
}
