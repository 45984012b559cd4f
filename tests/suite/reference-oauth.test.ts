/** The authorization endpoint of the reference service, and what its token endpoint takes from whom. */
import { createHash } from 'node:crypto';
import { expect, test } from '@playwright/test';
import type { Dialect } from '../../reference/dialect.ts';
import type { Reference } from '../../reference/server.ts';
import { withDialect } from './services/token-asking.ts';

const redirectUri = 'http://127.0.0.1:5555/callback';
const verifier = 'a-verifier-of-forty-three-signs-at-the-least-0123';
const challenge = createHash('sha256').update(verifier).digest('base64url');

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

async function asked(reference: Reference, fields: Record<string, string>, init: RequestInit = {}) {
  const body = new URLSearchParams({ client_id: reference.credentials.clientId, ...fields });
  const request = new Request(reference.credentials.tokenEndpoint, { method: 'POST', body, ...init });
  const answer = await reference.handle(request);
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

const code = async (reference: Reference) =>
  String(new URLSearchParams((await decided(reference)) as URLSearchParams).get('code'));
const exchange = (given: string, changes: Record<string, string> = {}) => ({
  grant_type: 'authorization_code',
  code: given,
  redirect_uri: redirectUri,
  code_verifier: verifier,
  ...changes,
});

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
    expect(String(await decided(reference, { decision: 'deny' }))).toBe(
      'state=some-state&error=access_denied',
    );
    const plain = { code_challenge_method: 'plain' };
    expect(String(await decided(reference, plain))).toBe('state=some-state&error=invalid_request');
    expect(await decided(reference, { client_id: 'nobody' })).toBe(400);
    expect(await decided(reference, { redirect_uri: 'https://elsewhere.example/' })).toBe(400);
    expect(await decided(reference, { redirect_uri: 'http://127.0.0.1.elsewhere.example/' })).toBe(400);
  });
});

test('a code is good once, for its client, its redirect URI and its verifier', async () => {
  await withDialect({ tokenClient: 'none' }, async (reference) => {
    const first = await code(reference);
    expect(await asked(reference, exchange(first))).toMatchObject({
      status: 200,
      json: { expires_in: 3600 },
    });
    const refused = { status: 400, json: { error: 'invalid_grant' } };
    expect(await asked(reference, exchange(first))).toEqual(refused);
    const wrong: readonly Record<string, string>[] = [
      { code_verifier: 'another' },
      { redirect_uri: 'http://127.0.0.1:1/' },
      { code: 'guessed' },
    ];
    for (const changes of wrong) {
      expect(await asked(reference, exchange(await code(reference), changes))).toEqual(refused);
    }
  });
});

const others: readonly (readonly [
  title: string,
  dialect: Partial<Dialect>,
  status: number,
  error: string,
])[] = [
  ['a public client has no credentials', { tokenClient: 'none' }, 400, 'unauthorized_client'],
  ['a key is asked for', { tokenClient: 'api-key' }, 401, 'invalid_client'],
  ['a form is no JSON', { tokenEncoding: 'json' }, 400, 'invalid_request'],
  ['a form is no multipart form', { tokenEncoding: 'multipart' }, 400, 'invalid_request'],
];

for (const [title, dialect, status, error] of others) {
  test(`client credentials in a form are refused where ${title}`, async () => {
    await withDialect(dialect, async (reference) => {
      expect(await asked(reference, { grant_type: 'client_credentials' })).toEqual({
        status,
        json: { error },
      });
    });
  });
}
