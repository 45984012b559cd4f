/** Finds the colors in which something is drawn on the pages of a PDF. */
import { limits } from '../limits.ts';
import { type OpenPdf, withPdf } from './open.ts';

/** Colors as `#RRGGBB` in capitals; `null` when the file cannot be read. */
export async function colorsOf(bytes: Uint8Array): Promise<ReadonlySet<string> | null> {
  try {
    return await withPdf(bytes, colorsIn);
  } catch {
    // A file that cannot be read says nothing about its colors; that it is whole is another requirement.
    return null;
  }
}

async function colorsIn(document: OpenPdf): Promise<ReadonlySet<string>> {
  const { ops } = document;
  const colors = new Set<string>();
  for (let number = 1; number <= Math.min(document.pages, limits.pdfPages.most); number++) {
    const { operators } = await document.page(number);
    for (const [operator, given] of operators) {
      if (operator === ops.setFillRGBColor || operator === ops.setStrokeRGBColor) colors.add(hexOf(given));
    }
  }
  return colors;
}

/** pdfjs gives a color as `#rrggbb`, or as three numbers from 0 to 255. */
function hexOf(parts: readonly unknown[]): string {
  if (typeof parts[0] === 'string') return parts[0].toUpperCase();
  const hex = parts.slice(0, 3).map((part) => Math.round(Number(part)).toString(16).padStart(2, '0'));
  return `#${hex.join('')}`.toUpperCase();
}
