/** Rows of endpoint 4. */
import { message } from '../../../openapi/codes.ts';
import { signatoryBody, skeletonBody } from '../reference-client.ts';
import { edit, fields, malformed, type ReferenceRow, type Round, row, status, tokens } from './row.ts';

export const skeletonRows: readonly ReferenceRow[] = [
  ...tokens('skeleton', ({ client, document }, sending) => client.create(skeletonBody([document]), sending)),
  ...malformed('skeleton'),
  ...fields(
    'skeleton',
    {
      Title: 'skeleton.title',
      Message: 'skeleton.message',
      Documents: 'skeleton.documents',
      AuditDetails: 'skeleton.audit-details',
    },
    (name) => (name === 'AuditDetails' ? 'no object' : { unexpected: true }),
  ),
  edit('skeleton', 'skeleton.documents-type', '400', '/Documents', [{ unexpected: true }]),
  edit('skeleton', 'skeleton.documents-not-empty', '400', '/Documents', []),
  row('skeleton.created', 'the required fields', '200', async ({ client, document }) =>
    status(await client.create(skeletonBody([document]))),
  ),
  edit('skeleton', 'skeleton.several-documents', '200', '/Documents', ({ document, second }: Round) => [
    document,
    second,
  ]),
  edit('skeleton', 'skeleton.callback-url', '200', '/CallbackUrl', 'https://example.com/x?a=b'),
  ...[[0], [1], [2], [3], [1, 3]].map((codes) =>
    edit('skeleton', 'skeleton.callback-types', '200', '/CallbackTypes', codes),
  ),
  ...[true, false].map((attached) =>
    edit('skeleton', 'skeleton.completed-documents-attached', '200', '/CompletedDocumentsAttached', attached),
  ),
  edit('skeleton', 'skeleton.connections', '200', '/Connections', []),
  row(
    'service.signatories-added-after',
    'a request, then a signatory',
    '200 200',
    async ({ client, document }) => {
      const created = await client.create(skeletonBody([document]));
      const added = await client.add(String(created.json.requestId), signatoryBody);
      return `${created.status} ${added.status}`;
    },
  ),
  row('skeleton.response-json', 'JSON', 'true', async ({ client, document }) => {
    const { text: body } = await client.create(skeletonBody([document]));
    return String(body.startsWith('{'));
  }),
  row('skeleton.request-id', 'a string', 'true', async ({ client, document }) => {
    const { json, text: body } = await client.create(skeletonBody([document]));
    return String(!body.startsWith('{') || (typeof json.requestId === 'string' && json.requestId !== ''));
  }),
  row('skeleton.request-id-unique', 'two ids', 'true', async ({ client, document }) => {
    const body = skeletonBody([document]);
    const ids = [await client.create(body), await client.create(body)].map(({ json }) => json.requestId);
    return String(typeof ids[0] !== 'string' || ids[0] === '' || ids[0] !== ids[1]);
  }),
  row('skeleton.request-id-usable', 'usable', '200', async ({ client, document }) => {
    const { json } = await client.create(skeletonBody([document]));
    const id = json.requestId;
    return typeof id === 'string' && id !== '' ? status(await client.add(id, signatoryBody)) : '200';
  }),
  row('skeleton.unknown-document', 'unknown', '404', async ({ client, document }) =>
    status(await client.create(skeletonBody([`${document}x`]))),
  ),
  row('skeleton.unknown-document', 'known and unknown', '404', async ({ client, document }) =>
    status(await client.create(skeletonBody([document, `${document}x`]))),
  ),
  row('skeleton.unknown-document-message', 'says so', 'true', async ({ client, document }) => {
    const reply = await client.create(skeletonBody([`${document}x`]));
    return String(reply.status !== 404 || reply.text.includes(message.documentNotFound));
  }),
  row('skeleton.invalidated-document', 'invalidated', '404', async ({ client }) => {
    const document = await client.document();
    await client.send('POST', `/_control/documents/${document}/invalidate`);
    return status(await client.create(skeletonBody([document])));
  }),
];
