/** The uploaded documents, each with its outcome. A document is made only when its row is used. */
import type { GapId } from '../../openapi/gaps/register.ts';
import type { Row } from '../row.ts';
import { doc, encryptedPdf } from './committed.ts';
import type { DocumentSource, GeneratedDocument } from './document.ts';
import { docx } from './docx.ts';
import * as other from './other.ts';
import { formPdf, landscapePdf, largePdf, manyPagesPdf, nonLatinPdf, plainPdf, rotatedPdf } from './pdf.ts';

/** Makes the document of a row. The name in the source makes it unique within the run. */
export type MakeDocument = (source: DocumentSource) => GeneratedDocument | Promise<GeneratedDocument>;

/** Formats that the document lists (section "Limits"). */
export type Format = 'pdf' | 'doc' | 'docx';

export interface AcceptedDocument extends Row<MakeDocument> {
  readonly outcome: 'accepted';
  readonly format: Format;
}

interface SilentDocument extends Row<MakeDocument> {
  readonly outcome: 'silent';
  readonly gap: GapId;
}

const accepted = (format: Format, title: string, input: MakeDocument): AcceptedDocument => {
  return { format, title, outcome: 'accepted', input };
};
const silent = (gap: GapId, title: string, input: MakeDocument): SilentDocument => {
  return { gap, title, outcome: 'silent', input };
};

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
export const refusedDocuments: readonly Row<MakeDocument>[] = Object.entries({
  'a PNG': other.png,
  'a JPEG': other.jpeg,
  'a web page': other.html,
  'an RTF': other.rtf,
  'plain text': other.text,
  'an XLSX, a ZIP archive as a DOCX is': other.xlsx,
  'an XLS, a compound file as a DOC is': other.xls,
}).map(([title, input]) => ({ title, outcome: 'refused', breaks: 'body', input }));

export const silentDocuments: readonly SilentDocument[] = [
  silent('upload.encrypted-file', 'a PDF with a password', encryptedPdf),
  silent('limits.file-size', 'a PDF of 10 MB', largePdf),
  silent('upload.damaged-file', 'an empty file', other.empty),
  silent('upload.damaged-file', 'a truncated PDF', other.truncatedPdf),
  silent('upload.format-detection', 'a PDF by name only', other.pdfByName),
  silent('upload.format-detection', 'a PDF named as text', other.pdfNamedText),
  silent('upload.file-name', 'a PDF with a name outside ASCII', other.pdfWithAccents),
];
