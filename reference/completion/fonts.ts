/** The font of marks: Helvetica; Latin transcription for letters that it lacks. */
import anyAscii from 'any-ascii';
import type { PDFDocument, PDFFont, PDFPage, PDFPageDrawTextOptions } from 'pdf-lib';

/** The font that a document has already, so that it is embedded once. */
const embedded = new WeakMap<PDFDocument, PDFFont>();

interface Lettering {
  /** A font embedded in the document that has every letter of the shown lines. */
  readonly font: PDFFont;
  /** Each line as it is drawn, and the meant text where that differs. */
  readonly lines: readonly { readonly shown: string; readonly meant?: string }[];
}

/** The font for some lines. A line with a letter that the font lacks is shown in Latin letters, and keeps the meant text beside it. */
export async function lettering(pdf: PDFDocument, lines: readonly string[]): Promise<Lettering> {
  const { StandardFonts } = await import('pdf-lib');
  const font = embedded.get(pdf) ?? (await pdf.embedFont(StandardFonts.Helvetica));
  embedded.set(pdf, font);
  const known = new Set(font.getCharacterSet());
  const isKnown = (sign: string) => known.has(sign.codePointAt(0) ?? 0);
  const isDrawn = (line: string) => Array.from(line).every(isKnown);
  // Control characters are the same in Latin letters, and no font has them.
  const latin = (line: string) => Array.from(anyAscii(line)).filter(isKnown).join('');
  const romanised = (line: string) => ({ shown: `${latin(line)} (romanised)`, meant: line });
  return { font, lines: lines.map((line) => (isDrawn(line) ? { shown: line } : romanised(line))) };
}

/** Draws a line. Searching or copying the text of the document gives the meant text (ISO 32000-1, 14.9.4). */
export async function write(
  page: PDFPage,
  { shown, meant = shown }: Lettering['lines'][number],
  how: PDFPageDrawTextOptions,
): Promise<void> {
  const { PDFHexString, PDFName, PDFOperator, PDFOperatorNames } = await import('pdf-lib');
  const { BeginMarkedContentSequence: begin, EndMarkedContent: end } = PDFOperatorNames;
  const text = `<</ActualText ${PDFHexString.fromText(meant)}>>`;
  page.pushOperators(PDFOperator.of(begin, [PDFName.of('Span'), text]));
  page.drawText(shown, how);
  page.pushOperators(PDFOperator.of(end));
}
