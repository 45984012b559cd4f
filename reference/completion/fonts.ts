/** Fonts of what is drawn: Helvetica, and Noto Sans for letters that Helvetica does not have. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { PDFDocument, PDFFont } from 'pdf-lib';

const notoSans = '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf';

/** A font for all of the lines, embedded into the document. */
export async function fontFor(pdf: PDFDocument, lines: readonly string[]): Promise<PDFFont> {
  const { StandardFonts } = await import('pdf-lib');
  const helvetica = await pdf.embedFont(StandardFonts.Helvetica);
  const known = new Set(helvetica.getCharacterSet());
  const letters = Array.from(lines.join(''), (letter) => letter.codePointAt(0) ?? 0);
  if (letters.every((letter) => known.has(letter))) return helvetica;
  const { default: fontkit } = await import('@pdf-lib/fontkit');
  pdf.registerFontkit(fontkit);
  const file = await readFile(createRequire(import.meta.url).resolve(notoSans));
  // Whole: the subsets that fontkit 1.1.1 writes of this font lose letters when they are shown.
  return pdf.embedFont(file);
}
