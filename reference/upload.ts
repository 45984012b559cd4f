/** Endpoint 1: upload a document (PDF, DOC or DOCX) and get its token. */

import { path } from '../openapi/codes.ts';
import { authorize } from './access.ts';
import { jsonAnswer } from './answer.ts';
import { readBody } from './body.ts';
import { newId, newNumber } from './ids.ts';
import type { FileKind } from './model.ts';
import { pdfTraits } from './pdf-traits.ts';
import { badRequest, Refusal } from './refusal.ts';
import { refusalBy, refuseFaultily } from './rules.ts';
import type { App, Call, Service } from './service.ts';
import { isEncryptedPdf, isZip, sniff } from './sniff.ts';

interface UploadedFile {
  readonly bytes: Buffer;
  readonly fileName: string;
  readonly mediaType: string;
}

export function mountUpload(app: App, service: Service): void {
  app.post(path.upload, async (call) => {
    const account = authorize(call, service, 'upload');
    const body = await readBody(call, service.dialect.maxUploadBytes);
    const file = await readFile(call, body, service);
    const kind = recogniseFile(file, service);
    return answerToken(service, keepDocument(service, account, file, kind));
  });
}

/** The file as the dialect lets it travel; the encoding of the body is not shown. */
async function readFile(call: Call, body: Buffer, service: Service): Promise<UploadedFile> {
  const declared = call.req.header('Content-Type') ?? '';
  if (service.dialect.uploadEncoding === 'raw') {
    if (declared.startsWith('multipart/')) throw new Refusal(415, { detail: 'The body is the file itself' });
    return { bytes: body, fileName: outerFileName(call, service), mediaType: declared };
  }
  const part = (await readForm(body, declared)).get(service.dialect.uploadField);
  if (!(part instanceof File)) throw badRequest(`No file in the part "${service.dialect.uploadField}"`);
  const bytes = Buffer.from(await part.arrayBuffer());
  const named = service.dialect.uploadFileName === 'part' ? part.name : outerFileName(call, service);
  return { bytes, fileName: named, mediaType: part.type };
}

/** A multipart form. Throws the refusal 400 when the body is none. */
export async function readForm(body: Buffer, contentType: string): Promise<FormData> {
  if (!contentType.toLowerCase().startsWith('multipart/form-data')) {
    throw badRequest('The body is not multipart/form-data');
  }
  try {
    return await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } }).formData();
  } catch (error) {
    throw badRequest(`The multipart form cannot be read: ${error instanceof Error ? error.message : ''}`);
  }
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
    if (faulty('upload.other-formats/png-accepted') && isPng(file.bytes)) return 'doc';
    if (faulty('upload.other-formats/text-accepted') && isText(file.bytes)) return 'doc';
    if (faulty('upload.other-formats/zip-accepted') && isZip(file.bytes)) return 'docx';
    throw refusalBy(service, 'upload.other-formats', unsupported(service, 'The file is no PDF, DOC or DOCX'));
  }
  refuseFaultily(service, 'upload.pdf/500', kind === 'pdf');
  refuseFaultily(service, `upload.${kind}/refused`, true);
  if (kind === 'pdf') {
    for (const [id, has] of pdfTraits) {
      refuseFaultily(service, id, faulty(id) && has(file.bytes.toString('latin1')));
    }
  }
  if (kind === 'pdf' && dialect.encryptedPdf === 'refused' && isEncryptedPdf(file.bytes)) {
    throw unsupported(service, 'The PDF is encrypted');
  }
  if (dialect.uploadMediaType === 'octet-stream' && file.mediaType !== 'application/octet-stream') {
    throw unsupported(service, 'Content-Type is not application/octet-stream');
  }
  if (dialect.uploadMediaType === 'judged' && !file.mediaType.startsWith(mediaTypes[kind])) {
    throw unsupported(service, `Content-Type is not ${mediaTypes[kind]}`);
  }
  return kind;
}

function unsupported(service: Service, detail: string): Refusal {
  return new Refusal(service.dialect.uploadRefusedStatus, { message: 'Unsupported file format', detail });
}

function isPng(bytes: Buffer): boolean {
  return bytes.subarray(1, 4).toString('latin1') === 'PNG';
}

function isText(bytes: Buffer): boolean {
  return bytes.length > 0 && bytes.every((byte) => byte >= 9 && byte !== 127);
}

function keepDocument(service: Service, account: string, file: UploadedFile, kind: FileKind): string {
  const { dialect, store, faulty } = service;
  const equal = dialect.equalDocuments === 'one-token' ? store.equalDocument(account, file.bytes) : undefined;
  if (equal && !equal.invalidated) return equal.token;
  const same = faulty('upload.token-identifies/same');
  const fresh = () =>
    faulty('upload.token-string/number') ? newNumber() : newId(dialect.documentTokenForm, 'doc');
  const token = same ? `document-of-${account}` : fresh();
  const facts = { token, account, kind, fileName: file.fileName, createdAt: service.now() };
  store.addDocument(facts, file.bytes);
  const lost = kind !== 'pdf' && faulty(`upload.token-usable/${kind}`);
  return lost || faulty('upload.token-usable/other') ? fresh() : token;
}

/** Where the answer carries the token is not shown. */
function answerToken(service: Service, kept: string): Response {
  const { dialect, faulty } = service;
  const status = dialect.uploadStatus;
  const token = faulty('upload.returns-token/empty') ? '' : kept;
  if (faulty('upload.returns-token/missing')) return jsonAnswer(service, status, { uploaded: true });
  if (faulty('upload.token-string/number')) {
    return jsonAnswer(service, status, atPointer(dialect.tokenPointer, Number(token)));
  }
  switch (dialect.tokenPlace) {
    case 'string':
      return jsonAnswer(service, status, token);
    case 'text':
      return new Response(token, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
    case 'header':
      return new Response(null, { status, headers: { [dialect.tokenHeader]: token } });
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
