/** Files of other formats, and files that are not what they claim to be. */
import { strToU8 } from 'fflate';
import { doc } from './committed.ts';
import {
  type DocumentSource,
  documentOf,
  type GeneratedDocument,
  markerOf,
  mediaType,
  sentences,
} from './document.ts';
import { contentTypes, coreProperties, officePackage, openXml, relationships } from './package.ts';
import { plainPdf } from './pdf.ts';

/** Pictures in base64: a grey square of 64 by 64 pixels, and a black one of 8 by 8. */
const pictures = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAKklEQVR4nO3MQREAAAwCoPXPtlCG8OdBAO5LAoFAIBAIBAKBQCAQCOaDACKCwLVo4GYOAAAAAElFTkSuQmCC',
  jpeg: '/9j/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z',
} as const;

/** A picture; the marker stands behind its end, where nothing is read as a part of it. */
function picture(source: DocumentSource, format: keyof typeof pictures): GeneratedDocument {
  const whole = Buffer.from(pictures[format], 'base64');
  return documentOf(source, format, new Uint8Array(Buffer.concat([whole, strToU8(markerOf(source))])));
}

export const png = (source: DocumentSource) => picture(source, 'png');
export const jpeg = (source: DocumentSource) => picture(source, 'jpeg');

export function html(source: DocumentSource): GeneratedDocument {
  const lines = sentences(markerOf(source)).map((line) => `<p>${line}</p>`);
  const page = `<!DOCTYPE html><html lang="en"><head><title>Agreement</title></head><body>${lines.join('')}</body></html>`;
  return documentOf(source, 'html', new Uint8Array(strToU8(page)));
}

/** What word processors write and open, too. */
export function rtf(source: DocumentSource): GeneratedDocument {
  const lines = sentences(markerOf(source)).map((line) => `${line}\\par\n`);
  return documentOf(source, 'rtf', new Uint8Array(strToU8(`{\\rtf1\\ansi\n${lines.join('')}}\n`)));
}

export function text(source: DocumentSource): GeneratedDocument {
  const lines = `${sentences(markerOf(source)).join('\n')}\n`;
  return documentOf(source, 'text', new Uint8Array(strToU8(lines)));
}

/** A spreadsheet: a ZIP archive like a DOCX, so that the first bytes are the same. */
export function xlsx(source: DocumentSource): GeneratedDocument {
  const rows = sentences(markerOf(source)).map(
    (line) => `<row><c t="inlineStr"><is><t>${line}</t></is></c></row>`,
  );
  const main = `${openXml}/spreadsheetml/2006/main`;
  const relation = `${openXml}/officeDocument/2006/relationships`;
  const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml';
  const bytes = officePackage({
    '[Content_Types].xml': contentTypes('/xl/workbook.xml', `${mediaType.xlsx}.main+xml`, [
      ['/xl/worksheets/sheet1.xml', sheetType],
    ]),
    '_rels/.rels': relationships('xl/workbook.xml'),
    'docProps/core.xml': coreProperties(markerOf(source)),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relation}"><sheets><sheet name="Agreement" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${openXml}/package/2006/relationships"><Relationship Id="rId1" Type="${relation}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
  });
  return documentOf(source, 'xlsx', bytes);
}

/** Replacements that make an XLS of a DOC: the main stream's name, its first bytes and its length, then class and program names. */
const docToXls: readonly (readonly [Buffer, Buffer])[] = [
  [entryOf('WordDocument'), entryOf('Workbook')],
  [Buffer.from('eca5', 'hex'), Buffer.from('0908', 'hex')],
  [Buffer.from('0609020000000000c0', 'hex'), Buffer.from('2008020000000000c0', 'hex')],
  ...[
    ['Microsoft Word-Dokument', 'Microsoft Excel-Tabelle'],
    ['MSWordDoc', 'Biff8\0\0\0\0'],
    ['Word.Document.8', 'Excel.Sheet.8\0\0'],
  ].map(([word = '', excel = '']) => [Buffer.from(word), Buffer.from(excel)] as const),
];

/** The beginning of a directory entry: the name in 64 bytes and its length with the end (MS-CFB, 2.6.1). */
function entryOf(name: string): Buffer {
  const entry = Buffer.alloc(66);
  entry.write(name, 'utf16le');
  entry.writeUInt16LE(2 * (name.length + 1), 64);
  return entry;
}

/** A spreadsheet in the old format: a compound file like a DOC, so that the first bytes are the same. */
export async function xls(source: DocumentSource): Promise<GeneratedDocument> {
  const { bytes } = await doc(source);
  const whole = Buffer.from(bytes.buffer);
  for (const [word, excel] of docToXls) {
    let at = whole.indexOf(word);
    if (at < 0) throw new Error('sample.doc has changed: it cannot be made an XLS any more');
    for (; at >= 0; at = whole.indexOf(word, at + 1)) excel.copy(whole, at);
  }
  return documentOf(source, 'xls', bytes);
}

export function empty(source: DocumentSource): GeneratedDocument {
  return documentOf(source, 'pdf', new Uint8Array());
}

/** The first half of a PDF: a beginning that looks right, and no cross-reference table. */
export async function truncatedPdf(source: DocumentSource): Promise<GeneratedDocument> {
  const whole = await plainPdf(source);
  return { ...whole, bytes: whole.bytes.slice(0, Math.floor(whole.bytes.length / 2)) };
}

export function pdfByName(source: DocumentSource): GeneratedDocument {
  return documentOf(source, 'pdf', text(source).bytes);
}

export async function pdfNamedText(source: DocumentSource): Promise<GeneratedDocument> {
  return documentOf(source, 'text', (await plainPdf(source)).bytes);
}

/** A PDF with a file name outside ASCII, which header fields can spell in several ways. */
export async function pdfWithAccents(source: DocumentSource): Promise<GeneratedDocument> {
  const whole = await plainPdf(source);
  return { ...whole, fileName: `Übereinkunft ${whole.fileName}` };
}
