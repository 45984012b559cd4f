/** PDFs in the shapes that people upload, made with pdf-lib: the same bytes for the same source. */
import type { PDFDocument, PDFFont, PDFPage } from 'pdf-lib';
import { committed } from './committed.ts';
import { type DocumentSource, documentOf, type GeneratedDocument, markerOf, sentences } from './document.ts';

/** Both dates of every document; without them pdf-lib would write the present time. */
const written = new Date('2024-01-01T00:00:00Z');

/** Page sizes in PDF points, width and height. */
const a4 = [595.28, 841.89] as const;
const letter = [612, 792] as const;

export async function plainPdf(source: DocumentSource): Promise<GeneratedDocument> {
  return pdf(source, (document, font) => {
    write(document, source, font, a4);
  });
}

/**
 * One page A4 that shows some texts at the same point, small and grey. A service may place a stamp relative to
 * the text that is its Identifier: it finds each of them, and all stamps start from the same point.
 */
export async function labelledPdf(
  source: DocumentSource,
  labels: readonly string[],
): Promise<GeneratedDocument> {
  const { rgb } = await lib();
  return pdf(source, (document, font) => {
    const page = write(document, source, font, a4);
    for (const label of labels)
      page.drawText(label, { x: 56, y: 420, size: 4, font, color: rgb(0.8, 0.8, 0.8) });
  });
}

/** Pages of US Letter, each with its number; many are compressed, as most programs write PDFs since PDF 1.5. */
export async function manyPagesPdf(source: DocumentSource, pages = 24): Promise<GeneratedDocument> {
  return pdf(
    source,
    (document, font) => {
      for (let page = 1; page <= pages; page++) {
        write(document, source, font, letter, [`Page ${page} of ${pages}`]);
      }
    },
    { compressed: pages > 20 },
  );
}

/** A4 in landscape, wide pages and not turned ones, in a file that says that it is of PDF 1.4. */
export async function landscapePdf(source: DocumentSource): Promise<GeneratedDocument> {
  const document = await pdf(source, (document, font) => {
    write(document, source, font, [a4[1], a4[0]]);
  });
  document.bytes.set(Buffer.from('%PDF-1.4'));
  return document;
}

export async function rotatedPdf(source: DocumentSource): Promise<GeneratedDocument> {
  const { degrees } = await lib();
  return pdf(source, (document, font) => {
    for (const angle of [0, 90, 180, 270])
      write(document, source, font, a4, [`Turned by ${angle} degrees`]).setRotation(degrees(angle));
  });
}

/** Pages of all these kinds in one compressed file: the first has a form, and the second is turned. */
export async function mixedPdf(source: DocumentSource, pages: number): Promise<GeneratedDocument> {
  const { degrees } = await lib();
  return pdf(
    source,
    (document, font) => {
      for (let page = 1; page <= pages; page++)
        write(document, source, font, a4, [`Page ${page} of ${pages}`]);
      document.getPage(1).setRotation(degrees(90));
      addPlace(document);
    },
    { compressed: true },
  );
}

/** A form with a text field that is filled in, one that is not, and a box that is ticked. */
export async function formPdf(source: DocumentSource): Promise<GeneratedDocument> {
  return pdf(source, (document, font) => {
    const page = write(document, source, font, a4);
    const form = document.getForm();
    addPlace(document);
    form.createTextField('agreement.remark').addToPage(page, { x: 56, y: 560, width: 200, height: 24 });
    const terms = form.createCheckBox('agreement.terms');
    terms.addToPage(page, { x: 56, y: 520, width: 16, height: 16 });
    terms.check();
  });
}

/** Adds a text field that is filled in to the first page. */
function addPlace(document: PDFDocument): void {
  const place = document.getForm().createTextField('agreement.place');
  place.setText('Utrecht');
  place.addToPage(document.getPage(0), { x: 56, y: 600, width: 200, height: 24 });
}

/** One page with text that WinAnsi cannot encode, in an embedded font: Greek, Cyrillic, Polish, Vietnamese. */
export async function nonLatinPdf(source: DocumentSource): Promise<GeneratedDocument> {
  // The page is committed, since embedding a font would block a run for a third of a second.
  const { PDFDocument } = await lib();
  const begun = await PDFDocument.load(await committed('./non-latin.pdf'), { updateMetadata: false });
  return pdf(source, (document, font) => void writeOn(document.getPage(0), source, font), { begun });
}

/** One page, and 10 MB that do not compress, in the place that PDF has for private data. */
export async function largePdf(source: DocumentSource): Promise<GeneratedDocument> {
  const { PDFName, PDFRawStream, PDFString } = await lib();
  const { bytesOf } = await import('../seed.ts');
  return pdf(source, (document, font) => {
    write(document, source, font, a4);
    const padding = bytesOf(10_000_000, source.run, source.seed, source.name);
    const stream = document.context.register(
      PDFRawStream.of(document.context.obj({ Length: padding.length }), padding),
    );
    const data = { LastModified: PDFString.fromDate(written), Private: stream };
    document.catalog.set(PDFName.of('PieceInfo'), document.context.obj({ Padding: data }));
  });
}

/** Imports pdf-lib when the first PDF is made, since most commands never make one. */
const lib = async (): Promise<typeof import('pdf-lib')> => import('pdf-lib');

async function pdf(
  source: DocumentSource,
  draw: (document: PDFDocument, font: PDFFont) => void,
  { begun, compressed = false }: { readonly begun?: PDFDocument; readonly compressed?: boolean } = {},
): Promise<GeneratedDocument> {
  const { PDFDocument, StandardFonts } = await lib();
  const document = begun ?? (await PDFDocument.create());
  const marker = markerOf(source);
  document.setTitle(`Agreement ${marker}`);
  document.setKeywords([marker]);
  document.setCreationDate(written);
  document.setModificationDate(written);
  draw(document, await document.embedFont(StandardFonts.Helvetica));
  // Usually with a plain cross-reference table: the oldest form, which every reader of PDF knows.
  const bytes = new Uint8Array(await document.save({ useObjectStreams: compressed }));
  return documentOf(source, 'pdf', bytes);
}

/** Adds a page with the sentences that every document has, then `more`. */
function write(
  document: PDFDocument,
  source: DocumentSource,
  font: PDFFont,
  size: readonly [number, number],
  more: readonly string[] = [],
): PDFPage {
  return writeOn(document.addPage([...size]), source, font, more);
}

function writeOn(page: PDFPage, source: DocumentSource, font: PDFFont, more: readonly string[] = []) {
  [...sentences(markerOf(source)), ...more].forEach((text, index) => {
    page.drawText(text, { ...lineAt(page.getHeight(), index), font });
  });
  return page;
}

/** The place of a line on a page, counted from 0. */
const lineAt = (height: number, index: number) => ({ x: 56, y: height - 72 - 24 * index, size: 12 });
