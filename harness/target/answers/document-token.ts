/** Finds the document token in the answer to an upload, whose place the interface document does not show. */

import type { HeaderField } from '../../../record/exchange.ts';
import type { TokenPlace } from '../../profile/upload-settings.ts';
import { headerValue } from '../../untrusted/header.ts';
import { leaves, parseJson, valueAt } from '../../untrusted/pointer.ts';
import type { FoundToken } from '../call.ts';
import { looksLikeToken, maybeNamedToken } from './token-shape.ts';

/** Reads the token from where the profile says it stands; `auto` looks for it. */
export function findDocumentToken(
  place: TokenPlace,
  headers: readonly HeaderField[],
  text: string,
): FoundToken {
  if (place === 'auto') return search(headers, text);
  const hidden = mayHide(headers, text);
  if (place === 'text') {
    const token = text.trim();
    if (isPlainToken(token)) return { token, place };
    return { missing: 'the text of the answer is no token', place, hidden };
  }
  if ('header' in place) {
    const token = headerValue(headers, place.header.toLowerCase())?.trim();
    return token ? { token, place } : { missing: `the answer has no header ${place.header}`, place, hidden };
  }
  const document = parseJson(text);
  if (document === undefined) return { missing: 'the answer is not JSON', place, hidden };
  const value = valueAt(document, place.pointer);
  const missing = { missing: `no token stands at "${place.pointer}" of the answer`, place, hidden };
  if (value === undefined || value === null) return missing;
  // Where the whole answer is the token, an object or a list is another answer: an error with 200, say.
  if (place.pointer === '' && typeof value === 'object') return missing;
  if (typeof value === 'string') return maybeNamedToken(value) ? { token: value, place } : missing;
  return wrongType(value, place);
}

function wrongType(value: unknown, place: TokenPlace): FoundToken & { wrongType: string } {
  const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return { wrongType: Array.isArray(value) ? 'array' : typeof value, value: shown, place };
}

/** Names of fields and headers that may carry a token, the likeliest first; the first says it outright. */
const likely = [
  /document[-_]?token/i,
  /token/i,
  /document[-_]?(id|key|ref)|doc[-_]?id/i,
  /(^|[-_/])(id|guid|uuid|key|handle|reference|ref)$/i,
  /^(?!.*(request|trace|correlation|transaction|session|tenant|account|user|owner|folder)).*id$/i,
  /document|file|value|result|data/i,
];
/** Of a header only a telling name counts. */
const likelyOfHeader = 4;

/** Names of fields that say something about the answer. */
const remark =
  /^(message|msg|errors?|details?|description|reason|code|status|state|type|title|version|method|name|filename)$/i;

/** Headers that every server sends; a token is not among them. */
const ordinary =
  /^(date|server|content-.*|connection|keep-alive|transfer-encoding|cache-control|expires|pragma|etag|last-modified|vary|allow|accept-.*|set-cookie|strict-transport-security|access-control-.*|cross-origin-.*|referrer-policy|permissions-policy|x-frame-options|x-content-type-options|x-xss-protection|x-powered-by|x-runtime|x-amz.*|cf-.*|via|age|alt-svc|nel|report-to|x-request-id|x-correlation-id|request-id|x-trace.*|traceparent|retry-after|ratelimit.*|x-ratelimit.*)$/i;

/** Something in an answer that may be the token. */
interface Candidate {
  readonly place: TokenPlace;
  readonly value: string | number;
  /** Position in `likely` of what its name resembles; its length when it resembles nothing. */
  readonly rank: number;
}

function search(headers: readonly HeaderField[], text: string): FoundToken {
  const document = parseJson(text);
  const plain = text.trim();
  // Digits alone are JSON and plain text: what was declared decides whether they are a number.
  const declaredJson = /[/+]json/i.test(headerValue(headers, 'content-type') ?? '');
  if (typeof document === 'number') {
    return declaredJson ? wrongType(document, { pointer: '' }) : { token: plain, place: 'text' };
  }
  if (typeof document === 'string' && looksLikeToken(document)) {
    return { token: document, place: { pointer: '' } };
  }
  const all = [...fromJson(document), ...fromHeaders(headers)];
  const strings = all.filter(({ value }) => typeof value === 'string');
  // A number is taken only where nothing else could be the token: it would be of the wrong type.
  const best = firstOf(strings) ?? onlyOne(strings) ?? firstOf(all);
  if (best) return told(best, all);
  if (document === undefined && isPlainToken(plain)) return { token: plain, place: 'text' };
  return {
    missing: 'nothing in the answer looks like a document token',
    place: 'auto',
    hidden: mayHide(headers, text),
  };
}

/** Every place of an answer that may hold the token, the likeliest first. */
export function possiblePlaces(headers: readonly HeaderField[], text: string): TokenPlace[] {
  return [...fromJson(parseJson(text)), ...fromHeaders(headers)]
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ place }) => place);
}

function fromJson(document: unknown): Candidate[] {
  if (document === null || typeof document !== 'object') return [];
  return leaves(document)
    .filter(({ pointer, value }) => mayBeToken(lastKey(pointer), value) && !remark.test(lastKey(pointer)))
    .map(({ pointer, value }) => ({ place: { pointer }, value, rank: rankOf(lastKey(pointer)) }));
}

/** What is called a document token may look like anything. */
function mayBeToken(key: string, value: string | number): boolean {
  const named = typeof value === 'string' && (rankOf(key) === 0 || /^token$/i.test(key));
  return named ? maybeNamedToken(value) : looksLikeToken(value);
}

function fromHeaders(headers: readonly HeaderField[]): Candidate[] {
  return headers
    .filter(([name, value]) => !ordinary.test(name) && looksLikeToken(value))
    .map(([header, value]) => ({ place: { header }, value, rank: rankOf(header) }))
    .filter(({ rank }) => rank < likelyOfHeader);
}

function rankOf(name: string): number {
  const rank = likely.findIndex((pattern) => pattern.test(name));
  return rank < 0 ? likely.length : rank;
}

function firstOf(candidates: readonly Candidate[]): Candidate | undefined {
  const [best] = candidates.toSorted((one, other) => one.rank - other.rank);
  return best && best.rank < likely.length ? best : undefined;
}

function onlyOne(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.length === 1 ? candidates[0] : undefined;
}

function told(best: Candidate, all: readonly Candidate[]): FoundToken {
  const { place, value, rank } = best;
  const rivals = all.filter((each) => each !== best && (rank > 1 || each.rank <= 1));
  const doubt =
    rank > 0 && rivals.length > 0
      ? {
          doubt: `the document token was taken from ${nameOf(place)} by guess: say where it stands (upload.token)`,
        }
      : {};
  return typeof value === 'string'
    ? { token: value, place, ...doubt }
    : { ...wrongType(value, place), ...doubt };
}

function nameOf(place: TokenPlace): string {
  if (typeof place === 'string') return 'the text';
  return 'header' in place ? `the header ${place.header}` : `"${place.pointer}"`;
}

/** Whether an answer in which no token was found may hold one all the same. */
function mayHide(headers: readonly HeaderField[], text: string): boolean {
  const document = parseJson(text);
  if (document === undefined && text.trim() !== '') return true;
  return (
    leaves(document).some(({ value }) => looksLikeToken(value)) ||
    headers.some(([name, value]) => !ordinary.test(name) && value.trim() !== '')
  );
}

/** One word is a token in plain text; a sentence or a page is not. */
export function isPlainToken(text: string): boolean {
  return looksLikeToken(text) && !/[<>{}]/.test(text);
}

/** Of `/data/0/token` the key `token`: an element of a list is named by its list. */
function lastKey(pointer: string): string {
  return (
    pointer
      .split('/')
      .filter((part) => !/^\d+$/.test(part))
      .at(-1) ?? ''
  );
}
