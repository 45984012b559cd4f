/** Fonts of marks: Helvetica; Noto Sans for letters that Helvetica lacks; Latin transcription for letters that both lack. */
import { readFile } from 'node:fs/promises';
import anyAscii from 'any-ascii';
import type { PDFDocument, PDFFont, PDFPage, PDFPageDrawTextOptions } from 'pdf-lib';

type Kind = 'plain' | 'wide';

/** The fonts that a document has already, so that each is embedded once. */
const embedded = new WeakMap<PDFDocument, Map<Kind, PDFFont>>();

interface Lettering {
  /** A font embedded in the document that has every letter of the shown lines. */
  readonly font: PDFFont;
  /** Each line as it is drawn, and the meant text where that differs. */
  readonly lines: readonly { readonly shown: string; readonly meant?: string }[];
}

/** The font for some lines. A line whose letters neither font has is shown in Latin letters, and keeps the meant text beside it. */
export async function lettering(pdf: PDFDocument, lines: readonly string[]): Promise<Lettering> {
  const helvetica = await once(pdf, 'plain', embedHelvetica);
  const has = (font: PDFFont) => {
    const known = new Set(font.getCharacterSet());
    return (line: string) => Array.from(line).every((letter) => known.has(letter.codePointAt(0) ?? 0));
  };
  if (lines.every(has(helvetica))) return { font: helvetica, lines: lines.map((shown) => ({ shown })) };
  const font = await once(pdf, 'wide', embedNotoSans);
  const isDrawn = has(font);
  const romanised = (line: string) => ({ shown: `${anyAscii(line)} (romanised)`, meant: line });
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

async function once(
  pdf: PDFDocument,
  kind: Kind,
  embed: (pdf: PDFDocument) => Promise<PDFFont>,
): Promise<PDFFont> {
  const fonts = embedded.get(pdf) ?? new Map<Kind, PDFFont>();
  embedded.set(pdf, fonts);
  const font = fonts.get(kind) ?? (await embed(pdf));
  fonts.set(kind, font);
  return font;
}

async function embedHelvetica(pdf: PDFDocument): Promise<PDFFont> {
  const { StandardFonts } = await import('pdf-lib');
  return pdf.embedFont(StandardFonts.Helvetica);
}

async function embedNotoSans(pdf: PDFDocument): Promise<PDFFont> {
  const { default: fontkit } = await import('@pdf-lib/fontkit');
  pdf.registerFontkit(fontkit);
  const notoSans = import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf');
  const file = await readFile(new URL(notoSans));
  // Embedded as a whole, since the subsets that fontkit 1.1.1 makes of this font lose letters when shown.
  return pdf.embedFont(file);
}
