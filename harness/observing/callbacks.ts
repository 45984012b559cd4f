/** Observations of callbacks: method, media type, fields, headers, proofs of origin, and how PDFs are attached. */
import { fieldsOf, fileMark } from '../../openapi/fields.ts';
import type { GapId } from '../../openapi/gaps/register.ts';
import type { Observation } from '../../openapi/observation.ts';
import { grouped } from '../../record/grouped.ts';
import { beginningOf, FilePart, mapTree } from '../untrusted/payload/tree.ts';
import { mediaTypeIn } from './seen.ts';

/** A delivery as observers see it, in the order of arrival. */
export interface SeenCallback {
  /** Code of its event, when it could be read. */
  readonly event?: number;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  /** What `payloadOf` keeps of its payload; `undefined` when it could not be read. */
  readonly payload: unknown;
  /** The kind of digital signature of each PDF in its body. */
  readonly pdfs: readonly string[];
  /** Ids of requests and signatories that flows know. */
  readonly ids: { readonly request: readonly string[]; readonly signatory: readonly string[] };
  /** The call that created its request, when it is known. */
  readonly exchanges: readonly number[];
}

export function observeCallbacks(callbacks: readonly SeenCallback[]): Observation[] {
  const [first] = callbacks;
  if (!first) return [];
  return [
    note('events.payload', 'method', distinct(callbacks.map(({ method }) => method)), callbacks),
    note(
      'events.payload',
      'media type',
      distinct(callbacks.map(({ headers }) => mediaTypeIn(headers) || 'none')),
      callbacks,
    ),
    ...fields(callbacks),
    ...places(callbacks),
    ...headers(callbacks),
    ...attachments(callbacks),
    ...signatures(callbacks),
  ];
}

function note(
  gap: GapId,
  key: string,
  values: readonly string[],
  seen: readonly SeenCallback[],
): Observation {
  const [only = ''] = values;
  const value = values.length === 1 ? only : values;
  return { gap, key, value, stability: 'stable', exchanges: [...(seen[0]?.exchanges ?? [])] };
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();

/** The fields of each event: JSON Pointer, `?` where some deliveries lack it, and type. */
function fields(callbacks: readonly SeenCallback[]): Observation[] {
  return [...byEvent(callbacks)].map(([event, group]) =>
    note('events.payload', `fields of event ${event}`, fieldsOf(group.map(({ payload }) => payload)), group),
  );
}

function byEvent(callbacks: readonly SeenCallback[]): Map<string, SeenCallback[]> {
  const readable = callbacks.filter(({ payload }) => payload !== undefined);
  return grouped(readable, ({ event }) => (event === undefined ? 'unknown' : String(event)));
}

/** The part of a payload that is kept: its beginning, with a mark in place of each file, so that it is JSON. */
export function payloadOf(tree: unknown): unknown {
  return beginningOf(mapTree(tree, (part) => (part instanceof FilePart ? fileMark(part.mediaType) : part)));
}

/** Where a callback has the ids of requests and signatories. */
function places(callbacks: readonly SeenCallback[]): Observation[] {
  return (['request', 'signatory'] as const).flatMap((kind) => {
    const naming = callbacks
      .map((callback) => ({ callback, at: pointersOf(callback.payload, callback.ids[kind]) }))
      .filter(({ at }) => at.length > 0);
    const found = distinct(naming.flatMap(({ at }) => at));
    const from = naming.map(({ callback }) => callback);
    return found.length > 0 ? [note('events.payload', `place of the ${kind}Id`, found, from)] : [];
  });
}

function pointersOf(payload: unknown, ids: readonly string[], pointer = ''): string[] {
  if (payload === null) return [];
  if (typeof payload !== 'object') return ids.includes(String(payload)) ? [pointer] : [];
  return Object.entries(payload).flatMap(([key, value]) =>
    pointersOf(value, ids, `${pointer}/${Array.isArray(payload) ? '*' : key}`),
  );
}

/** Header fields that every HTTP client sends, and the mark of a replay. */
const ordinary =
  /^(host|connection|content-(type|length|encoding)|transfer-encoding|user-agent|accept(-.*)?|keep-alive|date|expect|forwarded|x-forwarded-.*|via|x-recorded-origin)$/i;
const proving = /signature|hmac|secret|^authorization$|token|api-?key|^webhook-|digest/i;

function headers(callbacks: readonly SeenCallback[]): Observation[] {
  const names = distinct(
    callbacks.flatMap((callback) => callback.headers.map(([name]) => name.toLowerCase())),
  ).filter((name) => !ordinary.test(name));
  const proofs = names.filter((name) => proving.test(name));
  const orNone = (list: readonly string[]) => (list.length > 0 ? list : ['none']);
  return [
    note('events.payload', 'header fields of its own', orNone(names), callbacks),
    note('events.authenticity', 'header fields that may prove the origin', orNone(proofs), callbacks),
  ];
}

function attachments(callbacks: readonly SeenCallback[]): Observation[] {
  const carrying = callbacks.filter(({ pdfs }) => pdfs.length > 0);
  const lines = fieldsOf(carrying.map(({ payload }) => payload)).filter((line) => / \(pdf/.test(line));
  return lines.length > 0 ? [note('events.attachment-form', 'places of PDFs', lines, carrying)] : [];
}

function signatures(callbacks: readonly SeenCallback[]): Observation[] {
  const carrying = callbacks.filter(({ pdfs }) => pdfs.length > 0);
  if (carrying.length === 0) return [];
  const kinds = distinct(carrying.flatMap(({ pdfs }) => pdfs));
  return [note('signing.signature-kind', 'digital signature of attached PDFs', kinds, carrying)];
}

/** Which kind of digital signature a PDF carries: the SubFilter of ISO 32000-2, 12.8. */
export function signatureKind(pdf: Uint8Array): string {
  const text = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength).toString('latin1');
  if (!/\/ByteRange\s*\[/.test(text)) return 'none';
  return /\/SubFilter\s*\/([\w.#-]+)/.exec(text)?.[1] ?? 'of an unnamed kind';
}
