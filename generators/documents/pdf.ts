/** PDFs in the shapes that people upload, made with pdf-lib: the same bytes for the same source. */
import { readFile } from 'node:fs/promises';
import type { PDFDocument, PDFFont } from 'pdf-lib';
import { type DocumentSource, documentOf, type GeneratedDocument, markerOf, sentences } from './document.ts';

/** Both dates of every document: pdf-lib writes the present time when they are not set. */
const written = new Date('2024-01-01T00:00:00Z');

/** Page sizes in PDF points, width and height. */
const a4 = [595.28, 841.89] as const;
const letter = [612, 792] as const;

/** One page A4 with a few lines of text. */
export async function plainPdf(source: DocumentSource): Promise<GeneratedDocument> {
  return pdf(source, async (document) => {
    write(document, source, await helvetica(document), a4);
  });
}

/**
 * One page A4 that shows texts at one and the same point, small and grey. A service may place a stamp by the
 * text that is its Identifier: it finds each of them, and all count from there.
 */
export async function labelledPdf(
  source: DocumentSource,
  labels: readonly string[],
): Promise<GeneratedDocument> {
  const { rgb } = await lib();
  return pdf(source, async (document) => {
    const font = await helvetica(document);
    const page = write(document, source, font, a4);
    for (const label of labels) {
      page.drawText(label, { x: 56, y: 420, size: 4, font, color: rgb(0.8, 0.8, 0.8) });
    }
  });
}

/** Pages of US Letter, each with its number. */
export async function manyPagesPdf(source: DocumentSource, pages = 24): Promise<GeneratedDocument> {
  return pdf(source, async (document) => {
    const font = await helvetica(document);
    for (let page = 1; page <= pages; page++) {
      write(document, source, font, letter, [`Page ${page} of ${pages}`]);
    }
  });
}

/** A4 in landscape: wide pages, not turned ones. */
export async function landscapePdf(source: DocumentSource): Promise<GeneratedDocument> {
  return pdf(source, async (document) => {
    write(document, source, await helvetica(document), [a4[1], a4[0]]);
  });
}

/** Four pages A4 that a viewer turns by 0, 90, 180 and 270 degrees. */
export async function rotatedPdf(source: DocumentSource): Promise<GeneratedDocument> {
  const { degrees } = await lib();
  return pdf(source, async (document) => {
    const font = await helvetica(document);
    for (const angle of [0, 90, 180, 270]) {
      write(document, source, font, a4, [`Turned by ${angle} degrees`]).setRotation(degrees(angle));
    }
  });
}

/** A form with a text field that is filled in, one that is not, and a box that is ticked. */
export async function formPdf(source: DocumentSource): Promise<GeneratedDocument> {
  return pdf(source, async (document) => {
    const page = write(document, source, await helvetica(document), a4);
    const form = document.getForm();
    const place = form.createTextField('agreement.place');
    place.setText('Utrecht');
    place.addToPage(page, { x: 56, y: 600, width: 200, height: 24 });
    form.createTextField('agreement.remark').addToPage(page, { x: 56, y: 560, width: 200, height: 24 });
    const terms = form.createCheckBox('agreement.terms');
    terms.addToPage(page, { x: 56, y: 520, width: 16, height: 16 });
    terms.check();
  });
}

/** Text that WinAnsi cannot encode: Greek, Cyrillic, Polish, Vietnamese, in an embedded font. */
export async function nonLatinPdf(source: DocumentSource): Promise<GeneratedDocument> {
  // The font and its reader take some 30 MB: they are loaded for this document only.
  const { default: fontkit } = await import('@pdf-lib/fontkit');
  const file = import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf');
  return pdf(source, async (document) => {
    document.registerFontkit(fontkit);
    // Whole, some hundreds of kilobytes: the subsets that fontkit 1.1.1 writes of it lose letters when shown.
    const font = await document.embedFont(await readFile(new URL(file)));
    write(document, source, font, a4, ['Συμφωνία', 'Соглашение', 'Umowa: zażółć gęślą jaźń', 'Thỏa thuận']);
  });
}

/** One page and, in the place that PDF has for private data, 10 MB that do not compress. */
export async function largePdf(source: DocumentSource): Promise<GeneratedDocument> {
  const { PDFName, PDFRawStream, PDFString } = await lib();
  const { bytesOf } = await import('../seed.ts');
  return pdf(source, async (document) => {
    write(document, source, await helvetica(document), a4);
    const padding = bytesOf(10_000_000, source.run, source.seed, source.name);
    const stream = document.context.register(
      PDFRawStream.of(document.context.obj({ Length: padding.length }), padding),
    );
    const data = { LastModified: PDFString.fromDate(written), Private: stream };
    document.catalog.set(PDFName.of('PieceInfo'), document.context.obj({ Padding: data }));
  });
}

/** pdf-lib is imported when the first PDF is made: most commands of the suite never make one. */
async function lib(): Promise<typeof import('pdf-lib')> {
  return import('pdf-lib');
}

async function helvetica(document: PDFDocument): Promise<PDFFont> {
  const { StandardFonts } = await lib();
  return document.embedFont(StandardFonts.Helvetica);
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
  // A plain cross-reference table: the oldest form, which every reader of PDF knows.
  const bytes = new Uint8Array(await document.save({ useObjectStreams: false }));
  return documentOf(source, 'pdf', bytes);
}

/** Adds a page with the sentences that every document has, then `more`. */
function write(
  document: PDFDocument,
  source: DocumentSource,
  font: PDFFont,
  [width, height]: readonly [number, number],
  more: readonly string[] = [],
) {
  const page = document.addPage([width, height]);
  [...sentences(markerOf(source)), ...more].forEach((text, index) => {
    page.drawText(text, { x: 56, y: height - 72 - 24 * index, size: 12, font });
  });
  return page;
}
