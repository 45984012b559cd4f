/** Dialect settings about HTTP, forms of ids, precedence and what texts may hold. */
import { path } from '../../../openapi/codes.ts';
import type { ReferenceClient } from '../reference-client.ts';
import { signatoryBody, skeletonBody } from '../reference-client.ts';
import { add, create, type DialectCase, otp, status, when } from './case.ts';

const created = async (client: ReferenceClient) => client.create(skeletonBody([await client.document()]));
const header = (name: string) => async (client: ReferenceClient) =>
  (await created(client)).headers.get(name) ?? 'none';
const unauthorized = (name: string) => async (client: ReferenceClient) => {
  const reply = await client.create({}, { authorization: 'Bearer nobody' });
  return `${reply.status} ${reply.headers.get(name)}`;
};

export const wireCases: readonly DialectCase[] = [
  when('pathCase any', { pathCase: 'any', basePath: '/base' }, 200, async (client) => {
    const body = skeletonBody([await client.document()]);
    return status(await client.json('POST', `${path.skeleton.toUpperCase()}?type=0`, body));
  }),
  when('pathCase exact', {}, 404, async (client) =>
    status(await client.json('POST', `${path.skeleton.toUpperCase()}?type=0`, {})),
  ),
  when('answerCoding gzip', { answerCoding: 'gzip' }, 'gzip', async (client) =>
    String((await client.create({})).headers.get('content-encoding')),
  ),
  when('answerCoding chunked', { answerCoding: 'chunked' }, 'true', async (client) =>
    String((await created(client)).text.includes('requestId')),
  ),
  when('connection closed', { connection: 'closed' }, 'close', header('connection')),
  when('keyOrder reversed', { keyOrder: 'reversed', extraFields: true }, '{"crea', async (client) =>
    (await created(client)).text.slice(0, 6),
  ),
  when('deprecation announced', { deprecation: 'announced' }, '@1767225600', header('deprecation')),
  when('correlationId none', {}, 'none', header('x-request-id')),
  when('gatewayHeaders', { gatewayHeaders: true }, '1.1 gateway', header('via')),
  when('challenge scheme', {}, '401 Bearer', unauthorized('www-authenticate')),
  when('challenge none', { challenge: 'none' }, '401 null', unauthorized('www-authenticate')),
  when(
    'challenge error',
    { challenge: 'error' },
    '401 Bearer realm="esign", error="invalid_token"',
    unauthorized('www-authenticate'),
  ),
  when('idForm slash', { idForm: 'slash' }, 200, async (client) => {
    const requestId = encodeURIComponent(await client.request());
    return status(await client.add(requestId, signatoryBody));
  }),
  when('malformedIdStatus', { malformedIdStatus: 400 }, 400, async (client) =>
    status(await client.add('no-uuid', signatoryBody)),
  ),
  when('jsonBeforeAccess', { jsonBeforeAccess: true }, 400, async (client) =>
    status(await client.create('{', { authorization: 'Bearer nobody' })),
  ),
  when('contentTypeParameters refused', { contentTypeParameters: 'refused' }, 400, async (client) =>
    status(await client.create({}, { contentType: 'application/json; charset=utf-8' })),
  ),
  when('characters printable', { characters: 'printable' }, 400, create('/Title', '<b>bold</b>')),
  when('lenientJson accepted', { lenientJson: 'accepted' }, 200, async (client) => {
    const text = JSON.stringify(skeletonBody([await client.document()]));
    return status(await client.create(text.replace(/\}$/, ',}')));
  }),
  when(
    'callbackUrlCheck called',
    { callbackUrlCheck: 'called' },
    400,
    create('/CallbackUrl', 'http://127.0.0.1:9/'),
  ),
  when(
    'accessCodeEmpty refused',
    { accessCodeEmpty: 'refused' },
    400,
    add('/OTP', otp(false, 1, { AccessCode: '' })),
  ),
  when('accessCodeEmpty absent', {}, 200, add('/OTP', otp(false, 1, { AccessCode: '' }))),
];
