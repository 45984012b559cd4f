/** The body of a call: its bytes up to the limit, and its content as a form or as JSON (section "Errors": malformed). */
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Busboy } from '@fastify/busboy';
import type { Malformation, OtherRoot, StatedArea } from './faults/access.ts';
import { isObject, type JsonObject } from './fields.ts';
import { badRequest, Refusal, refuse } from './rules.ts';
import type { Call, Service } from './service.ts';

/** The bytes of the body. Throws the refusal 413 beyond `limit` bytes, and 400 for a body that ends too early. */
export async function readBody(call: Call, limit: number): Promise<Buffer> {
  const tooLarge = new Refusal(413, {
    detail: `A body has at most ${limit} bytes here`,
    headers: { Connection: 'close' },
  });
  const coding = call.req.header('Content-Encoding')?.toLowerCase() ?? 'identity';
  if (coding !== 'identity') throw badRequest(`The body is in ${coding}: Content-Encoding is not read here`);
  const declared = call.req.header('Content-Length');
  if (Number(declared) > mostDropped) throw tooLarge;
  try {
    const body =
      declared === undefined || Number(declared) > limit
        ? await readStream(call.req.raw.body, limit, tooLarge)
        : Buffer.from(await call.req.raw.arrayBuffer());
    call.set('body', body);
    return body;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw badRequest(`The body could not be read: ${error instanceof Error ? error.message : 'cut off'}`);
  }
}

/** What is read of a body that is too large, in bytes: a client that is cut off while it sends sees no answer. */
const mostDropped = 100 * 1024 * 1024;

async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
  tooLarge: Refusal,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream ?? []) {
    size += part.byteLength;
    if (size > mostDropped) throw tooLarge;
    if (size > limit) parts.length = 0;
    else parts.push(part);
  }
  if (size > limit) throw tooLarge;
  return Buffer.concat(parts, size);
}

const limits = { parts: 1_000, headerPairs: 100 };

/** How many bytes are read between two looks at whether the form has too many parts. */
const slice = 65_536;

function* slicesOf(body: Buffer) {
  for (let at = 0; at < body.length; at += slice) yield body.subarray(at, at + slice);
}

/** Whether a part is a file, even without a name (RFC 7578, 4.2): reading it as text would change its bytes. */
const isPartAFile = (_name?: string, type = 'text/plain', fileName?: string) =>
  fileName !== undefined || type !== 'text/plain';

/** The last segment of a file name; clients of .NET write the name as one encoded word (RFC 2047) of any length. */
function fileNameOf(given: string): string {
  const word = /^=\?utf-8\?b\?(.*)\?=$/is.exec(given)?.[1];
  const name = word === undefined ? given : Buffer.from(word, 'base64').toString('utf8');
  return name.split(/[\\/]/).at(-1) ?? '';
}

/**
 * The fields of a multipart form in any valid spelling (RFC 2046, 5.1.1; RFC 7578): with any boundary, preamble and
 * epilogue. Throws the refusal 400 when the body is no form, or ends early.
 */
export async function readForm(body: Buffer, contentType: string): Promise<FormData> {
  if (!contentType.toLowerCase().startsWith('multipart/form-data'))
    throw badRequest('The body is not multipart/form-data');
  try {
    return await formOf(body, contentType);
  } catch (error) {
    throw badRequest(`The multipart form cannot be read: ${error instanceof Error ? error.message : ''}`);
  }
}

function formOf(body: Buffer, contentType: string): Promise<FormData> {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    const files: Promise<void>[] = [];
    const reader = new Busboy({
      headers: { 'content-type': contentType },
      limits,
      isPartAFile,
      preservePath: true,
    });
    reader.on('field', (name, value) => form.append(name, value));
    reader.on('file', (name, stream, fileName, _encoding, type) => {
      const read = buffer(stream).then((bytes) =>
        form.append(name, new File([new Uint8Array(bytes)], fileNameOf(fileName ?? '') || name, { type })),
      );
      // Fails for a part that is cut off.
      read.catch(reject);
      files.push(read);
    });
    reader.once('finish', () => resolve(Promise.all(files).then(() => form)));
    reader.once('error', reject);
    const source = Readable.from(slicesOf(body));
    reader.once('partsLimit', () => {
      source.destroy();
      reject(new Error(`a form has at most ${limits.parts} parts here`));
    });
    source.pipe(reader);
  });
}

/** The object in the body of endpoint 4 or 5; `null` if a fault accepts a malformed body, of which nothing is read. */
export async function readJsonObject(
  call: Call,
  service: Service,
  area: StatedArea,
): Promise<JsonObject | null> {
  const bytes = await readBody(call, service.dialect.maxJsonBytes);
  const form = call.req.header('Content-Type')?.includes('form-urlencoded') ?? false;
  if (form && service.faulty(`${area}.content-type/form-accepted`)) return null;
  if (!declaredAsJson(call, service)) {
    const detail = 'Content-Type is not application/json';
    const refused = new Refusal(service.dialect.contentTypeStatus, { detail });
    refuse(service, refused, `${area}.content-type/accepted`);
  }
  const parsed = parseJson(bytes, service);
  if (parsed.kind === 'object') return parsed.value;
  if (isOtherRoot(parsed.kind)) {
    const refused = new Refusal(service.dialect.wrongTypeStatus, { detail: parsed.detail });
    refuse(service, refused, `${area}.body-object/${parsed.kind}-accepted`);
  } else {
    refuse(service, badRequest(parsed.detail), `${area}.malformed/${parsed.kind}-accepted`);
  }
  return null;
}

/** For the dialect that refuses a body that is no JSON before it looks at the access token. */
export async function judgeJsonFirst(call: Call, service: Service): Promise<void> {
  if (!service.dialect.jsonBeforeAccess) return;
  const bytes = Buffer.from(await call.req.raw.clone().arrayBuffer());
  const parsed = parseJson(bytes, service);
  if (parsed.kind === 'object' || isOtherRoot(parsed.kind)) return;
  throw badRequest(parsed.detail);
}

/** Whether Content-Type says application/json, with or without parameters. */
export function declaredAsJson(call: Call, service: Service): boolean {
  const declared = call.req.header('Content-Type');
  if (declared === undefined) return service.dialect.contentTypeMissing === 'accepted';
  const [type = '', parameters] = declared.split(/;(.*)/s);
  if (parameters !== undefined && service.dialect.contentTypeParameters === 'refused') return false;
  return type.trim().toLowerCase() === 'application/json';
}

type ParsedJson =
  | { readonly kind: 'object'; readonly value: JsonObject }
  | { readonly kind: Malformation | OtherRoot; readonly detail: string };

/** Parses the body; a value that is no object is named by its type. */
export function parseJson(bytes: Buffer, service: Service): ParsedJson {
  // Invalid bytes would be decoded to replacement characters, and those be taken for the text of the client (RFC 8259, 8.1).
  if (!isUtf8(bytes)) return { kind: 'not-json', detail: 'The body is not UTF-8' };
  const decoded = bytes.toString('utf8');
  const marked = decoded.startsWith('\uFEFF');
  if (marked && service.dialect.byteOrderMark === 'refused')
    return { kind: 'not-json', detail: 'The body starts with a byte order mark' };
  const text = marked ? decoded.slice(1) : decoded;
  let value: unknown;
  try {
    value = JSON.parse(
      service.dialect.lenientJson === 'accepted' ? text.replace(/,(\s*[}\]])/g, '$1') : text,
    );
  } catch (error) {
    if (text === '') return { kind: 'empty', detail: 'There is no body' };
    // A text that starts like an object was cut off or mistyped; any other text never was JSON.
    const kind = text.trimStart().startsWith('{') ? 'truncated' : 'not-json';
    // Without the excerpt from the body that Node adds.
    const why = error instanceof Error ? error.message.replace(/, (\.{3})?".*/s, '') : 'unreadable';
    return { kind, detail: `The body is not JSON: ${why}` };
  }
  if (isTooDeep(value)) return { kind: 'not-json', detail: 'The body has too many values within each other' };
  if (isObject(value)) return { kind: 'object', value };
  return { kind: rootOf(value), detail: 'The body is not a JSON object' };
}

/** Objects and lists within each other at most: deeper values can be neither written nor shown. */
const deepest = 64;

export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= deepest; depth += 1)
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  return level.length > 0;
}

function rootOf(value: unknown): OtherRoot {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  // Numbers and booleans are texts here, since they have no structure.
  return 'string';
}

function isOtherRoot(kind: Malformation | OtherRoot): kind is OtherRoot {
  return kind === 'array' || kind === 'string' || kind === 'null';
}
