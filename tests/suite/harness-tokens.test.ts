/** Access tokens: how they are asked for and renewed, tokens that a target has to reject, and requests that bring none, with one message that names the key and the fix. Offline, with nock. */
import { expect, test } from '@playwright/test';
import nock from 'nock';
import type { AuthSettings } from '../../harness/profile/auth-settings.ts';
import { TokenFile } from '../../harness/profile/token-file.ts';
import { expiredBy, expiredToken } from '../../harness/target/access/expired-token.ts';
import { TokenError } from '../../harness/target/access/token-request.ts';
import type { AccessTokens } from '../../harness/target/access/tokens.ts';
import type { Answer } from '../../harness/target/call.ts';
import { host, offline, tokensFor } from './services/client.ts';

const server = 'https://login.example.com';
const settings: AuthSettings = {
  kind: 'client-credentials',
  tokenEndpoint: `${server}/oauth/token`,
  clientId: 'id-with_a.sign and blank',
  clientSecret: 's3cret-_.*/+',
};

offline(test);

const granted = (token: string, more: object = { expires_in: 3600 }) => ({
  access_token: token,
  token_type: 'Bearer',
  ...more,
});

/** What the authorization server is asked, in order. */
function grant(...answers: readonly (readonly [status: number, body: object | string])[]): string[] {
  const asked: string[] = [];
  for (const [status, body] of answers) {
    nock(server)
      .post('/oauth/token', (form: unknown) => {
        asked.push(JSON.stringify(form));
        return true;
      })
      .reply(status, body, { 'Content-Type': 'application/json' });
  }
  return asked;
}

test('client credentials are sent as Basic, each part encoded as a form', async () => {
  const basic = Buffer.from('id-with_a.sign+and+blank:s3cret-_.*%2F%2B').toString('base64');
  nock(server, { reqheaders: { authorization: `Basic ${basic}` } })
    .post('/oauth/token', { grant_type: 'client_credentials', scope: 'sign' })
    .reply(200, granted('first-token'));
  const tokens = tokensFor({ ...settings, scope: 'sign' });
  expect(await tokens.valid()).toBe('first-token');
  expect(await tokens.valid()).toBe('first-token');
  expect(tokens.renewals).toBe(0);
});

test('a token that is about to run out is renewed once, however many ask', async () => {
  const asked = grant([200, granted('one', { expires_in: 0 })], [200, granted('two')]);
  const tokens = tokensFor(settings);
  await tokens.valid();
  const values = await Promise.all([tokens.valid(), tokens.valid(), tokens.valid()]);
  expect(values).toEqual(['two', 'two', 'two']);
  expect(asked).toHaveLength(2);
  expect(tokens.renewals).toBe(1);
});

test('a token that lives no moment is used all the same', async () => {
  grant([200, granted('one', { expires_in: 0 })], [200, granted('two', { expires_in: 0 })]);
  expect(await tokensFor(settings).valid()).toBe('two');
});

test('after a 401 there is another token, once for all who met it, if the first one ever worked', async () => {
  const asked = grant([200, granted('one')], [200, granted('two')]);
  const tokens = tokensFor(settings);
  await tokens.valid();
  expect(await tokens.after('one')).toBeUndefined();
  tokens.took('one');
  expect(await Promise.all([tokens.after('one'), tokens.after('one')])).toEqual(['two', 'two']);
  expect(await tokens.after('one')).toBe('two');
  expect(await tokens.after('two')).toBeUndefined();
  expect(await tokens.valid()).toBe('two');
  expect(asked).toHaveLength(2);
  expect(tokens.renewals).toBe(1);
});

test('no token comes of a server that stays in trouble, and nobody waits twice for it', async () => {
  const asked = grant([500, ''], [500, ''], [500, '']);
  const tokens = tokensFor(settings);
  await expect(tokens.valid()).rejects.toThrow(/it was answered with 500$/);
  await expect(tokens.valid()).rejects.toThrow(TokenError);
  expect(asked).toHaveLength(3);
});

const shapes = [
  'a',
  '1',
  '-----------------',
  'aaaaaaaaaaaaaaaaaaaaaaaa',
  'ab-------------------cd',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  'f3b0c442-98fc-1c14-9afb-f4c8996fb924',
];

for (const token of shapes) {
  test(`an altered token is never the token: ${token}`, async () => {
    const altered = await tokensFor({ kind: 'static', token }).spoilt('altered');
    expect(altered).not.toBe(token);
    expect(altered.toLowerCase()).not.toBe(token.toLowerCase());
    expect(altered).toMatch(/^[A-Za-z0-9._~+/=-]+$/);
    // A single sign decodes to nothing.
    const bytes = Buffer.from(token, 'base64url');
    expect(bytes.length > 0 && Buffer.from(altered, 'base64url').equals(bytes)).toBe(false);
  });
}

test('a call that answers with a token, of which the profile names no place, gives none that has expired', async () => {
  const tokens = { expired: undefined, spare: async () => 'a-spare-access-token' } as AccessTokens;
  const registered: string[] = [];
  const asked = (root: unknown) =>
    expiredToken(
      tokens,
      { method: 'POST', url: '/expire' },
      async (_, __, learn) => {
        learn({ item: root, root });
        return { status: 200, text: '' } as Answer;
      },
      (token) => registered.push(token),
    );
  expect(await asked({ state: 'done' })).toBe('a-spare-access-token');
  await expect(asked({ access_token: 'one-that-has-expired' })).rejects.toThrow(/say in its result/);
  expect(registered).toContain('one-that-has-expired');
  const many = Array.from({ length: 1_000 }, (_, at) => ({ token: `one-of-so-many-tokens-${at}` }));
  registered.length = 0;
  await expect(asked(many)).rejects.toThrow(/say in its result/);
  expect(registered.length).toBeLessThan(20);
});

const secrets = ['client-secret-1', 'refresh-token-1', 'api-key-1', 'hidden-token'];

const client = { tokenEndpoint: `${host}/token`, clientId: 'id', clientSecret: 'client-secret-1' };
const credentials = { kind: 'client-credentials', ...client } as const;
const call = { method: 'POST', url: '/token', headers: { 'X-Api-Key': 'api-key-1' }, body: {} } as const;
const kinds = {
  credentials,
  refresh: { kind: 'refresh-token', ...client, refreshToken: 'refresh-token-1' },
  key: { kind: 'api-key', call },
  pointed: { ...credentials, answer: { accessToken: '/data/token', lifetime: '/data/ttl' } },
} as const satisfies Record<string, AuthSettings>;

const page = '<!DOCTYPE html><html><body>Log in</body></html>';
const loginAt = { Location: 'https://sso.example.com/login?x=y' };
const given = (token: string) => [200, { data: { token } }] as const;
const challenged = [401, { error: 'invalid_client' }, { 'WWW-Authenticate': 'Basic realm="token"' }] as const;
const spent = [400, { error: 'invalid_grant', error_description: 'expired' }] as const;
const longest = [400, { error: 'x'.repeat(500_000), error_description: 'y '.repeat(200_000) }] as const;
const other = [200, { accessToken: 'hidden-token', expiresIn: 60 }] as const;

/** What answers a request for a token, and what is said of it. */
const cases: readonly (readonly [
  title: string,
  kind: keyof typeof kinds,
  answer: readonly [status: number, body: object | string, headers?: Readonly<Record<string, string>>],
  message: RegExp,
])[] = [
  [
    'wrong credentials, with a challenge',
    'credentials',
    challenged,
    /\.com\/token: 401 invalid_client; look at/,
  ],
  [
    'a refresh token that has expired',
    'refresh',
    spent,
    /\(expired\); auth\.refreshToken has expired, .* new one$/,
  ],
  ['an error as long as an answer may be', 'refresh', longest, /: 400 x{400}… \((?:y ){200}…\); auth\.ref/],
  ['a wrong API key', 'key', [403, { message: 'no' }], /it was answered with 403 .*; look at the key and/],
  ['a page', 'key', [200, page], /: its answer is a web page and no JSON: is the address right\?$/],
  ['a login page', 'credentials', [302, '', loginAt], /302, a redirect to https:\/\/sso\.example\.com; /],
  [
    'another answer than that of RFC 6749',
    'credentials',
    other,
    /\(auth\.answer\.accessToken\); .* expiresIn$/,
  ],
  ['a lifetime elsewhere', 'pointed', given('hidden-token'), /no lifetime at .* the answer holds data$/],
  ['a token that no header may carry', 'pointed', given('two words'), /signs that no header may carry$/],
  ['a token that is too long', 'pointed', given('x'.repeat(70_000)), /70000 characters; at most 65536 /],
];

for (const [title, kind, [status, body, headers = {}], message] of cases) {
  test(`no token comes of ${title}`, async () => {
    nock(host)
      .post('/token')
      // A gateway's may be gone in a moment.
      .times(body === page ? 3 : 1)
      .reply(status, body, { 'Content-Type': 'application/json', ...headers });
    const error = (await tokensFor(kinds[kind])
      .valid()
      .catch((thrown: unknown) => thrown)) as Error;
    expect(error).toBeInstanceOf(TokenError);
    expect(error.message).toMatch(message);
    for (const secret of secrets) expect(error.message).not.toContain(secret);
  });
}

test('a refresh token that may have been spent is not sent again', async () => {
  const asked: string[] = [];
  nock(host)
    .post('/token', (form: Record<string, string>) => Boolean(asked.push(form.refresh_token ?? '')))
    .times(3)
    .reply(502);
  await expect(tokensFor(kinds.refresh).valid()).rejects.toThrow(/it was answered with 502$/);
  expect(asked).toEqual(['refresh-token-1']);
});

test('a refresh token that was replaced is used from then on, also in the next run', async ({}, info) => {
  const asked: string[] = [];
  for (const next of ['two', 'three', 'four', 'five']) {
    nock(host)
      .post('/token', (form: Record<string, string>) => Boolean(asked.push(form.refresh_token ?? '')))
      .reply(200, { access_token: `access-${next}`, expires_in: 3600, refresh_token: `refresh-${next}` });
  }
  const inRun = (file?: TokenFile) => tokensFor(kinds.refresh, undefined, undefined, file);
  const file = () => new TokenFile(info.outputPath('tokens.json'), 'acme');
  const tokens = inRun(file());
  // At the same time: each needs what the one before brought.
  expect(await Promise.all([tokens.spare(), tokens.spare()])).toEqual(['access-two', 'access-three']);
  expect(await inRun(file()).spare()).toBe('access-four');
  expect(tokens.warnings).toEqual([]);
  const unkept = inRun();
  expect(await unkept.spare()).toBe('access-five');
  expect(unkept.warnings).toEqual([expect.stringContaining('which may not work a second time')]);
  expect(asked).toEqual(['refresh-token-1', 'refresh-two', 'refresh-three', 'refresh-token-1']);
});

test('a kept access token that is refused, as one that ended before its time, is renewed where a refresh token is kept with it', async ({}, info) => {
  nock(host).post('/token').reply(200, { access_token: 'access-two' });
  const { clientId, tokenEndpoint } = client;
  const login = {
    kind: 'authorization-code',
    authorizationEndpoint: `${host}/login`,
    clientId,
    tokenEndpoint,
  } as const;
  const afterKept = async (name: string, more: object) => {
    const file = () => new TokenFile(info.outputPath(name), 'acme');
    file().keep({ token: 'access-one', lifetimeMs: Number.POSITIVE_INFINITY, ...more });
    const tokens = tokensFor(login, undefined, undefined, file());
    return tokens.after(await tokens.valid());
  };
  expect(await afterKept('alone', {})).toBeUndefined();
  expect(await afterKept('renewable', { refreshToken: 'refresh-one' })).toBe('access-two');
});

test('a renewal that fails for a moment is tried again by the next call', async () => {
  const grant = (token: string, expires_in: number) =>
    nock(host).post('/token').reply(200, { access_token: token, token_type: 'Bearer', expires_in });
  grant('one', 0);
  const tokens = tokensFor(kinds.credentials);
  nock(host).post('/token').reply(400, { error: 'temporarily_unavailable' });
  await expect(tokens.valid()).rejects.toThrow(TokenError);
  grant('two', 3600);
  expect(await tokens.valid()).toBe('two');
});

const lifetimes: readonly (readonly [
  unit: 's' | 'ms' | 'min' | 'unix-s' | 'unix-ms',
  value: () => unknown,
])[] = [
  ['s', () => 120],
  ['s', () => '120'],
  ['ms', () => 120_000],
  ['min', () => 2],
  ['unix-s', () => Math.round(Date.now() / 1000) + 120],
  ['unix-ms', () => Date.now() + 120_000],
  ['s', () => new Date(Date.now() + 120_000).toISOString()],
  ['s', () => 'PT2M'],
  ['ms', () => 'PT1M60S'],
];

for (const [at, [lifetimeUnit, value]] of lifetimes.entries()) {
  test(`a lifetime is read in ${lifetimeUnit} (${at})`, async () => {
    nock(host).post('/token').reply(200, { access_token: 'a', until: value() });
    const tokens = tokensFor({
      ...kinds.credentials,
      answer: { lifetime: '/until', lifetimeUnit },
    } as AuthSettings);
    await tokens.valid();
    const [seconds = 0] = tokens.statedLifetimesS;
    expect(Math.abs(seconds - 120)).toBeLessThan(30);
  });
}

test('a lifetime that nobody states is the one of the profile', async () => {
  nock(host).post('/token').reply(200, { access_token: 'a' });
  const tokens = tokensFor({ ...kinds.credentials, lifetimeS: 90 } as AuthSettings);
  await tokens.valid();
  expect([...tokens.statedLifetimesS]).toEqual([90]);
});

test('a lifetime that cannot be read is a warning that names its place, unless the profile knows it', async () => {
  const tokenOf = async (more: object) => {
    nock(host).post('/token').reply(200, { access_token: 'a', expires_in: 'soon' });
    const tokens = tokensFor({ ...kinds.credentials, ...more } as AuthSettings);
    await tokens.valid();
    return tokens.warnings;
  };
  expect(await tokenOf({})).toEqual([
    expect.stringMatching(/^the lifetime at \/expires_in .*auth\.lifetimeS/),
  ]);
  expect(await tokenOf({ lifetimeS: 90 })).toEqual([]);
});

test('client credentials by a call of the vendor, whose answer is XML', async () => {
  nock(host)
    .post('/login', '<login user="c1">client-secret-1</login>')
    .reply(200, '<session for="PT1H"><ticket>t1</ticket></session>', { 'Content-Type': 'text/xml' });
  const tokens = tokensFor({
    kind: 'client-credentials',
    clientId: 'c1',
    clientSecret: 'client-secret-1',
    call: { method: 'POST', url: `${host}/login`, body: '<login user="{clientId}">{clientSecret}</login>' },
    answer: { accessToken: '/session/ticket', lifetime: '/session/@for' },
  });
  expect(await tokens.valid()).toBe('t1');
  expect([...tokens.statedLifetimesS]).toEqual([3600]);
});

test('a refresh token alone is sent without a client, and a reusable one is sent again', async () => {
  const body = { grant_type: 'refresh_token', refresh_token: 'refresh-token-1' };
  for (const token of ['one', 'two']) {
    nock(host, { badheaders: ['authorization'] })
      .post('/token', body)
      .reply(200, { access_token: token, token_type: 'Bearer', refresh_token: `new-${token}` });
  }
  const tokens = tokensFor({
    kind: 'refresh-token',
    refreshToken: 'refresh-token-1',
    tokenEndpoint: `${host}/token`,
    reusable: true,
  });
  expect(await tokens.valid()).toBe('one');
  expect(await tokens.spare()).toBe('two');
  expect(tokens.warnings).toEqual([]);
});

test('that a token has expired is known from the target, from a call that ends it, or from itself; else the profile alone says so', () => {
  const token = (exp: number) => `e30.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.c2ln`;
  const given = (expired: string) =>
    ({ auth: { kind: 'static', token: 'valid', expiredToken: expired } }) as const;
  const made = (call: object) => ({
    auth: settings,
    calls: { expireToken: { method: 'POST', url: '/expire', ...call } },
  });
  expect(expiredBy(given('opaque'))).toBe('profile');
  expect(expiredBy(given(token(1)))).toBe('call');
  expect(expiredBy(given(token(1e11)))).toBe('profile');
  // Services take a token for some minutes longer.
  expect(expiredBy(given(token(Date.now() / 1000 - 60)))).toBe('profile');
  expect(expiredBy(made({ result: '/token' }))).toBe('target');
  expect(expiredBy(made({}))).toBe('call');
  expect(expiredBy(made({ method: 'GET' }))).toBe('profile');
  expect(expiredBy(made({ url: '/token', result: '/token' }))).toBe('profile');
  expect(expiredBy(made({ method: 'GET', url: '/expired-token', result: '/token' }))).toBe('target');
});
