/** Rows of endpoint 1. */
import { doc } from '../../../generators/documents/doc.ts';
import type { DocumentSource } from '../../../generators/documents/document.ts';
import { docx } from '../../../generators/documents/docx.ts';
import { png, text, xlsx } from '../../../generators/documents/other.ts';
import { message } from '../../../openapi/codes.ts';
import { plainPdf } from '../../../reference/plain-pdf.ts';
import { type Reply, skeletonBody } from '../reference-client.ts';
import { type ReferenceRow, row, status, tokens } from './row.ts';

const source: DocumentSource = { run: 'reference', seed: 1, name: 'row' };

export const uploadRows: readonly ReferenceRow[] = [
  ...tokens('upload', ({ client }, sending) => client.upload(plainPdf(['x']), sending)),
  row('upload.token-invalid-message', 'says so', `401 ${message.invalidToken}`, async ({ client }) => {
    const authorization = `Bearer ${client.reference.tokens.invalid}`;
    return said(await client.upload(plainPdf(['x']), { authorization }));
  }),
  row('upload.token-expired-message', 'says so', `401 ${message.expiredToken}`, async ({ client }) => {
    const authorization = `Bearer ${client.reference.tokens.expired}`;
    return said(await client.upload(plainPdf(['x']), { authorization }));
  }),
  row('upload.pdf', 'a PDF', '200', async ({ client }) => status(await client.upload(plainPdf(['x'])))),
  row('upload.doc', 'a DOC', '200', async ({ client }) =>
    status(await client.upload((await doc(source)).bytes)),
  ),
  row('upload.docx', 'a DOCX', '200', async ({ client }) => status(await client.upload(docx(source).bytes))),
  ...[png, text, xlsx].map((make) =>
    row('upload.other-formats', make(source).mediaType, '400', async ({ client }) =>
      status(await client.upload(make(source).bytes)),
    ),
  ),
  row('upload.returns-token', 'a token', 'true', async ({ client }) => {
    const { json } = await client.upload(plainPdf(['x']));
    return String(Boolean(json.documentToken));
  }),
  row('upload.token-string', 'a string', 'true', async ({ client }) => {
    const { json } = await client.upload(plainPdf(['x']));
    return String(!json.documentToken || typeof json.documentToken === 'string');
  }),
  row('upload.token-identifies', 'two tokens', 'true', async ({ client }) => {
    const [one, other] = [await client.document('one'), await client.document('other')];
    return String(one === '' || one === 'undefined' || one !== other);
  }),
  row('upload.token-usable', 'usable', '200', async ({ client }) =>
    status(await client.create(skeletonBody([await client.document()]))),
  ),
];

function said({ status: code, text: body }: Reply): string {
  const known = [message.invalidToken, message.expiredToken].find((each) => body.includes(each));
  return code === 401 ? `401 ${known}` : String(code);
}
