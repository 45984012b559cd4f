/** Completed documents: the originals with the marks of all signers, each with a digital signature over it. */
import type { PDFDocument } from 'pdf-lib';
import { role } from '../openapi/codes.ts';
import { drawMark } from './completion/draw.ts';
import { lettering, write } from './completion/fonts.ts';
import { loadPdf } from './completion/load-pdf.ts';
import { type Mark, marksOf } from './completion/marks.ts';
import type { Dialect } from './dialect.ts';
import type { CompletedFile, StoredRequest, StoredSignatory } from './model.ts';
import { isOn, isType3 } from './rules.ts';
import type { Service } from './service.ts';

/** Loads the libraries and makes a key before they are needed. */
export function prepareCompletion(service: Service): void {
  const key = import('./completion/digital-signature.ts').then(({ signingKey }) => signingKey());
  const ready = Promise.all([import('pdf-lib'), key]);
  ready.catch(service.onError);
}

/** A file that is about to be completed. */
interface Part {
  readonly fileName: string;
  readonly pdf: PDFDocument;
  /** The bytes as they were uploaded, where nothing is added to them. */
  readonly untouched?: Uint8Array;
}

/** The completed files in the order of the documents. */
export async function completeDocuments(
  service: Service,
  request: StoredRequest,
  signatories: readonly StoredSignatory[],
): Promise<readonly CompletedFile[]> {
  const { completedDocuments, auditTrail, signatureKind } = service.dialect;
  const isShort =
    isType3(service, request.id) && service.faulty('signing.cc-receives-copy/type-3-first-document');
  const documents: Part[] = [];
  for (const [index, given] of request.documents.slice(0, isShort ? 1 : undefined).entries()) {
    const marks = marksOf(service, request, signatories, index);
    const part = await partOf(service, latestAlike(service, given), `document-${index + 1}`, marks);
    await mistakeDocument(service, part.pdf, request, signatories);
    documents.push(part);
  }
  const isMerged = completedDocuments === 'merged';
  const parts: readonly Part[] = [
    ...(isMerged ? [await mergedPart(documents)] : documents),
    ...(auditTrail
      ? [{ fileName: 'audit-trail.pdf', pdf: await textPage(auditLines(request, signatories)) }]
      : []),
  ];
  const files: CompletedFile[] = [];
  for (const { fileName, pdf, untouched } of parts) {
    const asUploaded = signatureKind === 'visible' ? untouched : undefined;
    const sealed = async () =>
      // Some files can be opened but not sealed, such as one with a broken form.
      saved(service, pdf, request).catch(async (error) =>
        saved(service, await placeholder(fileName, error), request),
      );
    files.push({ fileName, bytes: asUploaded ? Buffer.from(asUploaded) : await sealed() });
  }
  return files;
}

/** @param otherwise the file name for a document without one */
async function partOf(
  service: Service,
  token: string,
  otherwise: string,
  marks: readonly Mark[],
): Promise<Part> {
  const { fileName = otherwise, kind } = service.store.document(token) ?? {};
  const untouched = kind === 'pdf' && marks.length === 0 ? service.store.documentBytes(token) : undefined;
  const pdf = await markedDocument(service, token, fileName, marks);
  return { fileName: pdfName(fileName), pdf, untouched };
}

async function mergedPart(documents: readonly Part[]): Promise<Part> {
  return { fileName: 'completed.pdf', pdf: await mergePdfs(documents.map(({ pdf }) => pdf)) };
}

/** Applies the faults in what a completed document shows or hides in itself. */
async function mistakeDocument(
  service: Service,
  pdf: PDFDocument,
  { id, documents }: StoredRequest,
  signatories: readonly StoredSignatory[],
): Promise<void> {
  await mistakePages(service, pdf, documents.length > 1);
  const told = signatories.flatMap(({ privateMessage }) => privateMessage || []);
  const isTold = isOn(service, {
    'signing.private-message/in-metadata': true,
    'signing.private-message/type-3-in-metadata': isType3(service, id),
  });
  if (isTold) pdf.setKeywords(told);
  if (service.faulty('signing.color-no-effect/in-metadata'))
    pdf.setKeywords(signatories.flatMap(({ color }) => color ?? []));
  if (service.faulty('signing.private-message/in-comment')) for (const each of told) await comment(pdf, each);
}

/** The token of the document; with the fault, that of the latest document with the same name. */
function latestAlike({ store, faulty }: Service, token: string): string {
  if (!faulty('events.documents-attached/same-name')) return token;
  const name = store.document(token)?.fileName ?? '';
  return store.documents.all().findLast(({ fileName }) => fileName === name)?.token ?? token;
}

/**
 * The document as a PDF with its marks. DOC and DOCX become a page that names the file, since converting them needs a
 * word processor. So does a PDF that cannot be opened, because it is encrypted or damaged.
 */
async function markedDocument(
  service: Service,
  token: string,
  fileName: string,
  marks: readonly Mark[],
): Promise<PDFDocument> {
  const bytes = service.store.documentBytes(token);
  if (bytes === undefined || service.store.document(token)?.kind !== 'pdf')
    return withMarks(await textPage([fileName]), marks, service);
  try {
    return await withMarks(await loadPdf(bytes), marks, service);
  } catch (error) {
    return withMarks(await placeholder(fileName, error), marks, service);
  }
}

function placeholder(fileName: string, error: unknown): Promise<PDFDocument> {
  const reason = error instanceof Error ? error.name : 'Error';
  return textPage([fileName, `The original could not be opened (${reason}).`]);
}

async function withMarks(
  pdf: PDFDocument,
  marks: readonly Mark[],
  { dialect }: Service,
): Promise<PDFDocument> {
  // A damaged file may have no pages, which shows only when they are counted.
  if (pdf.getPageCount() === 0) throw new Error('no pages');
  for (const mark of marks) await place(pdf, mark, dialect.stampPages);
  return pdf;
}

async function place(pdf: PDFDocument, mark: Mark, where: Dialect['stampPages']): Promise<void> {
  const pages = pdf.getPages();
  const at = mark.page === null ? undefined : pages[mark.page];
  const chosen = { last: pages.slice(-1), first: pages.slice(0, 1), all: pages }[where];
  for (const page of at ? [at] : chosen) await drawMark(pdf, page, mark);
}

/** For a fault: a note on the first page, which a viewer shows when it is opened. */
async function comment(pdf: PDFDocument, text: string): Promise<void> {
  const { PDFHexString } = await import('pdf-lib');
  const [page] = pdf.getPages();
  const note = {
    Type: 'Annot',
    Subtype: 'Text',
    Rect: [20, 20, 40, 40],
    Contents: PDFHexString.fromText(text),
  };
  page?.node.addAnnot(pdf.context.register(pdf.context.obj(note)));
}

/** Applies faults about the pages of a document. */
async function mistakePages({ faulty, store }: Service, pdf: PDFDocument, several: boolean): Promise<void> {
  if (pdf.getPageCount() < 2) return;
  const [first] = pdf.getPages();
  const isShort = several && faulty('events.documents-attached/first-page-of-several');
  if (isShort || faulty('events.documents-attached/first-page')) {
    while (pdf.getPageCount() > 1) pdf.removePage(pdf.getPageCount() - 1);
  } else if (faulty('events.documents-attached/ten-pages')) {
    while (pdf.getPageCount() > 10) pdf.removePage(10);
  } else if (faulty('events.documents-attached/trail-for-last-page')) {
    pdf.removePage(pdf.getPageCount() - 1);
    const [trail] = await pdf.copyPages(await textPage(['Audit trail']), [0]);
    pdf.addPage(trail);
  } else if (first && faulty('events.documents-attached/pages-swapped')) {
    pdf.removePage(0);
    pdf.insertPage(1, first);
  } else if (faulty('events.documents-attached/blank-second-page')) {
    pdf.removePage(1);
    pdf.insertPage(1);
  } else if (faulty('events.documents-attached/page-twice')) {
    await showFirstTwice(pdf);
  } else if (faulty('events.documents-attached/page-of-another')) {
    const other = store.documents.all().find(({ kind }) => kind === 'pdf');
    const bytes = store.documentBytes(other?.token ?? '') ?? new Uint8Array();
    const [page] = await pdf.copyPages(await loadPdf(bytes), [0]);
    pdf.addPage(page);
  }
}

/** For faults: the first page also in the place of the second. */
export async function showFirstTwice(pdf: PDFDocument): Promise<void> {
  const [again] = await pdf.copyPages(pdf, [0]);
  pdf.removePage(1);
  pdf.insertPage(1, again);
}

async function mergePdfs(documents: readonly PDFDocument[]): Promise<PDFDocument> {
  const { PDFDocument } = await import('pdf-lib');
  const whole = await PDFDocument.create();
  for (const document of documents) {
    // Flushing writes the embedded fonts of the marks, which copied pages would lack otherwise.
    await document.flush();
    for (const page of await whole.copyPages(document, document.getPageIndices())) whole.addPage(page);
  }
  return whole;
}

async function saved({ dialect }: Service, pdf: PDFDocument, { title }: StoredRequest): Promise<Buffer> {
  if (dialect.signatureKind === 'visible') return Buffer.from(await pdf.save());
  const { sealed } = await import('./completion/digital-signature.ts');
  return sealed(pdf, title);
}

const pdfName = (fileName: string): string => (/\.pdf$/i.test(fileName) ? fileName : `${fileName}.pdf`);

const deeds = { [role.signer]: 'signed', [role.approver]: 'approved', [role.cc]: 'got a copy' } as const;

function auditLines(request: StoredRequest, signatories: readonly StoredSignatory[]): readonly string[] {
  const people = signatories.map(({ name, email, color, role: part, actedAt }) => {
    const when = actedAt === null ? '' : ` at ${new Date(actedAt).toISOString()}`;
    return `${name} <${email}> ${color ?? ''} ${deeds[part]}${when}`;
  });
  return ['Audit trail', request.title, `Request ${request.id}`, '', ...people];
}

export async function textPage(lines: readonly string[]): Promise<PDFDocument> {
  const { PDFDocument, PageSizes } = await import('pdf-lib');
  const pdf = await PDFDocument.create();
  const page = pdf.addPage(PageSizes.A4);
  const { font, lines: lettered } = await lettering(pdf, lines);
  for (const [at, line] of lettered.entries())
    await write(page, line, { x: 56, y: 770 - at * 18, size: 11, font });
  return pdf;
}
