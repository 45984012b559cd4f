/** Finds the document token in the answer to an upload, whose place the interface document does not show. */
import type { FoundToken } from './call.ts';
import type { HeaderField } from './exchange.ts';
import { leaves, parseJson, valueAt } from './pointer.ts';
import type { TokenPlace } from './profile/schema.ts';
import { headerValue } from './recorder.ts';

/** Reads the token from where the profile says it stands; `auto` looks for it. */
export function findDocumentToken(
  place: TokenPlace,
  headers: readonly HeaderField[],
  text: string,
): FoundToken {
  if (place === 'auto') return search(headers, text);
  if (place === 'text') {
    const token = text.trim();
    return token ? { token, place } : { missing: 'the answer has no text' };
  }
  if ('header' in place) {
    const token = headerValue(headers, place.header.toLowerCase())?.trim();
    return token ? { token, place } : { missing: `the answer has no header ${place.header}` };
  }
  const document = parseJson(text);
  if (document === undefined) return { missing: 'the answer is not JSON' };
  return typed(valueAt(document, place.pointer), place, `the answer has nothing at "${place.pointer}"`);
}

function typed(value: unknown, place: TokenPlace, missing: string): FoundToken {
  if (typeof value === 'string' && value !== '') return { token: value, place };
  if (value === undefined || value === null || value === '') return { missing };
  const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return { wrongType: Array.isArray(value) ? 'array' : typeof value, value: shown, place };
}

/** Names of fields and headers that may carry a token, the likeliest first. */
const likely = [
  /document[-_]?token/i,
  /token/i,
  /document[-_]?(id|key|ref)|doc[-_]?id/i,
  /(^|[-_/])(id|guid|uuid|key|handle|reference|ref)$/i,
  /id$/i,
  /document|file|name|value|result|data/i,
];

/** Headers that every server sends; a token is not among them. */
const ordinary =
  /^(date|server|content-.*|connection|keep-alive|transfer-encoding|cache-control|expires|pragma|etag|vary|set-cookie|strict-transport-security|access-control-.*|x-frame-options|x-content-type-options|x-powered-by|via|age|alt-svc|x-request-id|x-correlation-id|request-id|traceparent|ratelimit.*|x-ratelimit.*)$/i;

function search(headers: readonly HeaderField[], text: string): FoundToken {
  const document = parseJson(text);
  const declaredJson = /[/+]json/i.test(headerValue(headers, 'content-type') ?? '');
  // Digits alone are JSON and plain text: what was declared decides whether they are a number.
  if (typeof document === 'number' && !declaredJson) return { token: text.trim(), place: 'text' };
  if (typeof document === 'string' || typeof document === 'number') {
    return typed(document, { pointer: '' }, 'the answer is an empty string');
  }
  if (document !== null && typeof document === 'object') {
    const found = leaves(document);
    for (const name of likely) {
      const hit = found.find(({ pointer, value }) => name.test(lastKey(pointer)) && looksLikeToken(value));
      if (hit) return typed(hit.value, { pointer: hit.pointer }, '');
    }
    const only = found.filter(
      ({ value }) => typeof value === 'string' && looksLikeToken(value) && value.length >= 8,
    );
    const single = only.length === 1 ? only[0] : undefined;
    if (single) return typed(single.value, { pointer: single.pointer }, '');
  }
  const candidates = headers.filter(([name]) => !ordinary.test(name));
  for (const name of likely.slice(0, 4)) {
    const hit = candidates.find(([field, value]) => name.test(field) && looksLikeToken(value));
    if (hit) return { token: hit[1], place: { header: hit[0] } };
  }
  const plain = text.trim();
  // One word is a token in plain text; a sentence or a page is not.
  if (document === undefined && plain && /^[\x21-\x7e]{1,4096}$/.test(plain) && !/[<>{}]/.test(plain)) {
    return { token: plain, place: 'text' };
  }
  return { missing: 'nothing in the answer looks like a document token' };
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

function looksLikeToken(value: string | number): boolean {
  if (typeof value === 'number') return Number.isInteger(value);
  return (
    /^[\x21-\x7e]{1,4096}$/.test(value) &&
    !/^https?:\/\//.test(value) &&
    !/^(true|false|ok|success|error)$/i.test(value)
  );
}
