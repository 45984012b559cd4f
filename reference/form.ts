/** Reads multipart forms as they may be written (RFC 2046, 5.1.1; RFC 7578): whatever boundary, preamble and epilogue. */
import { buffer } from 'node:stream/consumers';
import { Busboy } from '@fastify/busboy';
import { badRequest } from './rules.ts';

/** Parts beyond these are not read. */
const limits = { parts: 1_000, headerPairs: 100 };

/** The fields of a form. Throws the refusal 400 when the body is none, or ends early. */
export async function readForm(body: Buffer, contentType: string): Promise<FormData> {
  if (!contentType.toLowerCase().startsWith('multipart/form-data')) {
    throw badRequest('The body is not multipart/form-data');
  }
  try {
    return await formOf(body, contentType);
  } catch (error) {
    throw badRequest(`The multipart form cannot be read: ${error instanceof Error ? error.message : ''}`);
  }
}

function formOf(body: Buffer, contentType: string): Promise<FormData> {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    const files: Promise<void>[] = [];
    const reader = new Busboy({ headers: { 'content-type': contentType }, limits });
    reader.on('field', (name, value) => form.append(name, value));
    reader.on('file', (name, stream, fileName, _encoding, type) => {
      const read = buffer(stream).then((bytes) =>
        form.append(name, new File([new Uint8Array(bytes)], fileName ?? name, { type })),
      );
      // A part that is cut off.
      read.catch(reject);
      files.push(read);
    });
    reader.once('finish', () => resolve(Promise.all(files).then(() => form)));
    reader.once('error', reject).end(body);
  });
}
