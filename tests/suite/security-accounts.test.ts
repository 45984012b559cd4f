/** Who may see what at the reference service: ids that cannot be guessed, accounts that stay apart. */
import { expect, test } from '@playwright/test';
import { path } from '../../openapi/codes.ts';
import { type IdForm, newId, newSecret } from '../../reference/ids.ts';
import { signatoryBody, skeletonBody, stampedBody, withReference } from './reference-client.ts';
import { Flow, somebody } from './reference-flow.ts';

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
  await withReference({ dialect: { refreshTokens: 'kept' } }, async (client) => {
    const { credentials, other } = client.reference;
    const ask = async (form: Record<string, string>) => {
      const request = new Request(credentials.tokenEndpoint, {
        method: 'POST',
        body: new URLSearchParams(form),
      });
      return (await (await client.reference.handle(request)).json()) as Record<string, string>;
    };
    const as = ({ clientId, clientSecret }: typeof credentials) => ({
      client_id: clientId,
      client_secret: clientSecret,
    });
    const { refresh_token: refreshToken = '' } = await ask({
      grant_type: 'client_credentials',
      ...as(credentials),
    });
    const crossed = { grant_type: 'refresh_token', refresh_token: refreshToken };
    expect(await ask({ ...crossed, ...as(other.credentials) })).toEqual({ error: 'invalid_grant' });
    const mixed = { client_id: credentials.clientId, client_secret: other.credentials.clientSecret };
    expect(await ask({ grant_type: 'client_credentials', ...mixed })).toEqual({ error: 'invalid_client' });
  });
});
