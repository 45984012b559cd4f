/** Access tokens: client credentials, renewal, and tokens that a target has to reject. Offline, with nock. */
import { expect, test } from '@playwright/test';
import nock from 'nock';
import type { AuthSettings } from '../../harness/profile/auth-settings.ts';
import { expiredToken } from '../../harness/target/access/expired-token.ts';
import { TokenError } from '../../harness/target/access/token-request.ts';
import type { Tokens } from '../../harness/target/access/tokens.ts';
import type { Answer } from '../../harness/target/call.ts';
import { offline, tokensFor } from './services/client.ts';

const host = 'https://login.example.com';
const settings: AuthSettings = {
  kind: 'client-credentials',
  tokenEndpoint: `${host}/oauth/token`,
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
    nock(host)
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
  nock(host, { reqheaders: { authorization: `Basic ${basic}` } })
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
  'AAAAAAAAAAAAAAAAAAAAAAAA',
  '11111111111111111111',
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
  const tokens = { expired: undefined, spare: async () => 'a-spare-access-token' } as Tokens;
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
