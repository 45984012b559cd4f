/** Opens a PDF with pdfjs: the one place that says how. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PDFDocumentProxy } from 'pdfjs-dist';

export interface OpenPdf {
  readonly document: PDFDocumentProxy;
  /** Numbers of the drawing operators, by name. */
  readonly ops: Readonly<Record<string, number>>;
}

/** What `work` makes of the document. Throws what pdfjs throws for one that cannot be opened. */
export async function withPdf<Value>(
  bytes: Uint8Array,
  work: (opened: OpenPdf) => Promise<Value>,
): Promise<Value> {
  // Some 20 MB of code, which most runs need late or never.
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = pdfjs.getDocument({
    // pdfjs takes the buffer over: the caller keeps its own.
    data: Uint8Array.from(bytes),
    verbosity: pdfjs.VerbosityLevel.ERRORS,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    cMapUrl: join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'cmaps/'),
    cMapPacked: true,
  });
  try {
    return await work({ document: await task.promise, ops: pdfjs.OPS });
  } finally {
    await task.destroy();
  }
}

/** How many pages it has; `null` for what is no PDF or cannot be opened. */
export async function pageCountOf(bytes: Uint8Array): Promise<number | null> {
  try {
    return await withPdf(bytes, async ({ document }) => document.numPages);
  } catch {
    // Whether it is whole is judged elsewhere; here it has no number of pages.
    return null;
  }
}
