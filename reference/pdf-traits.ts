/** What a service may stumble over in a PDF, read from its uncompressed objects: used by faults of uploads only. */
import type { FaultId } from './faults.ts';

/** Faults of one kind of PDF, each with what tells the kind (ISO 32000-1, 7.7.3 and 12.7). */
export const pdfTraits: readonly (readonly [FaultId, (text: string) => boolean])[] = [
  ['upload.pdf/many-pages-refused', (text) => Number(/\/Count (\d+)/.exec(text)?.[1] ?? 1) > 20],
  ['upload.pdf/landscape-refused', isLandscape],
  ['upload.pdf/turned-refused', (text) => /\/Rotate (?!0\b)\d/.test(text)],
  ['upload.pdf/form-refused', (text) => text.includes('/AcroForm')],
  ['upload.pdf/embedded-font-refused', (text) => /\/FontFile/.test(text)],
];

function isLandscape(text: string): boolean {
  const box = /\/MediaBox \[\s*0 0 ([\d.]+) ([\d.]+)\s*\]/.exec(text);
  return box !== null && Number(box[1]) > Number(box[2]);
}
