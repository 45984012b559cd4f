/** Finds the colors in which something is drawn on the pages of a PDF. */
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

async function colorsIn({ document, ops }: OpenPdf): Promise<ReadonlySet<string>> {
  const colors = new Set<string>();
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { fnArray, argsArray } = await page.getOperatorList();
    fnArray.forEach((operator, index) => {
      if (operator !== ops.setFillRGBColor && operator !== ops.setStrokeRGBColor) return;
      colors.add(hexOf(argsArray[index] as unknown));
    });
  }
  return colors;
}

/** pdfjs gives a color as `#rrggbb`, or as three numbers from 0 to 255. */
function hexOf(args: unknown): string {
  const parts = Array.from(args as ArrayLike<unknown>);
  if (typeof parts[0] === 'string') return parts[0].toUpperCase();
  const hex = parts.slice(0, 3).map((part) => Math.round(Number(part)).toString(16).padStart(2, '0'));
  return `#${hex.join('')}`.toUpperCase();
}
