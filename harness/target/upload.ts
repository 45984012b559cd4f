/** How a document is sent: the interface document leaves the encoding open. */
import { mediaType } from '../../generators/documents/document.ts';
import type { HeaderField } from '../../record/exchange.ts';
import { type Profile, uploadBody } from '../profile/schema.ts';
import { fillJson } from '../profile/template.ts';

/** One way of sending a file. */
export type UploadFormat =
  | { readonly encoding: 'multipart'; readonly field: string }
  /** Without `contentType`, the media type of the file's own format is sent. */
  | { readonly encoding: 'raw'; readonly contentType?: typeof octetStream }
  /** A JSON body that has the file in base64, as the profile gives it. */
  | { readonly encoding: 'json' };

/** Some services accept a raw body only as `application/octet-stream`, and find out the format themselves. */
const octetStream = 'application/octet-stream';

interface UploadFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const rawFormats: readonly UploadFormat[] = [
  { encoding: 'raw' },
  { encoding: 'raw', contentType: octetStream },
];

/** The formats to try, in this order, when the profile names none. */
const candidates: readonly UploadFormat[] = [
  { encoding: 'multipart', field: 'file' },
  ...rawFormats,
  { encoding: 'multipart', field: 'document' },
  { encoding: 'multipart', field: 'File' },
  { encoding: 'multipart', field: 'Document' },
  { encoding: 'multipart', field: 'upload' },
];

/** The formats to try: one where the profile says everything, else the usual ones. */
export function uploadFormats(upload: Profile['upload']): readonly UploadFormat[] {
  const encoding = upload?.encoding ?? (upload?.field ? 'multipart' : 'auto');
  if (encoding === 'json') return [{ encoding }];
  if (encoding === 'raw') return upload?.contentTypes ? [{ encoding }] : rawFormats;
  if (encoding === 'multipart') return [{ encoding: 'multipart', field: upload?.field ?? 'file' }];
  return upload?.field ? [{ encoding: 'multipart', field: upload.field }] : candidates;
}

export function describeFormat(format: UploadFormat): string {
  if (format.encoding === 'multipart') return `multipart/form-data, field "${format.field}"`;
  if (format.encoding === 'json') return 'JSON with the file in base64';
  return `the file as raw body${format.contentType ? `, Content-Type ${format.contentType}` : ''}`;
}

/** The guess in words, where a file that is refused in the profile's way is taken in another one. */
export const wronglySent = (format: UploadFormat): string =>
  `upload.encoding or upload.field of the profile may be wrong: a file is taken as ${describeFormat(format)}`;

/** Body, header fields and query parameters that carry a file, as the profile wants them. */
export async function encodeUpload(
  format: UploadFormat,
  file: UploadFile,
  { fileName, contentTypes = {}, fields = {}, body: json = uploadBody }: NonNullable<Profile['upload']> = {},
): Promise<{ body: Buffer; headers: HeaderField[]; query: Record<string, string> }> {
  const headers: HeaderField[] = [];
  const query: Record<string, string> = {};
  if (fileName && 'header' in fileName) {
    const name = encodeURIComponent(file.name);
    headers.push([fileName.header, (fileName.value ?? '{name}').replaceAll('{name}', () => name)]);
  }
  if (fileName && 'query' in fileName) query[fileName.query] = file.name;
  const known = kinds.find((kind) => mediaType[kind] === file.mediaType);
  const type = (known && contentTypes[known]) ?? file.mediaType;
  if (format.encoding === 'raw') {
    headers.push(['Content-Type', format.contentType ?? type]);
    return { body: Buffer.from(file.bytes), headers, query };
  }
  if (format.encoding === 'json') {
    const base64 = Buffer.from(file.bytes).toString('base64');
    const filled = fillJson(json, { file: base64, name: file.name, mediaType: type });
    headers.push(['Content-Type', 'application/json']);
    return { body: Buffer.from(JSON.stringify(filled)), headers, query };
  }
  const part = new File([file.bytes], file.name, { type });
  const form = await multipart({ ...fields, [format.field]: part });
  return { body: form.body, headers: [...headers, ['Content-Type', form.contentType]], query };
}

/** The formats that the interface document names. */
const kinds = ['pdf', 'doc', 'docx'] as const;

/** A multipart/form-data body (RFC 7578). */
export async function multipart(
  fields: Readonly<Record<string, string | Blob>>,
): Promise<{ body: Buffer; contentType: string }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  // A Response made of a form encodes it, and knows its boundary.
  const encoded = new Response(form);
  return {
    body: Buffer.from(await encoded.arrayBuffer()),
    contentType: encoded.headers.get('content-type') ?? 'multipart/form-data',
  };
}
