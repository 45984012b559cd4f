/** Who is let in by the reference service: its token and authorization endpoints, control calls and paths. */
import { createHash } from 'node:crypto';
import { expect, test } from '@playwright/test';
import type { Dialect } from '../../reference/dialect.ts';
import { type Reference, startReference } from '../../reference/server.ts';
import { withDialect } from './services/token-asking.ts';

const grant = { grant_type: 'client_credentials' };
const redirectUri = 'http://127.0.0.1:5555/callback';
const verifier = 'a-verifier-of-forty-three-signs-at-the-least-0123';
const challenge = createHash('sha256').update(verifier).digest('base64url');

/** Asks the token endpoint, with HTTP Basic, with the credentials in the body, or as a client without any. */
async function asked(
  reference: Reference,
  form: Record<string, string>,
  how: 'basic' | 'body' | 'wrong' | 'none' = 'basic',
) {
  const { clientId: client_id, clientSecret, tokenEndpoint } = reference.credentials;
  const secret = how === 'wrong' ? 'wrong' : clientSecret;
  // Any number of blanks may follow the scheme (RFC 9110, 11.4).
  const basic = `Basic  ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`;
  const inBody: Record<string, string> =
    how === 'body' ? { client_id, client_secret: secret } : how === 'none' ? { client_id } : {};
  const answer = await reference.handle(
    new Request(tokenEndpoint, {
      method: 'POST',
      headers: how === 'basic' || how === 'wrong' ? { Authorization: basic } : {},
      body: new URLSearchParams({ ...form, ...inBody }),
    }),
  );
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

const unknown = { grant_type: 'refresh_token', refresh_token: 'x' };
const refusals: readonly (readonly [
  dialect: Partial<Dialect>,
  form: Record<string, string>,
  how: 'basic' | 'body' | 'wrong' | 'none',
  status: number,
  error: string,
  description?: string,
])[] = [
  [{}, grant, 'wrong', 401, 'invalid_client'],
  [{}, {}, 'basic', 400, 'invalid_request'],
  [{}, { grant_type: 'password' }, 'basic', 400, 'unsupported_grant_type'],
  [{}, unknown, 'basic', 400, 'invalid_grant'],
  [{ tokenClient: 'body' }, grant, 'basic', 401, 'invalid_client'],
  [{ tokenClient: 'basic' }, grant, 'body', 401, 'invalid_client'],
  [{ tokenClient: 'none' }, grant, 'none', 400, 'unauthorized_client'],
  [{ tokenClient: 'api-key' }, grant, 'none', 401, 'invalid_client'],
  [{ tokenEncoding: 'json' }, grant, 'none', 400, 'invalid_request', 'The body is not application/json'],
  [
    { tokenEncoding: 'multipart' },
    grant,
    'none',
    400,
    'invalid_request',
    'The body is not multipart/form-data',
  ],
];

test('the token endpoint refuses as RFC 6749 says', async () => {
  for (const [dialect, form, how, status, error, error_description] of refusals) {
    const told = await withDialect(dialect, (reference) => asked(reference, form, how));
    expect(told, JSON.stringify([dialect, form, how])).toEqual({
      status,
      json: error_description === undefined ? { error } : { error, error_description },
    });
  }
  await withDialect({}, async (reference) => {
    const { tokenEndpoint: url, clientId: client_id, clientSecret: client_secret } = reference.credentials;
    const body = JSON.stringify({ ...grant, client_id, client_secret });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await reference.handle(new Request(url, { method: 'POST', headers, body }));
    const error_description = 'The body is not application/x-www-form-urlencoded';
    expect(await answer.json()).toEqual({ error: 'invalid_request', error_description });
  });
});

test('HTTP Basic is read form-encoded, as RFC 6749 says, and as it stands, as many clients send it', async () => {
  const reference = await startReference({ client: { clientId: 'a+b', clientSecret: 'p%20q+r&s=t%' } });
  const { clientSecret, tokenEndpoint } = reference.credentials;
  const form = (text: string) => new URLSearchParams({ v: text }).toString().slice(2);
  for (const [pair, status] of [
    [`a+b:${clientSecret}`, 200],
    [`${form('a+b')}:${form(clientSecret)}`, 200],
    [`a+b:${form(form(clientSecret))}`, 401],
  ] as const) {
    const headers = { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
    const body = new URLSearchParams(grant);
    const answer = await reference.handle(new Request(tokenEndpoint, { method: 'POST', headers, body }));
    expect(answer.status, pair).toBe(status);
  }
  await reference.close();
});

test('a rotated refresh token works once', async () => {
  await withDialect({ refreshTokens: 'rotated' }, async (reference) => {
    const first = await asked(reference, grant, 'body');
    const again = { grant_type: 'refresh_token', refresh_token: String(first.json.refresh_token) };
    expect((await asked(reference, again, 'body')).json.refresh_token).not.toBe(first.json.refresh_token);
    expect((await asked(reference, again, 'body')).json).toEqual({ error: 'invalid_grant' });
  });
});

/** Presses a button of the login page; where the browser goes, or the status of a refusal. */
async function decided(
  reference: Reference,
  changes: Record<string, string> = {},
): Promise<URLSearchParams | number> {
  const fields = {
    response_type: 'code',
    client_id: reference.credentials.clientId,
    redirect_uri: redirectUri,
    state: 'some-state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    decision: 'allow',
    ...changes,
  };
  const body = new URLSearchParams(fields);
  const answer = await reference.handle(
    new Request(reference.authorizationEndpoint, { method: 'POST', body }),
  );
  return answer.status === 303 ? new URL(answer.headers.get('location') ?? '').searchParams : answer.status;
}

test('the login page asks, and sends the browser back with what was decided', async () => {
  await withDialect({}, async (reference) => {
    const query = new URLSearchParams({
      client_id: reference.credentials.clientId,
      redirect_uri: redirectUri,
    });
    const shown = await reference.handle(new Request(`${reference.authorizationEndpoint}?${query}`));
    expect(await shown.text()).toContain('Let client-first in?');
    // Chromium holds redirects after a form to this, too.
    expect(shown.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://127.0.0.1:5555;",
    );
    expect(String(await decided(reference))).toMatch(/^state=some-state&code=[\w-]{43}$/);
    for (const [changes, told] of [
      [{ decision: 'deny' }, 'state=some-state&error=access_denied'],
      [{ code_challenge_method: 'plain' }, 'state=some-state&error=invalid_request'],
      [{ client_id: 'nobody' }, '400'],
      [{ redirect_uri: 'https://elsewhere.example/' }, '400'],
      [{ redirect_uri: 'http://127.0.0.1.elsewhere.example/' }, '400'],
      [{ redirect_uri: 'http://127.0.0.1:65536/' }, '400'],
    ] as const) {
      expect(String(await decided(reference, changes))).toBe(told);
    }
  });
});

test('a code is good once, for its client, its redirect URI and its verifier', async () => {
  await withDialect({ tokenClient: 'none' }, async (reference) => {
    const code = async () =>
      String(new URLSearchParams((await decided(reference)) as URLSearchParams).get('code'));
    const exchange = (given: string, changes: Record<string, string> = {}) => {
      const form = { grant_type: 'authorization_code', redirect_uri: redirectUri, code_verifier: verifier };
      return asked(reference, { ...form, code: given, ...changes }, 'none');
    };
    const first = await code();
    expect(await exchange(first)).toMatchObject({ status: 200, json: { expires_in: 3600 } });
    const refused = { status: 400, json: { error: 'invalid_grant' } };
    expect(await exchange(first)).toEqual(refused);
    const wrong: readonly Record<string, string>[] = [
      { code_verifier: 'another' },
      { redirect_uri: 'http://127.0.0.1:1/' },
      { code: 'guessed' },
    ];
    for (const changes of wrong) expect(await exchange(await code(), changes)).toEqual(refused);
  });
});
