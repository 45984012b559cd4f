/** The documents that are uploaded, each with its outcome; made when a row is used, not before. */
import type { GapId } from '../../openapi/gaps/register.ts';
import type { Row } from '../row.ts';
import { doc } from './doc.ts';
import type { DocumentSource, GeneratedDocument } from './document.ts';
import { docx } from './docx.ts';
import { encryptedPdf } from './encrypted.ts';
import { empty, pdfByName, pdfNamedText, pdfWithAccents, png, text, truncatedPdf, xlsx } from './other.ts';
import { formPdf, landscapePdf, largePdf, manyPagesPdf, nonLatinPdf, plainPdf, rotatedPdf } from './pdf.ts';

/** Makes the document of a row. The name in the source tells it apart from the other ones of the run. */
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

/** What every compliant service accepts. */
export const acceptedDocuments: readonly AcceptedDocument[] = [
  { format: 'pdf', title: 'a PDF of one page A4', outcome: 'accepted', input: plainPdf },
  {
    format: 'pdf',
    title: 'a PDF of many pages US Letter',
    outcome: 'accepted',
    input: (source) => manyPagesPdf(source),
  },
  { format: 'pdf', title: 'a PDF in landscape', outcome: 'accepted', input: landscapePdf },
  { format: 'pdf', title: 'a PDF with turned pages', outcome: 'accepted', input: rotatedPdf },
  { format: 'pdf', title: 'a PDF with form fields', outcome: 'accepted', input: formPdf },
  { format: 'pdf', title: 'a PDF with text outside Latin-1', outcome: 'accepted', input: nonLatinPdf },
  { format: 'doc', title: 'a DOC', outcome: 'accepted', input: doc },
  { format: 'docx', title: 'a DOCX', outcome: 'accepted', input: docx },
];

/** Other formats. That they are not accepted is stated, what is answered is not: judged as a `should`. */
export const refusedDocuments: readonly Row<MakeDocument>[] = [
  { title: 'a PNG', outcome: 'refused', breaks: 'body', input: png },
  { title: 'plain text', outcome: 'refused', breaks: 'body', input: text },
  { title: 'an XLSX, a ZIP archive as a DOCX is', outcome: 'refused', breaks: 'body', input: xlsx },
];

/** What the document says nothing about. */
export const silentDocuments: readonly SilentDocument[] = [
  { gap: 'upload.encrypted-file', title: 'a PDF with a password', outcome: 'silent', input: encryptedPdf },
  {
    gap: 'limits.file-size',
    title: 'a PDF of 10 MB',
    outcome: 'silent',
    input: (source) => largePdf(source),
  },
  { gap: 'upload.damaged-file', title: 'an empty file', outcome: 'silent', input: empty },
  { gap: 'upload.damaged-file', title: 'a truncated PDF', outcome: 'silent', input: truncatedPdf },
  { gap: 'upload.format-detection', title: 'a PDF by name only', outcome: 'silent', input: pdfByName },
  { gap: 'upload.format-detection', title: 'a PDF named as text', outcome: 'silent', input: pdfNamedText },
  {
    gap: 'upload.file-name',
    title: 'a PDF with a name outside ASCII',
    outcome: 'silent',
    input: pdfWithAccents,
  },
];
