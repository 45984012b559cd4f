/** Tokens, accounts and control calls of the reference service. */
import { expect, test } from '@playwright/test';
import { message, path } from '../../openapi/codes.ts';
import type { Dialect } from '../../reference/dialect.ts';
import { signatoryBody, skeletonBody, withReference } from './reference-client.ts';

const grant = { grant_type: 'client_credentials' };

/** Asks the token endpoint, with HTTP Basic or with the credentials in the body. */
async function askToken(
  dialect: Partial<Dialect>,
  form: Record<string, string>,
  how: 'basic' | 'body' | 'wrong' = 'basic',
): Promise<{ readonly status: number; readonly answer: Record<string, unknown>; readonly works: boolean }> {
  return withReference({ dialect }, async (client) => {
    const { reference } = client;
    const { clientId, clientSecret, tokenEndpoint } = reference.credentials;
    const secret = how === 'wrong' ? 'wrong' : clientSecret;
    const basic = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
    const inBody = { client_id: clientId, client_secret: secret };
    const response = await reference.handle(
      new Request(tokenEndpoint, {
        method: 'POST',
        headers: how === 'body' ? {} : { Authorization: basic },
        body: new URLSearchParams({ ...form, ...(how === 'body' ? inBody : {}) }),
      }),
    );
    const answer = (await response.json()) as Record<string, unknown>;
    const token = String(answer.access_token ?? answer.accessToken);
    const tried = await client.add('nobody-knows', signatoryBody, { authorization: `Bearer ${token}` });
    return { status: response.status, answer, works: tried.status === 404 };
  });
}

test('client credentials give a token that works, with Basic or in the body', async () => {
  for (const how of ['basic', 'body'] as const) {
    const { status, answer, works } = await askToken({}, grant, how);
    expect({ status, works }).toEqual({ status: 200, works: true });
    expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
  }
});

test('the token endpoint refuses as RFC 6749 says', async () => {
  expect(await askToken({}, grant, 'wrong')).toMatchObject({
    status: 401,
    answer: { error: 'invalid_client' },
  });
  expect(await askToken({}, {})).toMatchObject({ status: 400, answer: { error: 'invalid_request' } });
  const other = { grant_type: 'password' };
  expect(await askToken({}, other)).toMatchObject({
    status: 400,
    answer: { error: 'unsupported_grant_type' },
  });
  const unknown = { grant_type: 'refresh_token', refresh_token: 'x' };
  expect(await askToken({}, unknown)).toMatchObject({ status: 400, answer: { error: 'invalid_grant' } });
});

test('the token endpoint follows its dialect', async () => {
  expect(await askToken({ tokenClient: 'body' }, grant, 'basic')).toMatchObject({ status: 401 });
  expect(await askToken({ tokenClient: 'basic' }, grant, 'body')).toMatchObject({ status: 401 });
  const camel = await askToken({ tokenAnswer: 'camelCase', tokenForm: 'three-parts' }, grant);
  expect(camel.answer.accessToken).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect((await askToken({ tokenLifetimeShown: false }, grant)).answer).not.toHaveProperty('expires_in');
  expect((await askToken({ refreshTokens: 'kept' }, grant)).answer).toHaveProperty('refresh_token');
});

test('a rotated refresh token works once', async () => {
  await withReference({ dialect: { refreshTokens: 'rotated' } }, async ({ reference }) => {
    const { clientId: client_id, clientSecret: client_secret, tokenEndpoint } = reference.credentials;
    const ask = async (form: Record<string, string>) => {
      const body = new URLSearchParams({ client_id, client_secret, ...form });
      const response = await reference.handle(new Request(tokenEndpoint, { method: 'POST', body }));
      return (await response.json()) as Record<string, string>;
    };
    const first = await ask(grant);
    const again = { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' };
    const second = await ask(again);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await ask(again)).toEqual({ error: 'invalid_grant' });
  });
});

test('a second account sees nothing of the first', async () => {
  await withReference({}, async (client) => {
    const stranger = { authorization: `Bearer ${client.reference.other.token}` };
    const document = await client.document();
    const requestId = await client.request();
    const create = await client.create(skeletonBody([document]), stranger);
    expect([create.status, create.text.includes(message.documentNotFound)]).toEqual([404, true]);
    const add = await client.add(requestId, signatoryBody, stranger);
    expect([add.status, add.text.includes(message.requestNotFound)]).toEqual([404, true]);
    const calls = ['/_control/requests/', '/_apis/sign/api/v2/requests/'].map((below) =>
      client.send('DELETE', `${below}${requestId}`, undefined, stranger),
    );
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([404, 404]);
    expect((await client.add(requestId, signatoryBody)).status).toBe(200);
  });
});

test('control calls expire tokens, invalidate documents and show and delete requests', async () => {
  await withReference({}, async (client) => {
    const requestId = await client.request();
    await client.add(requestId, signatoryBody);
    const shown = await client.send('GET', `/_control/requests/${requestId}`);
    expect(shown.json).toMatchObject({
      requestId,
      title: 'A title',
      signatories: [{ email: signatoryBody.Email }],
    });
    expect((await client.send('DELETE', `/_control/requests/${requestId}`)).status).toBe(204);
    expect((await client.send('GET', `/_control/requests/${requestId}`)).status).toBe(404);
    expect((await client.send('POST', '/_control/documents/unknown/invalidate')).status).toBe(404);
    const { json } = await client.send('POST', '/_control/tokens/expired');
    const late = await client.upload(Buffer.from('x'), { authorization: `Bearer ${json.access_token}` });
    expect(late.text).toContain(message.expiredToken);
    const token = client.reference.tokens.valid;
    expect((await client.json('POST', '/_control/tokens/expire', { token })).status).toBe(204);
    expect((await client.add(requestId, signatoryBody)).status).toBe(401);
    const without = await client.send('GET', `/_control/requests/${requestId}`, undefined, {
      authorization: null,
    });
    expect(without.status).toBe(401);
  });
});

test('paths are those of the document, spelled as there', async () => {
  await withReference({}, async (client) => {
    for (const wrong of [
      '/_apis/sign/api/requests?type=0',
      `${path.skeleton.toUpperCase()}?type=0`,
      '/api/requests?type=3',
    ]) {
      expect((await client.json('POST', wrong, {})).status, wrong).toBe(404);
    }
    for (const [target, type] of [
      [path.skeleton, 1],
      [path.create, 0],
      [path.create, 4],
      [path.autoStamping, 1],
    ] as const) {
      expect((await client.json('POST', `${target}?type=${type}`, {})).status, `${target} ${type}`).toBe(400);
    }
  });
});
