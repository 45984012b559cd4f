/** A PDF that asks for a password; committed, because pdf-lib cannot encrypt. */
import { readFile } from 'node:fs/promises';
import { type DocumentSource, fileNameOf, type GeneratedDocument, markerOf, mediaType } from './document.ts';

/** What opens encrypted.pdf. */
export const password = 'conformance';

/** The source that stands in the recipe: all runs send the same bytes, with this source's marker inside. */
export const encryptedSource: DocumentSource = { run: 'committed', seed: 0, name: 'encrypted.pdf' };

/** Encrypted with AES-256. Its marker is the same in every run. */
export async function encryptedPdf(source: DocumentSource): Promise<GeneratedDocument> {
  const bytes = new Uint8Array(await readFile(new URL('./encrypted.pdf', import.meta.url)));
  return {
    name: source.name,
    fileName: fileNameOf(source, 'pdf'),
    mediaType: mediaType.pdf,
    marker: markerOf(encryptedSource),
    bytes,
  };
}
