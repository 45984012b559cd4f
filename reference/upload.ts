/** Endpoint 1: upload a document (PDF, DOC or DOCX) and get its token. */
import { unzipSync } from 'fflate';
import { path } from '../openapi/codes.ts';
import { authorizeCarrying } from './access.ts';
import { jsonAnswer } from './answer.ts';
import { parseJson, readBody, readForm } from './body.ts';
import type { FaultId } from './faults.ts';
import { newId, newNumber } from './ids.ts';
import type { FileKind, StoredDocument } from './model.ts';
import { badRequest, isOn, Refusal, refusalBy, refuseFaultily } from './rules.ts';
import type { App, Call, Service } from './service.ts';

interface UploadedFile {
  readonly bytes: Buffer;
  readonly fileName: string;
  readonly mediaType: string;
}

export function mountUpload(app: App, service: Service): void {
  app.post(path.upload, async (call) => {
    const account = await authorizeCarrying(call, service, 'upload');
    const body = await readBody(call, service.dialect.maxUploadBytes);
    const file = await readFile(call, body, service);
    const kind = recogniseFile(file, service);
    return answerToken(service, keepDocument(service, account, file, kind), kind);
  });
}

/** The file of an upload, in the encoding of the dialect; the document shows none. */
async function readFile(call: Call, body: Buffer, service: Service): Promise<UploadedFile> {
  const declared = call.req.header('Content-Type') ?? '';
  const isForm = declared.toLowerCase().startsWith('multipart/form-data');
  const { uploadEncoding: encoding, uploadField } = service.dialect;
  if (encoding === 'json') return fileInJson(body, service);
  if (encoding === 'raw' || (encoding === 'any' && !isForm)) {
    const orForm = encoding === 'any' ? ', or multipart/form-data' : '';
    if (declared.toLowerCase().startsWith('multipart/'))
      throw new Refusal(415, { detail: `The body is the file itself${orForm}` });
    return { bytes: body, fileName: outerFileName(call, service), mediaType: declared };
  }
  if (!isForm)
    throw badRequest(
      'The body is not multipart/form-data; uploadEncoding=raw of the dialect takes the file itself',
    );
  const form = await readForm(body, declared);
  const named = form.get(uploadField);
  // If any part may be the file, a text with the name of the upload field is just another field.
  const files = [named, ...(encoding === 'any' ? form.values() : [])].filter((each) => each instanceof File);
  const [part] = files;
  if (part === undefined) {
    const there = `there are: ${[...form.keys()].join(', ') || 'none'}`;
    const lacks = `No part "${uploadField}" (${there}); uploadField of the dialect names another one`;
    const isText = `The part "${uploadField}" is no file: it has neither a file name nor a media type of one`;
    const any = `No part is a file, with a file name or a media type of one (${there})`;
    throw badRequest(encoding === 'any' ? any : named === null ? lacks : isText);
  }
  const bytes = Buffer.from(await part.arrayBuffer());
  const fileName = service.dialect.uploadFileName === 'part' ? part.name : outerFileName(call, service);
  return { bytes, fileName, mediaType: part.type };
}

function fileInJson(body: Buffer, service: Service): UploadedFile {
  const { uploadField } = service.dialect;
  const parsed = parseJson(body, service);
  if (parsed.kind !== 'object') throw badRequest(parsed.detail);
  const { [uploadField]: content, fileName, contentType = '' } = parsed.value;
  const isBase64 = typeof content === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(content);
  if (!isBase64) throw badRequest(`${uploadField} is not the file in base64`);
  if (typeof fileName !== 'string') throw badRequest('fileName is not the name of the file');
  return { bytes: Buffer.from(content, 'base64'), fileName, mediaType: String(contentType) };
}

function outerFileName(call: Call, service: Service): string {
  const place = service.dialect.uploadFileName;
  const given = place === 'query' ? call.req.query('fileName') : call.req.header('X-File-Name');
  if (given === undefined && (place === 'query' || place === 'header')) throw badRequest('No file name');
  return given ?? 'document';
}

const mediaTypes: Readonly<Record<FileKind, string>> = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

/** Section "Limits": PDF, DOC and DOCX are accepted; the status for all else is not shown. */
function recogniseFile(file: UploadedFile, service: Service): FileKind {
  const { dialect, faulty } = service;
  const kind = sniff(file.bytes, dialect.truncatedPdf);
  if (kind === null) {
    const taken = isOn(service, {
      'upload.other-formats/png-accepted': file.bytes.toString('latin1', 1, 4) === 'PNG',
      'upload.other-formats/jpeg-accepted': file.bytes[0] === 0xff,
      'upload.other-formats/html-accepted': file.bytes[0] === 0x3c,
      'upload.other-formats/rtf-accepted': file.bytes.toString('latin1', 0, 5) === '{\\rtf',
      'upload.other-formats/text-accepted': isText(file.bytes),
      'upload.other-formats/zip-accepted': isZip(file.bytes),
      'upload.other-formats/xls-accepted': isCompound(file.bytes),
    });
    if (taken) return isZip(file.bytes) ? 'docx' : 'doc';
    const detail = `The file is no PDF, DOC or DOCX: ${lackOf(file.bytes)}`;
    throw refusalBy(service, 'upload.other-formats', unsupported(service, detail));
  }
  refuseFaultily(service, 'upload.pdf/500', kind === 'pdf');
  refuseFaultily(service, `upload.${kind}/refused`, true);
  if (kind === 'pdf') {
    for (const [id, has] of pdfTraits)
      refuseFaultily(service, id, faulty(id) && has(file.bytes.toString('latin1')));
  }
  if (kind === 'pdf' && dialect.encryptedPdf === 'refused' && isEncryptedPdf(file.bytes))
    throw unsupported(service, 'The PDF is encrypted');
  if (dialect.uploadMediaType === 'octet-stream' && file.mediaType !== 'application/octet-stream')
    throw unsupported(service, 'Content-Type is not application/octet-stream');
  if (dialect.uploadMediaType === 'judged' && !file.mediaType.startsWith(mediaTypes[kind]))
    throw unsupported(service, `Content-Type is not ${mediaTypes[kind]}`);
  return kind;
}

function unsupported(service: Service, detail: string): Refusal {
  return new Refusal(service.dialect.uploadRefusedStatus, { message: 'Unsupported file format', detail });
}

/** Why bytes are none of the formats, in words for the caller. */
function lackOf(bytes: Buffer): string {
  if (bytes.length === 0) return 'it is empty';
  if (isPdf(bytes, false)) return 'a PDF ends with %%EOF';
  if (isCompound(bytes)) return 'a DOC has a stream WordDocument';
  if (isZip(bytes)) return `a DOCX is a whole ZIP with ${needed.join(' and ')}`;
  return `it begins with ${bytes.toString('latin1', 0, 20).replaceAll(/[^ -~]/g, '.')}`;
}

function isText(bytes: Buffer): boolean {
  return bytes.length > 0 && bytes.every((byte) => byte >= 9 && byte !== 127);
}

function keepDocument(service: Service, account: string, file: UploadedFile, kind: FileKind): string {
  const { dialect, store, faulty } = service;
  const all = store.documents.all();
  const bytesOf = ({ token }: StoredDocument) => Buffer.from(store.documentBytes(token) ?? []);
  const isEqual = (each: StoredDocument) => each.account === account && bytesOf(each).equals(file.bytes);
  const equal = dialect.equalDocuments === 'one-token' ? all.find(isEqual) : undefined;
  if (equal && !equal.invalidated) return equal.token;
  const alike =
    (faulty('upload.token-identifies/same-name') && all.find((each) => each.fileName === file.fileName)) ||
    (faulty('upload.token-identifies/same-length') &&
      all.find((each) => bytesOf(each).length === file.bytes.length)) ||
    (faulty('upload.token-identifies/tenth-as-before') && all.length % 10 === 9 && all.at(-1)) ||
    (faulty('upload.token-identifies/docx-as-before') &&
      (kind === 'docx' ? all.at(-1) : all.length === 1 && all.find((each) => each.kind === 'docx')));
  if (alike) return alike.token;
  refuseFaultily(
    service,
    'upload.docx/second-refused',
    kind === 'docx' && all.some((each) => each.kind === kind),
  );
  const fresh = () =>
    faulty('upload.token-string/number') ? newNumber() : newId(dialect.documentTokenForm, 'doc');
  const token = fresh();
  const facts = { token, account, kind, fileName: file.fileName, createdAt: service.now() };
  store.addDocument(facts, file.bytes);
  const lost = kind !== 'pdf' && faulty(`upload.token-usable/${kind}`);
  return lost || faulty('upload.token-usable/other') ? fresh() : token;
}

/** Answers with the token; where the answer carries it is not shown. */
function answerToken(service: Service, kept: string, kind: FileKind): Response {
  const { dialect, faulty } = service;
  const status = dialect.uploadStatus;
  const token = faulty('upload.returns-token/empty') ? '' : kept;
  const lacks = isOn(service, {
    'upload.returns-token/missing': true,
    'upload.returns-token/missing-of-docx': kind === 'docx',
    'upload.returns-token/missing-of-doc': kind === 'doc',
  });
  if (lacks) return jsonAnswer(service, status, { uploaded: true });
  const isNumber = kind !== 'pdf' && faulty(`upload.token-string/number-of-${kind}`);
  if (isNumber || faulty('upload.token-string/number')) {
    const number = isNumber ? newNumber() : token;
    return jsonAnswer(service, status, atPointer(dialect.tokenPointer, Number(number)));
  }
  switch (dialect.tokenPlace) {
    case 'string':
      return jsonAnswer(service, status, token);
    case 'text':
      return new Response(token, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
    case 'header':
      return new Response(null, { status, headers: { [dialect.tokenHeader]: token } });
    case 'location': {
      const location = `${service.baseUrl()}/documents/${encodeURIComponent(token)}`;
      return new Response(null, { status, headers: { Location: location } });
    }
    case 'page': {
      const json = JSON.stringify(atPointer(dialect.tokenPointer, token));
      const body = `<textarea>${json}</textarea>`;
      return new Response(body, { status, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
    }
    case 'json': {
      const body = atPointer(dialect.tokenPointer, token);
      return jsonAnswer(
        service,
        status,
        dialect.extraFields ? { ...body, uploaded: true, pages: null } : body,
      );
    }
  }
}

/** An object that carries `value` at a JSON Pointer; a step of digits makes an array. */
function atPointer(pointer: string, value: unknown): Record<string, unknown> {
  const steps = pointer.split('/').slice(1).reverse();
  const built = steps.reduce<unknown>(
    (inner, step) => (/^\d+$/.test(step) ? [...Array(Number(step)).fill(null), inner] : { [step]: inner }),
    value,
  );
  return built as Record<string, unknown>;
}

/** Faults about one kind of PDF, each with a test for that kind (ISO 32000-1, 7.7.3 and 12.7). */
const pdfTraits: readonly (readonly [FaultId, (text: string) => boolean])[] = [
  // The list of pages may be compressed, but each page has a stream of its own.
  ['upload.pdf/many-pages-refused', (text) => text.split('endstream').length > 20],
  ['upload.pdf/compressed-refused', (text) => text.includes('/ObjStm')],
  ['upload.pdf/landscape-refused', isLandscape],
  ['upload.pdf/turned-refused', (text) => /\/Rotate (?!0\b)\d/.test(text)],
  ['upload.pdf/of-1.4-refused', (text) => text.startsWith('%PDF-1.4')],
  ['upload.pdf/form-refused', (text) => text.includes('/AcroForm')],
  ['upload.pdf/embedded-font-refused', (text) => /\/FontFile/.test(text)],
];

function isLandscape(text: string): boolean {
  const box = /\/MediaBox \[\s*0 0 ([\d.]+) ([\d.]+)\s*\]/.exec(text);
  return box !== null && Number(box[1]) > Number(box[2]);
}

/** The format of a file; `null` for any other one, for a PDF without its end and for a ZIP that is no DOCX. */
function sniff(bytes: Buffer, truncatedPdf: 'accepted' | 'refused'): FileKind | null {
  if (isPdf(bytes, truncatedPdf === 'refused')) return 'pdf';
  if (isDoc(bytes)) return 'doc';
  return isDocx(bytes) ? 'docx' : null;
}

/** The header may follow up to 1,024 bytes of something else (ISO 32000-1, implementation note 13). */
function isPdf(bytes: Buffer, endNeeded: boolean): boolean {
  if (!bytes.subarray(0, 1024).includes('%PDF-')) return false;
  return !endNeeded || bytes.subarray(-1024).includes('%%EOF');
}

/** Whether a PDF is encrypted: its trailer or cross-reference stream, never compressed, says so. */
const isEncryptedPdf = (bytes: Buffer): boolean => bytes.includes('/Encrypt');

const compoundFile = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const wordStream = Buffer.from('WordDocument', 'utf16le');

/** An OLE compound file with the stream in which Word keeps its text. */
const isDoc = (bytes: Buffer): boolean => isCompound(bytes) && bytes.includes(wordStream);

const isCompound = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(compoundFile);

/** A ZIP archive, of whatever content. */
const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'));

const needed = ['[Content_Types].xml', 'word/document.xml'];

/** A ZIP whose central directory names the two parts that every DOCX has. */
function isDocx(bytes: Buffer): boolean {
  if (!isZip(bytes)) return false;
  const names = new Set<string>();
  // The directory says how many entries it has, which may be four billion: each takes 46 bytes (APPNOTE.TXT, 4.3.12).
  let most = bytes.length / 46;
  // Nothing is unpacked.
  const filter = ({ name }: { readonly name: string }) => {
    most -= 1;
    if (most < 0) throw new Error('there cannot be so many');
    names.add(name);
    return false;
  };
  try {
    unzipSync(bytes, { filter });
  } catch {
    return false;
  }
  return needed.every((name) => names.has(name));
}
