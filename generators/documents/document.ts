/** The shape of an uploaded document, and the marker by which it is recognised later. */
import { digestOf } from '../seed.ts';

export interface DocumentSource {
  /** Id of the run: it goes into the marker, so that two runs never send equal documents. */
  readonly run: string;
  readonly seed: number;
  /** Tells apart the documents of one run: `upload.pdf`, `skeleton.several-documents 2`. */
  readonly name: string;
}

export interface GeneratedDocument {
  readonly name: string;
  /** File name with an extension that fits `mediaType`, unless a wrong one is the point of the row. */
  readonly fileName: string;
  readonly mediaType: string;
  /** The marker, which is in the text of the document and, where the format has it, in its metadata. */
  readonly marker: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Media types as IANA registers them. */
export const mediaType = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xls: 'application/vnd.ms-excel',
  png: 'image/png',
  jpeg: 'image/jpeg',
  html: 'text/html',
  rtf: 'application/rtf',
  text: 'text/plain',
} as const;

/** A pattern that matches every marker; finds the markers in text from a PDF. */
export const markerPattern = /ESC-[0-9A-F]{20}/g;

/** The marker of a document: 24 letters, digits and a hyphen, which no text layer joins or breaks. */
export function markerOf({ run, seed, name }: DocumentSource): string {
  return `ESC-${digestOf(run, seed, name).slice(0, 20).toUpperCase()}`;
}

export const fileNameOf = (source: DocumentSource, ending: string): string => `${markerOf(source)}.${ending}`;

const otherEndings: Readonly<Record<string, string>> = { jpeg: 'jpg', text: 'txt' };

export function documentOf(
  source: DocumentSource,
  format: keyof typeof mediaType,
  bytes: Uint8Array<ArrayBuffer>,
): GeneratedDocument {
  const fileName = fileNameOf(source, otherEndings[format] ?? format);
  return { name: source.name, fileName, mediaType: mediaType[format], marker: markerOf(source), bytes };
}

export function sentences(marker: string): readonly string[] {
  return [
    'Agreement',
    marker,
    'This document was made to test an electronic signature service.',
    'It has no legal meaning.',
  ];
}

const compact = (text: string) => text.replaceAll(/\s+/g, '');

const ownSentences = new RegExp(compact(sentences(`(${markerPattern.source})`).join('')), 'g');

/** Markers of the documents whose sentences are in a text. A certificate may name files without showing them. */
export function markersShown(text: string): ReadonlySet<string | undefined> {
  return new Set([...compact(text).matchAll(ownSentences)].map(([, marker]) => marker));
}

/**
 * The page number that a text has in the document with the marker. It stands after the sentences, unlike one in a
 * footer that a service adds. A text with the sentences of several pages is an overview, and has none.
 */
export function pageIn(text: string, marker: string): number | undefined {
  const [, said = '', ...others] = compact(text).split(compact(sentences(marker).join('')));
  const page = /^Page(\d+)of/.exec(said)?.[1];
  return page === undefined || others.length > 0 ? undefined : Number(page);
}
