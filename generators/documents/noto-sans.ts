/** Embeds Noto Sans, which has the letters that the standard fonts of PDF lack. */
import { readFile } from 'node:fs/promises';
import fontkit from '@pdf-lib/fontkit';
import type { PDFDocument, PDFFont } from 'pdf-lib';

/** Whole, some hundreds of kilobytes: the subsets that fontkit 1.1.1 writes of it lose letters when shown. */
export async function notoSans(document: PDFDocument): Promise<PDFFont> {
  document.registerFontkit(fontkit);
  const file = import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf');
  const font = await readFile(new URL(file));
  return document.embedFont(font);
}
