/** Fonts of what is drawn: Helvetica, and Noto Sans for letters that Helvetica does not have. */
import { readFile } from 'node:fs/promises';
import type { PDFDocument, PDFFont } from 'pdf-lib';

type Kind = 'plain' | 'wide';

/** Fonts that a document has already; each is embedded once. */
const embedded = new WeakMap<PDFDocument, Map<Kind, PDFFont>>();

/** A font for all of the lines, embedded into the document. */
export async function fontFor(pdf: PDFDocument, lines: readonly string[]): Promise<PDFFont> {
  const helvetica = await once(pdf, 'plain', embedHelvetica);
  const known = new Set(helvetica.getCharacterSet());
  const letters = Array.from(lines.join(''), (letter) => letter.codePointAt(0) ?? 0);
  return letters.every((letter) => known.has(letter)) ? helvetica : once(pdf, 'wide', embedNotoSans);
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
  // Whole: the subsets that fontkit 1.1.1 writes of this font lose letters when they are shown.
  return pdf.embedFont(file);
}
