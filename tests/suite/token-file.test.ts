/** The token file: who can read it, where it lies, what it keeps, and what a later run makes of it. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { expect, type TestInfo, test } from '@playwright/test';
import { loadProfile } from '../../harness/profile/load.ts';
import { userKey } from '../../harness/profile/state-folder.ts';
import { TokenFile, tokenFilePlace } from '../../harness/profile/token-file.ts';
import { ConfigurationError } from '../../record/errors.ts';
import { env, reference } from './services/profiles.ts';

const hourMs = 3_600_000;
const place = (info: TestInfo) => info.outputPath('kept/tokens.json');
const open = (info: TestInfo, of = 'acme') => new TokenFile(place(info), of);
const granted = (token: string, lifetimeMs = hourMs, refreshToken?: string) => ({
  token,
  lifetimeMs,
  ...(refreshToken ? { refreshToken } : {}),
});

test('what is kept is found again, by its owner alone', async ({}, info) => {
  const file = open(info);
  expect(existsSync(place(info))).toBe(false);
  file.keep(granted('access-one', hourMs, 'refresh-two'), 'refresh-one');
  expect(statSync(place(info)).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(place(info)))).toEqual(['tokens.json']);
  expect(readFileSync(place(info), 'utf8')).not.toContain('refresh-one');
  const again = open(info);
  expect(again.refreshToken('refresh-one')).toBe('refresh-two');
  expect(again.newest).toEqual({ token: 'access-one', expiresAt: expect.any(Number) });
  expect([...again.secrets].sort()).toEqual(['access-one', 'refresh-two']);
  // A new one in the profile, another server or another client.
  expect(again.refreshToken('refresh-of-today')).toBeUndefined();
  expect(open(info, 'other').newest).toBeUndefined();
  again.keep(granted('access-two'), 'refresh-one');
  expect(open(info).refreshToken('refresh-one')).toBe('refresh-two');
});

test('an access token is an expired one when its lifetime has surely passed', async ({}, info) => {
  const file = open(info);
  file.keep(granted('of-today'));
  file.keep(granted('endless', Number.POSITIVE_INFINITY));
  expect(open(info).expired).toBeUndefined();
  file.keep(granted('a-minute-ago', -60_000));
  expect(open(info).expired).toBeUndefined();
  file.keep(granted('long-ago', -48 * hourMs));
  expect(open(info).expired).toBe('long-ago');
  file.keep(granted('yesterday', -24 * hourMs));
  for (let at = 0; at < 5; at += 1) file.keep(granted(`another-${at}`));
  const again = open(info);
  expect(again.expired).toBe('yesterday');
  expect(again.newest?.token).toBe('another-4');
  // However many runs there were: the expired one, the one that will be the next, and the newest.
  expect(again.secrets).toHaveLength(3);
});

test('a later run uses a kept token that has expired, unless the profile has a better way', async ({}, info) => {
  const profile = (more = '') => `address: { baseUrl: https://sandbox.example.com }
auth:
  kind: client-credentials
  tokenEndpoint: https://login.example.com/token
  clientId: id
  clientSecret: "${reference('TOKEN')}"
  tokenFile: kept/tokens.json
${more}`;
  const target = info.outputPath('acme.yaml');
  const load = (more?: string) => {
    writeFileSync(target, profile(more));
    return loadProfile({ target }, env);
  };
  load()?.tokenFile?.keep(granted('of-yesterday', -24 * hourMs));
  expect(load()?.profile.auth.expiredToken).toBe('of-yesterday');
  expect(load(`  expiredToken: "${reference('TOKEN')}"\n`)?.profile.auth.expiredToken).toBe(env.TOKEN);
  const call = 'calls: { expireToken: { method: POST, url: /expire } }\n';
  expect(load(call)?.profile.auth.expiredToken).toBeUndefined();
  expect(load()?.hash).toBe(load()?.hash);
});

const wrong: readonly (readonly [title: string, content: string, mode: number, message: RegExp])[] = [
  ['others can read', '{}', 0o644, /others on this machine can read this token file; chmod 600 \S*json$/],
  ['is no JSON', 'secret', 0o600, /is no JSON, or cut off; name another one in auth\.tokenFile, or delete/],
  ['is something else', '{"name":"secret"}', 0o600, /is no token file of the suite: .*; name another one/],
];

for (const [title, content, mode, message] of wrong) {
  test(`a file that ${title} is refused`, async ({}, info) => {
    mkdirSync(dirname(place(info)), { recursive: true });
    writeFileSync(place(info), content);
    chmodSync(place(info), mode);
    const refused = () => open(info);
    expect(refused).toThrow(ConfigurationError);
    expect(refused).toThrow(message);
    expect(refused).not.toThrow(/secret/);
  });
}

test('a user without a home folder has no key, and none is kept in the current folder', () => {
  const { HOME, XDG_STATE_HOME } = process.env;
  Object.assign(process.env, { HOME: '', XDG_STATE_HOME: '' });
  try {
    expect(userKey()).toBeUndefined();
    expect(existsSync('.local')).toBe(false);
  } finally {
    Object.assign(process.env, { HOME, XDG_STATE_HOME });
  }
});

test('it lies where the profile says, or in the folder of the user', async () => {
  const auth = {
    kind: 'authorization-code',
    authorizationEndpoint: 'https://a.example/authorize',
    tokenEndpoint: 'https://a.example/token',
    clientId: 'id',
  } as const;
  const linux = (env: NodeJS.ProcessEnv = {}) => ({ platform: 'linux', home: '/home/ann', env }) as const;
  const env = { LOCALAPPDATA: '/users/ann/local' };
  const windows = { platform: 'win32', home: '/users/ann', env } as const;
  const usual = /^\/home\/ann\/\.local\/state\/esign-conformance\/tokens\/[0-9a-f]{16}\.json$/;
  for (const [tokenFile, folder, user, found] of [
    ['a.json', '/p', linux(), /^\/p\/a\.json$/],
    ['~/a.json', '/p', linux(), /^\/home\/ann\/a\.json$/],
    [undefined, '/p', linux(), usual],
    [undefined, '/p', linux({ XDG_STATE_HOME: 'state' }), usual],
    [undefined, '/p', linux({ XDG_STATE_HOME: '/state' }), /^\/state\/esign-conformance\/tokens\//],
    [undefined, '/p', windows, /^\/users\/ann\/local\/esign-conformance\/tokens\//],
    ['a.json', '/users/ann/p', windows, /^\/users\/ann\/p\/a\.json$/],
  ] as const)
    expect(tokenFilePlace({ ...auth, ...(tokenFile && { tokenFile }) }, folder, user)).toMatch(found);
  // In a container the user may have none.
  for (const tokenFile of ['~/a.json', undefined])
    expect(() =>
      tokenFilePlace({ ...auth, ...(tokenFile && { tokenFile }) }, '/p', { ...linux(), home: '' }),
    ).toThrow('this user has no home folder: set HOME');
  expect(tokenFilePlace({ kind: 'static', token: 't' }, '/p')).toBeUndefined();
  const ofOther = tokenFilePlace({ ...auth, clientId: 'other' }, '/p', linux());
  expect(ofOther).not.toBe(tokenFilePlace(auth, '/p', linux()));
  expect(() => tokenFilePlace({ ...auth, tokenFile: 'a.json' }, '/shared', windows)).toThrow(
    /"a\.json" lies outside of \/users\/ann, where others can read it; write for example ~\/acme-tokens\.json/,
  );
});
