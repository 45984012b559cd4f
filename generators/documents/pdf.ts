/** PDFs in the shapes that people upload, made with pdf-lib: the same bytes for the same source. */
import type { PDFDocument } from 'pdf-lib';
import { type DocumentSource, fileNameOf, type GeneratedDocument, markerOf } from './document.ts';

/** Both dates of every document: pdf-lib writes the present time when they are not set. */
const written = new Date('2024-01-01T00:00:00Z');

/** Page sizes in PDF points, width and height. */
const a4 = [595.28, 841.89] as const;

/** pdf-lib is imported when the first PDF is made: most commands of the suite never make one. */
async function lib(): Promise<typeof import('pdf-lib')> {
  return import('pdf-lib');
}

/** One page A4 with a few lines of text. */
export async function plainPdf(source: DocumentSource): Promise<GeneratedDocument> {
  const { StandardFonts } = await lib();
  return pdf(source, async (document) => {
    const font = await document.embedFont(StandardFonts.Helvetica);
    const page = document.addPage([...a4]);
    lines(source).forEach((text, index) => {
      page.drawText(text, { x: 56, y: 770 - 24 * index, size: 12, font });
    });
  });
}

async function pdf(
  source: DocumentSource,
  draw: (document: PDFDocument) => Promise<void>,
): Promise<GeneratedDocument> {
  const { PDFDocument } = await lib();
  const document = await PDFDocument.create();
  const marker = markerOf(source);
  document.setTitle(`Agreement ${marker}`);
  document.setKeywords([marker]);
  document.setCreationDate(written);
  document.setModificationDate(written);
  await draw(document);
  const bytes = await document.save();
  return {
    name: source.name,
    fileName: fileNameOf(source, 'pdf'),
    mediaType: 'application/pdf',
    marker,
    bytes,
  };
}

function lines(source: DocumentSource): readonly string[] {
  return [
    'Agreement',
    markerOf(source),
    'This document was made to test an electronic signature service.',
    'It has no legal meaning.',
  ];
}
