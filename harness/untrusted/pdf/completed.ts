/** Reads completed PDFs: whether they are whole, their pages, where texts and drawings stand on them, and the colors. */
import { limits } from '../limits.ts';
import { type Box, boxesOf } from './boxes.ts';
import { isPdf } from './documents-in.ts';
import { openPdf, PdfExcess, type RawPage, type RawPdf } from './open.ts';

/** A piece of text: its box begins at the baseline, and is as high as the font. */
export interface TextItem extends Box {
  readonly text: string;
}

/** A page as it is stored, before a viewer turns it. */
export interface PdfPage {
  readonly width: number;
  readonly height: number;
  readonly text: string;
  readonly items: readonly TextItem[];
  /** Bounds of drawn paths and images. */
  readonly boxes: readonly Box[];
  /** Whether anything is drawn on it, also what is not among the boxes and items. */
  readonly isPainted: boolean;
  /** Boxes of annotations: form fields, signature fields, comments. */
  readonly annotations: readonly Box[];
}

export interface PdfContent {
  readonly readable: true;
  /** Whether the file ends as a PDF does and every page could be read. */
  readonly whole: boolean;
  /** What is wrong when it is not whole. */
  readonly problem?: string;
  /** Whether every page could be read, and none shows anything. */
  readonly empty: boolean;
  readonly pageCount: number;
  /** The pages, up to the limit. */
  readonly pages: readonly PdfPage[];
  readonly text: string;
  /** Title, subject, keywords, author and further metadata, comments and form fields, one below the other. */
  readonly metadata: string;
}

type PdfReading =
  | PdfContent
  | {
      readonly readable: false;
      readonly reason: 'no-pdf' | 'truncated' | 'encrypted' | 'too-large' | 'too-slow' | 'damaged';
      readonly message: string;
    };

/** Reads a PDF. Never throws: the result says when it is no PDF, cut off, locked or hostile. */
export async function readPdf(bytes: Uint8Array, deadlineMs?: number): Promise<PdfReading> {
  if (!isPdf(bytes)) return { readable: false, reason: 'no-pdf', message: 'it does not begin like a PDF' };
  const { most } = limits.pdfBytes;
  if (bytes.length > most)
    return { readable: false, reason: 'too-large', message: `it is larger than ${most} bytes` };
  const cut = cutOff(bytes);
  try {
    return contentOf(await openPdf(bytes, undefined, deadlineMs), cut);
  } catch (error) {
    const { name, message } = error as Error;
    if (error instanceof PdfExcess) return { readable: false, reason: error.reason, message };
    // By words pdfjs refuses what is encrypted in another way, such as for the certificates of its readers.
    if (name === 'PasswordException' || /^(unknown|unsupported) encryption /.test(message))
      return {
        readable: false,
        reason: 'encrypted',
        message: 'it opens only with a password or a certificate',
      };
    return cut
      ? { readable: false, reason: 'truncated', message: cut }
      : { readable: false, reason: 'damaged', message: `${name}: ${message}` };
  }
}

/** Why a file could not be read, where the limits or its encryption are the reason; damage may be the fault of the service. */
export function whyUnread(reading: PdfReading): string | undefined {
  if (reading.readable || !['too-slow', 'too-large', 'encrypted'].includes(reading.reason)) return undefined;
  return reading.message;
}

/** The markers that occur in the text or the metadata of a PDF. */
export function markersIn(
  content: Pick<PdfContent, 'text' | 'metadata'>,
  markers: readonly string[],
): readonly string[] {
  const compact = `${content.text}\n${content.metadata}`.replaceAll(/\s+/g, '');
  return markers.filter((marker) => compact.includes(marker.replaceAll(/\s+/g, '')));
}

/** @param cut what `cutOff` found to be wrong with the file */
function contentOf({ pageCount, pages: raw, ops, metadata }: RawPdf, cut: string | undefined): PdfContent {
  const unread = raw.findIndex((page) => 'problem' in page);
  const broken = raw[unread];
  const problem =
    cut ??
    (broken && 'problem' in broken ? `page ${unread + 1} cannot be read: ${broken.problem}` : undefined);
  const pages = raw.flatMap((page) => ('problem' in page ? [] : [pageOf(page, ops)]));
  const isEmpty = (page: RawPdf['pages'][number]) =>
    !('problem' in page) && page.annotations.length === 0 && !page.isPainted;
  return {
    readable: true,
    whole: problem === undefined,
    empty: problem === undefined && raw.length === pageCount && raw.every(isEmpty),
    ...(problem === undefined ? {} : { problem }),
    pageCount,
    pages,
    text: pages.map(({ text }) => text).join('\n'),
    metadata: metadata.join('\n'),
  };
}

function pageOf(page: RawPage, ops: Readonly<Record<string, number>>): PdfPage {
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
  const items = page.items.map(({ str, transform, width, height }) => {
    const [, , , , x = 0, y = 0] = transform;
    return { text: str, x: x - left, y: y - bottom, width, height };
  });
  return {
    width: right - left,
    height: top - bottom,
    text: items.map(({ text }) => text).join('\n'),
    items,
    boxes: boxesOf(page.operators, ops, { left, bottom }),
    isPainted: page.isPainted,
    annotations: page.annotations.map(([x1 = 0, y1 = 0, x2 = 0, y2 = 0]) => {
      return { x: x1 - left, y: y1 - bottom, width: x2 - x1, height: y2 - y1 };
    }),
  };
}

/** How the file shows that its end is missing, which pdfjs would repair without a word. */
function cutOff(bytes: Uint8Array): string | undefined {
  const tail = latin1(bytes.subarray(-2048));
  const end = tail.lastIndexOf('%%EOF');
  // A signed PDF has an end after each change; an object behind the last end shows that a later end is lost.
  if (end < 0 || /\d+ \d+ obj\b/.test(tail.slice(end))) return 'its end is missing: there is no %%EOF';
  const offset = Number(/startxref\s+(\d+)\s+$/.exec(tail.slice(0, end))?.[1] ?? 0);
  return offset >= bytes.length ? 'a part is missing: its table of objects lies behind its end' : undefined;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** Colors that the file sets, as `#RRGGBB` in capitals; `null` when it cannot be read. */
export async function colorsOf(bytes: Uint8Array): Promise<ReadonlySet<string> | null> {
  try {
    const { ops, pages } = await openPdf(bytes);
    const setsColor = ([operator]: RawPage['operators'][number]) =>
      operator === ops.setFillRGBColor || operator === ops.setStrokeRGBColor;
    const whole = pages.flatMap((page) => ('problem' in page ? [] : [page]));
    if (whole.length < pages.length) return null;
    const drawn = whole.flatMap(({ operators }) => operators.filter(setsColor));
    return new Set(drawn.map(([, given]) => hexOf(given)));
  } catch {
    // A file that cannot be read has unknown colors; another requirement judges whether it is whole.
    return null;
  }
}

/** pdfjs gives a color as `#rrggbb`, or as three numbers from 0 to 255. */
function hexOf(parts: readonly unknown[]): string {
  if (typeof parts[0] === 'string') return parts[0].toUpperCase();
  const hex = parts.slice(0, 3).map((part) => Math.round(Number(part)).toString(16).padStart(2, '0'));
  return `#${hex.join('')}`.toUpperCase();
}
