/** Documents whose bytes are committed, because the suite cannot write them, or not fast enough. */
import { readFile } from 'node:fs/promises';
import { type DocumentSource, documentOf, type GeneratedDocument, markerOf } from './document.ts';

/** @param name one of the files beside this one; README.md says how each came about */
export async function committed(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(new URL(name, import.meta.url)));
}

/** The text in sample.doc that a marker replaces; it has the length of a marker. */
const placeholder = 'ESC-00000000000000000000';

/**
 * A real DOC of a word processor with one page of text, in which the marker is written over the placeholder; the
 * same bytes for the same source. The format has no checksum over these bytes.
 */
export async function doc(source: DocumentSource): Promise<GeneratedDocument> {
  const bytes = await committed('./sample.doc');
  // The metadata has one byte for each letter, the text has two.
  for (const encoding of ['latin1', 'utf16le'] as const) overwrite(bytes, markerOf(source), encoding);
  return documentOf(source, 'doc', bytes);
}

function overwrite(bytes: Uint8Array, marker: string, encoding: 'latin1' | 'utf16le'): void {
  const whole = Buffer.from(bytes.buffer);
  const sought = Buffer.from(placeholder, encoding);
  let at = whole.indexOf(sought);
  if (at < 0) throw new Error(`sample.doc carries no placeholder in ${encoding}`);
  for (; at >= 0; at = whole.indexOf(sought, at + 1)) whole.write(marker, at, encoding);
}

export const password = 'conformance';

/** The source of encrypted.pdf: all runs send the same bytes, with the marker of this source inside. */
export const encryptedSource: DocumentSource = { run: 'committed', seed: 0, name: 'encrypted.pdf' };

/** A PDF that asks for a password, encrypted with AES-256, which pdf-lib cannot. Its marker is the same in every run. */
export async function encryptedPdf(source: DocumentSource): Promise<GeneratedDocument> {
  const document = documentOf(source, 'pdf', await committed('./encrypted.pdf'));
  return { ...document, marker: markerOf(encryptedSource) };
}
