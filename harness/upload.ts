/** How a document is sent: the encodings that the interface document leaves open. */
import type { HeaderField } from './exchange.ts';
import type { Profile } from './profile/schema.ts';

/** One way of sending a file. */
export type UploadFormat =
  | { readonly encoding: 'multipart'; readonly field: string }
  | { readonly encoding: 'raw' };

/** A file on its way. */
export interface UploadFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The formats to try, in this order, when the profile names none. */
const candidates: readonly UploadFormat[] = [
  { encoding: 'multipart', field: 'file' },
  { encoding: 'raw' },
  { encoding: 'multipart', field: 'document' },
  { encoding: 'multipart', field: 'File' },
  { encoding: 'multipart', field: 'Document' },
  { encoding: 'multipart', field: 'upload' },
];

/** The formats that a profile leaves to choose from: one when it says, else the usual ones. */
export function uploadFormats(upload: Profile['upload']): readonly UploadFormat[] {
  const encoding = upload?.encoding ?? (upload?.field ? 'multipart' : 'auto');
  if (encoding === 'raw') return [{ encoding: 'raw' }];
  if (encoding === 'multipart') return [{ encoding: 'multipart', field: upload?.field ?? 'file' }];
  return upload?.field ? [{ encoding: 'multipart', field: upload.field }] : candidates;
}

/** A format in words. */
export function describeFormat(format: UploadFormat): string {
  return format.encoding === 'raw' ? 'the file as raw body' : `multipart/form-data, field "${format.field}"`;
}

/** Body, header fields and query parameters that carry a file. */
export async function encodeUpload(
  format: UploadFormat,
  file: UploadFile,
  fileName: NonNullable<Profile['upload']>['fileName'],
): Promise<{ body: Buffer; headers: HeaderField[]; query: Record<string, string> }> {
  const headers: HeaderField[] = [];
  const query: Record<string, string> = {};
  if (fileName && 'header' in fileName) headers.push([fileName.header, encodeURIComponent(file.name)]);
  if (fileName && 'query' in fileName) query[fileName.query] = file.name;
  if (format.encoding === 'raw') {
    headers.push(['Content-Type', file.mediaType]);
    return { body: Buffer.from(file.bytes), headers, query };
  }
  const form = await multipart(format.field, new File([file.bytes], file.name, { type: file.mediaType }));
  return { body: form.body, headers: [...headers, ['Content-Type', form.contentType]], query };
}

/** A multipart/form-data body (RFC 7578) with one field. */
export async function multipart(field: string, value: Blob): Promise<{ body: Buffer; contentType: string }> {
  const form = new FormData();
  form.set(field, value);
  // The platform's own encoder: a Response made of a form knows its boundary.
  const encoded = new Response(form);
  return {
    body: Buffer.from(await encoded.arrayBuffer()),
    contentType: encoded.headers.get('content-type') ?? 'multipart/form-data',
  };
}
