/** Dialect settings of endpoint 1. */
import { doc } from '../../../generators/documents/doc.ts';
import { encryptedPdf } from '../../../generators/documents/encrypted.ts';
import { path } from '../../../openapi/codes.ts';
import { skeletonBody } from '../reference-client.ts';
import { create, type DialectCase, pdf, raw, status, when } from './case.ts';

export const uploadCases: readonly DialectCase[] = [
  when('uploadEncoding raw', { uploadEncoding: 'raw', uploadFileName: 'none' }, 200, raw),
  when('uploadEncoding multipart', {}, 400, raw),
  when(
    'uploadFileName query',
    { uploadEncoding: 'raw', uploadFileName: 'query' },
    '400 200',
    async (client) => {
      const bytes = new Uint8Array(pdf);
      const named = await client.send('POST', `${path.upload}?fileName=a.pdf`, bytes);
      return `${status(await client.send('POST', path.upload, bytes))} ${named.status}`;
    },
  ),
  when(
    'uploadField',
    { uploadField: 'document' },
    '400 200',
    async (client) =>
      `${status(await client.upload(pdf))} ${status(await client.upload(pdf, {}, 'a.pdf', 'document'))}`,
  ),
  when(
    'tokenPlace string',
    { tokenPlace: 'string' },
    '"',
    async (client) => (await client.upload(pdf)).text.at(0) ?? '',
  ),
  when('tokenPlace text', { tokenPlace: 'text', documentTokenForm: 'digits' }, 'true', async (client) =>
    String(/^\d{20}$/.test((await client.upload(pdf)).text)),
  ),
  when('tokenPlace header', { tokenPlace: 'header', documentTokenForm: 'hex' }, 'true', async (client) => {
    const { headers, text } = await client.upload(pdf);
    return String(text === '' && /^[0-9a-f]{24}$/.test(headers.get('X-Document-Token') ?? ''));
  }),
  when('tokenPointer with an array', { tokenPointer: '/data/0/id' }, 'string', async (client) => {
    const [first] = (await client.upload(pdf)).json.data as readonly { readonly id: unknown }[];
    return typeof first?.id;
  }),
  when('equalDocuments one-token', { equalDocuments: 'one-token' }, 'true', async (client) =>
    String(new Set([await client.document('x'), await client.document('x')]).size === 1),
  ),
  when('encryptedPdf refused', { encryptedPdf: 'refused' }, 400, async (client) =>
    status(await client.upload((await encryptedPdf({ run: 'r', seed: 1, name: 'n' })).bytes)),
  ),
  when('truncatedPdf accepted', { truncatedPdf: 'accepted' }, 200, async (client) =>
    status(await client.upload(pdf.subarray(0, pdf.length - 200))),
  ),
  when('truncatedPdf refused', {}, 400, async (client) =>
    status(await client.upload(pdf.subarray(0, pdf.length - 200))),
  ),
  when(
    'uploadMediaType judged',
    { uploadMediaType: 'judged', uploadRefusedStatus: 415 },
    415,
    async (client) => status(await client.upload((await doc({ run: 'r', seed: 1, name: 'n' })).bytes)),
  ),
  when('documentTokenUses', { documentTokenUses: 1 }, '200 404', async (client) => {
    const body = skeletonBody([await client.document()]);
    return `${status(await client.create(body))} ${status(await client.create(body))}`;
  }),
  when('documentsVisibleAfterMs', { documentsVisibleAfterMs: 60_000 }, 404, create('/Title', 'A title')),
];
