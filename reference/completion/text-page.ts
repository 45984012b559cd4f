/** A PDF of one page with lines of text: in place of what cannot be shown as a PDF, and for the audit trail. */
import type { PDFDocument } from 'pdf-lib';
import { fontFor } from './fonts.ts';

export async function textPage(lines: readonly string[]): Promise<PDFDocument> {
  const { PDFDocument, PageSizes } = await import('pdf-lib');
  const pdf = await PDFDocument.create();
  const page = pdf.addPage(PageSizes.A4);
  const font = await fontFor(pdf, lines);
  for (const [at, line] of lines.entries()) page.drawText(line, { x: 56, y: 770 - at * 18, size: 11, font });
  return pdf;
}
