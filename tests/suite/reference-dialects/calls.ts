/** Dialect settings of every call: addresses, tokens, limits, refusals and their precedence. */
import { message, path } from '../../../openapi/codes.ts';
import { signatoryBody, skeletonBody } from '../reference-client.ts';
import { add, create, type DialectCase, pdf, says, stamp, status, when } from './case.ts';

export const callsCases: readonly DialectCase[] = [
  ...(['problem', 'error', 'message', 'list', 'nested', 'text'] as const).map((errorShape) =>
    when(`errorShape ${errorShape}`, { errorShape }, '404 true', says('text')),
  ),
  when('errorShape header', { errorShape: 'header' }, '404 true', says('X-Error-Message')),
  when('visibleAfterMs', { visibleAfterMs: 60_000 }, 404, add('/Name', 'A name')),
  when('contentTypeStatus', { contentTypeStatus: 415 }, 415, async (client) =>
    status(await client.create({}, { contentType: 'text/plain' })),
  ),
  when('contentTypeMissing accepted', { contentTypeMissing: 'accepted' }, 200, async (client) =>
    status(await client.create(skeletonBody([await client.document()]), { contentType: null })),
  ),
  when('byteOrderMark refused', { byteOrderMark: 'refused' }, 400, async (client) =>
    status(await client.create(`\uFEFF${JSON.stringify(skeletonBody([await client.document()]))}`)),
  ),
  when('requestIdBeforeBody', { requestIdBeforeBody: true }, 404, async (client) =>
    status(await client.add('nobody-knows', {})),
  ),
  when('requestId after the body', {}, 400, async (client) => status(await client.add('nobody-knows', {}))),
  when('documentsBeforeBody', { documentsBeforeBody: true }, 404, async (client) =>
    status(await client.create({ Documents: ['x'] })),
  ),
  when('typeQuery optional', { typeQuery: 'optional' }, 200, async (client) =>
    status(await client.json('POST', path.skeleton, skeletonBody([await client.document()]))),
  ),
  when('typeQuery required', { unknownTypeStatus: 404 }, 404, async (client) =>
    status(await client.json('POST', path.skeleton, skeletonBody([await client.document()]))),
  ),
  when('createRefusedStatus', { createRefusedStatus: 422 }, 422, stamp('/Title', undefined)),
  when('createUnknownDocumentStatus', { createUnknownDocumentStatus: 422 }, 422, stamp('/Documents', ['x'])),
  when('uploadAuthStatus 200', { uploadAuthStatus: 200 }, '200 true', async (client) => {
    const reply = await client.upload(pdf, { authorization: `Bearer ${client.reference.tokens.expired}` });
    return `${reply.status} ${reply.text.includes(message.expiredToken)}`;
  }),
  when('createAuthStatus', { createAuthStatus: 403 }, 403, async (client) =>
    status(await client.json('POST', `${path.create}?type=3`, {}, { authorization: null })),
  ),
  when('bearerCase exact', { bearerCase: 'exact' }, 401, async (client) =>
    status(await client.create({}, { authorization: `bearer ${client.reference.tokens.valid}` })),
  ),
  when('basePath', { basePath: '/sandbox/v7' }, 200, create('/Title', 'A title')),
  when('maxJsonBytes', { maxJsonBytes: 1000 }, 413, create('/Title', 'x'.repeat(2000))),
  when('maxUploadBytes', { maxUploadBytes: 100 }, 413, async (client) => status(await client.upload(pdf))),
  when('rateLimit', { rateLimit: 2 }, 429, async (client) => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => client.add('nobody-knows', signatoryBody)),
    );
    return Math.max(...replies.map(status));
  }),
];
