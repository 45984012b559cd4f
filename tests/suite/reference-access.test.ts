/** Who is let in by the reference service, and who may see what: its token and authorization endpoints, ids that cannot be guessed, accounts that stay apart. */
import { createHash } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { path } from '../../openapi/codes.ts';
import type { Dialect } from '../../reference/dialect.ts';
import { type IdForm, newId, newSecret } from '../../reference/ids.ts';
import { type Reference, startReference } from '../../reference/server.ts';
import { signatoryBody, skeletonBody, stampedBody, withReference } from './reference-client.ts';
import { Flow, somebody } from './reference-flow.ts';

const grant = { grant_type: 'client_credentials' };
const redirectUri = 'http://127.0.0.1:5555/callback';
const verifier = 'a-verifier-of-forty-three-signs-at-the-least-0123';
const challenge = createHash('sha256').update(verifier).digest('base64url');

type How = 'basic' | 'body' | 'wrong' | 'none' | 'nobody';

/** Asks the token endpoint, with HTTP Basic, with the credentials in the body, as a client without a secret, or as none. */
async function asked(reference: Reference, form: Record<string, string>, how: How = 'basic') {
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
      body: new URLSearchParams({ ...inBody, ...form }),
    }),
  );
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

const unknown = { grant_type: 'refresh_token', refresh_token: 'x' };
const nobodys = 'There are no credentials of a client (tokenClient=basic-or-body of the dialect)';
const noClient = (form: string) => `The credentials are of no client (tokenClient=${form} of the dialect)`;
const grants = 'client_credentials, authorization_code, refresh_token';
const refusals: readonly (readonly [
  dialect: Partial<Dialect>,
  form: Record<string, string>,
  how: How,
  status: number,
  error: string,
  description?: string,
])[] = [
  [{}, grant, 'wrong', 401, 'invalid_client', noClient('basic-or-body')],
  [{}, grant, 'nobody', 401, 'invalid_client', nobodys],
  [{}, {}, 'basic', 400, 'invalid_request', 'grant_type is missing'],
  [{}, { grant_type: 'password' }, 'basic', 400, 'unsupported_grant_type', `grant_type is none of ${grants}`],
  [{}, unknown, 'basic', 400, 'invalid_grant'],
  [{ tokenClient: 'body' }, grant, 'basic', 401, 'invalid_client', noClient('body')],
  [{ tokenClient: 'basic' }, grant, 'body', 401, 'invalid_client', noClient('basic')],
  [{ tokenClient: 'none' }, grant, 'none', 400, 'unauthorized_client', 'The client has no secret'],
  [{ tokenClient: 'api-key' }, grant, 'none', 401, 'invalid_client', noClient('api-key')],
  [{ tokenScope: 'sign' }, grant, 'basic', 400, 'invalid_scope', 'scope lacks sign'],
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
    const told = await withReference({ dialect }, ({ reference }) => asked(reference, form, how));
    expect(told, JSON.stringify([dialect, form, how])).toEqual({
      status,
      json: error_description === undefined ? { error } : { error, error_description },
    });
  }
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
  await withReference({ dialect: { refreshTokens: 'rotated' } }, async ({ reference }) => {
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
  await withReference({}, async ({ reference }) => {
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
  await withReference({ dialect: { tokenClient: 'none' } }, async ({ reference }) => {
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

/** Bits by which ids differ: over all places, the logarithm of how many characters were seen there. */
function bitsOf(ids: readonly string[]): number {
  const length = Math.min(...ids.map((id) => id.length));
  const kinds = Array.from({ length }, (_, place) => new Set(ids.map((id) => id[place])).size);
  return kinds.reduce((bits, seen) => bits + Math.log2(seen), 0);
}

/** The form `number` is as long as a JSON number carries without loss. */
const forms: readonly (readonly [IdForm, number])[] = [
  ...(['uuid', 'digits', 'prefixed', 'hex', 'long', 'base64', 'slash'] as const).map(
    (form) => [form, 64] as const,
  ),
  ['number', 45],
];

test('ids and secrets differ in as many random bits as nobody tries out, and do not follow one another', () => {
  for (const [form, least] of forms) {
    const ids = Array.from({ length: 1_000 }, () => newId(form, 'req'));
    expect(new Set(ids).size, form).toBe(ids.length);
    expect(bitsOf(ids), form).toBeGreaterThan(least);
    // Ids in a row are not sorted: what comes next does not follow from what came before.
    const rising = ids.filter((id, index) => index > 0 && id > (ids[index - 1] ?? '')).length;
    expect(rising, form).toBeGreaterThan(350);
    expect(rising, form).toBeLessThan(650);
  }
  expect(bitsOf(Array.from({ length: 1_000 }, newSecret))).toBeGreaterThan(200);
});

test('a token of another account reaches nothing: no call sees, changes or uses what belongs to the first', async () => {
  await withReference({}, async (client) => {
    const stranger = { authorization: `Bearer ${client.reference.other.token}` };
    const name = 'a name that is nobody else’s business';
    const flow = await Flow.create(client, [somebody('first', { Name: name }), somebody('second')], {
      Title: name,
    });
    await flow.send();
    const document = await client.document(name);
    const one = `${path.skeleton}/${flow.requestId}`;
    const person = `${one}/signatories/${flow.idOf('first')}`;
    const stamps = { signatoryId: flow.idOf('first'), Stamps: [] };
    const owned = async () => [
      (await flow.status()).text,
      (await client.send('GET', `/_control/requests/${flow.requestId}`)).text,
      (await client.create(skeletonBody([document]))).status,
    ];
    const before = await owned();
    const calls: readonly (readonly [method: string, target: string, body?: unknown])[] = [
      ['POST', `${path.skeleton}?type=0`, skeletonBody([document])],
      ['POST', `${path.create}?type=3`, stampedBody([document])],
      ['POST', `${path.autoStamping}?type=3`, stampedBody([document])],
      ['POST', `${one}/signatories`, signatoryBody],
      ['POST', `${one}/send`],
      ['GET', `${one}/status`],
      ['GET', `${one}/documents`],
      ['GET', `${one}/documents/0`],
      ['POST', `${one}/stamps`, stamps],
      ...['sign', 'approve', 'complete', 'decline', 'otp'].map(
        (act) => ['POST', `${person}/${act}`, {}] as const,
      ),
      ['GET', `/_control/requests/${flow.requestId}`],
      ['DELETE', `/_control/requests/${flow.requestId}`],
      ['POST', `/_control/documents/${document}/invalidate`],
      ['GET', '/_control/calls'],
      ['GET', '/_control/deliveries'],
      ['GET', '/_control/requests'],
      ['POST', '/_control/act', { person: flow.idOf('first'), act: 'sign' }],
      ['POST', '/_control/failures', { operation: 'upload', status: 503 }],
      ['POST', '/_control/reset'],
      ['POST', '/_control/tokens/expire', { token: client.reference.tokens.valid }],
      ['DELETE', one],
    ];
    for (const [method, target, body] of calls) {
      const reply =
        body === undefined
          ? await client.send(method, target, undefined, stranger)
          : await client.json(method, target, body, stranger);
      expect({ target, status: reply.status }).toEqual({ target, status: 404 });
      expect(reply.text).not.toContain(name);
    }
    expect(await owned()).toEqual(before);
  });
});

test('a refresh token and a client secret of one account give no token of the other', async () => {
  await withReference({ dialect: { refreshTokens: 'kept' } }, async ({ reference }) => {
    const { credentials, other } = reference;
    const as = ({ clientId: client_id, clientSecret: client_secret }: typeof credentials) => ({
      client_id,
      client_secret,
    });
    const { json } = await asked(reference, { ...grant, ...as(credentials) }, 'none');
    const crossed = { grant_type: 'refresh_token', refresh_token: String(json.refresh_token) };
    const told = async (form: Record<string, string>) => (await asked(reference, form, 'none')).json;
    expect(await told({ ...crossed, ...as(other.credentials) })).toEqual({ error: 'invalid_grant' });
    const mixed = { ...as(credentials), client_secret: other.credentials.clientSecret };
    expect(await told({ ...grant, ...mixed })).toMatchObject({ error: 'invalid_client' });
  });
});
