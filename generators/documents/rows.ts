/** The uploaded documents, each with its outcome. A document is made only when its row is used. */
import type { GapId } from '../../openapi/gaps/register.ts';
import type { Row } from '../row.ts';
import { doc, encryptedPdf } from './committed.ts';
import type { DocumentSource, GeneratedDocument } from './document.ts';
import { docx } from './docx.ts';
import {
  empty,
  html,
  jpeg,
  pdfByName,
  pdfNamedText,
  pdfWithAccents,
  png,
  rtf,
  text,
  truncatedPdf,
  xls,
  xlsx,
} from './other.ts';
import { formPdf, landscapePdf, largePdf, manyPagesPdf, nonLatinPdf, plainPdf, rotatedPdf } from './pdf.ts';

/** Makes the document of a row. The name in the source makes it unique within the run. */
export type MakeDocument = (source: DocumentSource) => GeneratedDocument | Promise<GeneratedDocument>;

/** Formats that the document lists (section "Limits"). */
export type Format = 'pdf' | 'doc' | 'docx';

export interface AcceptedDocument extends Row<MakeDocument> {
  readonly outcome: 'accepted';
  readonly format: Format;
}

export interface SilentDocument extends Row<MakeDocument> {
  readonly outcome: 'silent';
  readonly gap: GapId;
}

const accepted = (
  format: AcceptedDocument['format'],
  title: string,
  input: MakeDocument,
): AcceptedDocument => ({ format, title, outcome: 'accepted', input });
const refused = (title: string, input: MakeDocument): Row<MakeDocument> => ({
  title,
  outcome: 'refused',
  breaks: 'body',
  input,
});
const silent = (gap: GapId, title: string, input: MakeDocument): SilentDocument => ({
  gap,
  title,
  outcome: 'silent',
  input,
});

export const acceptedDocuments: readonly AcceptedDocument[] = [
  accepted('pdf', 'a PDF of one page A4', plainPdf),
  accepted('pdf', 'a PDF of many pages US Letter, compressed', (source) => manyPagesPdf(source)),
  accepted('pdf', 'a PDF in landscape', landscapePdf),
  accepted('pdf', 'a PDF with turned pages', rotatedPdf),
  accepted('pdf', 'a PDF with form fields', formPdf),
  accepted('pdf', 'a PDF with text outside Latin-1', nonLatinPdf),
  accepted('doc', 'a DOC', doc),
  accepted('docx', 'a DOCX', docx),
];

/** Documents in other formats. It is stated that they are not accepted, but not how, so they are judged as a `should`. */
export const refusedDocuments: readonly Row<MakeDocument>[] = [
  refused('a PNG', png),
  refused('a JPEG', jpeg),
  refused('a web page', html),
  refused('an RTF', rtf),
  refused('plain text', text),
  refused('an XLSX, a ZIP archive as a DOCX is', xlsx),
  refused('an XLS, a compound file as a DOC is', xls),
];

export const silentDocuments: readonly SilentDocument[] = [
  silent('upload.encrypted-file', 'a PDF with a password', encryptedPdf),
  silent('limits.file-size', 'a PDF of 10 MB', largePdf),
  silent('upload.damaged-file', 'an empty file', empty),
  silent('upload.damaged-file', 'a truncated PDF', truncatedPdf),
  silent('upload.format-detection', 'a PDF by name only', pdfByName),
  silent('upload.format-detection', 'a PDF named as text', pdfNamedText),
  silent('upload.file-name', 'a PDF with a name outside ASCII', pdfWithAccents),
];
