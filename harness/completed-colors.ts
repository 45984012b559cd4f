/** Finds the colors in which something is drawn on the pages of a PDF. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Colors as `#RRGGBB` in capitals; `null` when the file cannot be read. */
export async function colorsOf(bytes: Uint8Array): Promise<ReadonlySet<string> | null> {
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = pdfjs.getDocument({
    data: Uint8Array.from(bytes),
    verbosity: pdfjs.VerbosityLevel.ERRORS,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    cMapUrl: join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'cmaps/'),
    cMapPacked: true,
  });
  try {
    const document = await task.promise;
    const colors = new Set<string>();
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { fnArray, argsArray } = await page.getOperatorList();
      fnArray.forEach((operator, index) => {
        if (operator !== pdfjs.OPS.setFillRGBColor && operator !== pdfjs.OPS.setStrokeRGBColor) return;
        colors.add(hexOf(argsArray[index] as unknown));
      });
    }
    return colors;
  } catch {
    // A file that cannot be read says nothing about its colors; that it is whole is another requirement.
    return null;
  } finally {
    await task.destroy();
  }
}

/** pdfjs gives a color as `#rrggbb`, or as three numbers from 0 to 255. */
function hexOf(args: unknown): string {
  const parts = Array.from(args as ArrayLike<unknown>);
  if (typeof parts[0] === 'string') return parts[0].toUpperCase();
  const hex = parts.slice(0, 3).map((part) => Math.round(Number(part)).toString(16).padStart(2, '0'));
  return `#${hex.join('')}`.toUpperCase();
}
