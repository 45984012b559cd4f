/** Reads completed PDFs: whether they are whole, how many pages they have, what is written and drawn where. */
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { boxesOf, type DrawnBox } from './boxes.ts';
import { withPdf } from './open.ts';

/** A piece of text. Lengths in PDF points, from the lower left corner of the page as it is stored, unrotated. */
export interface TextItem {
  readonly text: string;
  /** Where its baseline begins. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Size of the font. */
  readonly height: number;
}

/** A form field, a signature field, a comment: what is laid over a page. */
export interface PageAnnotation {
  readonly subtype: string;
  readonly fieldName?: string;
  readonly text?: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PdfPage {
  readonly width: number;
  readonly height: number;
  /** Degrees clockwise by which a viewer turns it. */
  readonly rotation: number;
  readonly text: string;
  readonly items: readonly TextItem[];
  /** Bounds of drawn paths and images. */
  readonly boxes: readonly DrawnBox[];
  readonly annotations: readonly PageAnnotation[];
}

export interface PdfContent {
  readonly readable: true;
  /** Whether it ends as a PDF does and every page could be read. */
  readonly whole: boolean;
  /** What is wrong when it is not whole. */
  readonly problem?: string;
  readonly pageCount: number;
  /** The pages, up to the limit. */
  readonly pages: readonly PdfPage[];
  /** Text of all pages. */
  readonly text: string;
  /** Title, subject, keywords, author and further metadata, one below the other. */
  readonly metadata: string;
}

export type PdfReading =
  | PdfContent
  | {
      readonly readable: false;
      readonly reason: 'no-pdf' | 'truncated' | 'encrypted' | 'too-large' | 'too-slow' | 'damaged';
      readonly message: string;
    };

export interface PdfLimits {
  /** Bytes of a file; 64 MiB by default. */
  readonly bytes: number;
  /** Pages that are read; 500 by default. */
  readonly pages: number;
  /** Time for the whole file; 20 seconds by default. It is kept between pages, not within one. */
  readonly deadlineMs: number;
}

export const pdfLimits: PdfLimits = { bytes: 64 * 1024 * 1024, pages: 500, deadlineMs: 20_000 };

/** Reads a PDF. Never throws: what is none, cut, locked or hostile is said in the result. */
export async function readPdf(bytes: Uint8Array, limits: Partial<PdfLimits> = {}): Promise<PdfReading> {
  const { bytes: bytesMost, pages: pagesMost, deadlineMs } = { ...pdfLimits, ...limits };
  if (!latin1(bytes.subarray(0, 1024)).includes('%PDF-')) {
    return { readable: false, reason: 'no-pdf', message: 'it does not begin like a PDF' };
  }
  if (bytes.length > bytesMost) {
    return { readable: false, reason: 'too-large', message: `it is larger than ${bytesMost} bytes` };
  }
  const cut = cutOff(bytes);
  try {
    return await within(deadlineMs, (isLate) => read(bytes, cut, pagesMost, isLate));
  } catch (error) {
    const { name, message } = error as Error;
    if (error instanceof Late) {
      return { readable: false, reason: 'too-slow', message: `reading it took longer than ${deadlineMs} ms` };
    }
    if (name === 'PasswordException') {
      return { readable: false, reason: 'encrypted', message: 'it opens only with a password' };
    }
    return cut
      ? { readable: false, reason: 'truncated', message: cut }
      : { readable: false, reason: 'damaged', message: `${name}: ${message}` };
  }
}

/** Those of the markers that stand in the text or the metadata of a PDF. */
export function markersIn(content: PdfContent, markers: readonly string[]): readonly string[] {
  const compact = `${content.text}\n${content.metadata}`.replaceAll(/\s+/g, '');
  return markers.filter((marker) => compact.includes(marker.replaceAll(/\s+/g, '')));
}

async function read(
  bytes: Uint8Array,
  cut: string | undefined,
  pagesMost: number,
  isLate: () => void,
): Promise<PdfContent> {
  return withPdf(bytes, async ({ document, ops }) => {
    const pages: PdfPage[] = [];
    let problem = cut;
    for (let number = 1; number <= Math.min(document.numPages, pagesMost); number++) {
      isLate();
      try {
        pages.push(await pageOf(await document.getPage(number), ops));
      } catch (error) {
        problem ??= `page ${number} cannot be read: ${(error as Error).message}`;
      }
    }
    return {
      readable: true,
      whole: problem === undefined,
      ...(problem === undefined ? {} : { problem }),
      pageCount: document.numPages,
      pages,
      text: pages.map(({ text }) => text).join('\n'),
      metadata: await metadataOf(document),
    };
  });
}

async function pageOf(page: PDFPageProxy, ops: Readonly<Record<string, number>>): Promise<PdfPage> {
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
  const content = await page.getTextContent();
  const items = content.items.flatMap((item) => {
    if (!('str' in item) || item.str === '') return [];
    const [, , , , x, y] = item.transform as number[];
    return [
      { text: item.str, x: (x ?? 0) - left, y: (y ?? 0) - bottom, width: item.width, height: item.height },
    ];
  });
  const annotations = (await page.getAnnotations()) as readonly Record<string, unknown>[];
  return {
    width: right - left,
    height: top - bottom,
    rotation: page.rotate,
    text: items.map(({ text }) => text).join('\n'),
    items,
    boxes: boxesOf(await page.getOperatorList(), ops, { left, bottom }),
    annotations: annotations.map((annotation) => annotationOf(annotation, left, bottom)),
  };
}

function annotationOf(given: Record<string, unknown>, left: number, bottom: number): PageAnnotation {
  const { subtype, fieldName, fieldValue, contentsObj, rect } = given;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = Array.isArray(rect) ? (rect as number[]) : [];
  const contents = (contentsObj as { str?: string } | undefined)?.str;
  const text = typeof fieldValue === 'string' && fieldValue ? fieldValue : contents;
  return {
    subtype: String(subtype),
    ...(typeof fieldName === 'string' ? { fieldName } : {}),
    ...(text ? { text } : {}),
    x: x1 - left,
    y: y1 - bottom,
    width: x2 - x1,
    height: y2 - y1,
  };
}

async function metadataOf(document: PDFDocumentProxy): Promise<string> {
  const { info } = await document.getMetadata();
  const values = Object.values(info as Record<string, unknown>);
  return values.filter((value) => typeof value === 'string').join('\n');
}

/** What shows that the end of the file is missing: pdfjs would repair it and say nothing. */
function cutOff(bytes: Uint8Array): string | undefined {
  const tail = latin1(bytes.subarray(-2048));
  const end = tail.lastIndexOf('%%EOF');
  // A signed PDF has several ends, one after each change; objects behind the last have lost theirs.
  if (end < 0 || /\d+ \d+ obj\b/.test(tail.slice(end))) return 'its end is missing: there is no %%EOF';
  const offset = Number(/startxref\s+(\d+)\s+$/.exec(tail.slice(0, end))?.[1] ?? 0);
  return offset >= bytes.length ? 'a part is missing: its table of objects lies behind its end' : undefined;
}

class Late extends Error {}

/** Runs `work`, which calls `isLate` between its steps, and gives up waiting for it at the deadline. */
async function within<Value>(
  deadlineMs: number,
  work: (isLate: () => void) => Promise<Value>,
): Promise<Value> {
  let late = false;
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late = true;
      reject(new Late());
    }, deadlineMs);
  });
  try {
    return await Promise.race([
      deadline,
      work(() => {
        if (late) throw new Late();
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
