/** A true DOC: the committed file of a word processor, in which the marker is written over a placeholder. */
import { readFile } from 'node:fs/promises';
import { type DocumentSource, fileNameOf, type GeneratedDocument, markerOf, mediaType } from './document.ts';

/** Stands in sample.doc wherever a marker goes; exactly as long as one. */
export const placeholder = 'ESC-00000000000000000000';

/** One page of text, the same bytes for the same source. The format has no checksum that a change breaks. */
export async function doc(source: DocumentSource): Promise<GeneratedDocument> {
  const marker = markerOf(source);
  const bytes = new Uint8Array(await readFile(new URL('./sample.doc', import.meta.url)));
  // The metadata is stored in one byte a letter, the text in two.
  for (const encoding of ['latin1', 'utf16le'] as const) overwrite(bytes, marker, encoding);
  return { name: source.name, fileName: fileNameOf(source, 'doc'), mediaType: mediaType.doc, marker, bytes };
}

function overwrite(bytes: Uint8Array, marker: string, encoding: 'latin1' | 'utf16le'): void {
  const whole = Buffer.from(bytes.buffer);
  const sought = Buffer.from(placeholder, encoding);
  let at = whole.indexOf(sought);
  if (at < 0) throw new Error(`sample.doc carries no placeholder in ${encoding}`);
  for (; at >= 0; at = whole.indexOf(sought, at + 1)) whole.write(marker, at, encoding);
}
