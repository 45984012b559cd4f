/** Places: where a value stands in an answer, a callback or an entry of them, and how it is read from there. */
import { valueAt } from '../../openapi/json-pointer.ts';
import { queryOf } from '../../record/delivery.ts';
import { type HeaderField, headerOf, isPage } from '../../record/exchange.ts';
import { beginsJson, parseUntyped, unquoted } from '../../record/json.ts';
import { firstMatch } from './pattern.ts';
import { fieldsOfForm, treeOfFields } from './payload/fields.ts';
import { isObject } from './payload/tree.ts';
import { treeOfXml } from './payload/xml.ts';
import { percentDecoded, scalarText } from './text.ts';

/**
 * A JSON Pointer, in which XML elements go by their names and attributes by their names after `@`; or `text`, the whole
 * body; or one of the keys below. `pattern` may stand alone, or together with one other key.
 */
export type Place =
  | string
  | {
      readonly pointer?: string;
      /** A JSON Pointer from the whole payload, also where `pointer` begins at an event in it. */
      readonly root?: string;
      /** JSON Pointer to a mapping of which the first key is the value; the empty pointer gives the root element. */
      readonly key?: string;
      readonly header?: string;
      /** A query parameter of the URL that was called. */
      readonly query?: string;
      /** The value is what the first group matches in the text there, or in the body; percent-decoded where that text is an address. */
      readonly pattern?: string;
    };

export interface Scope {
  /** Where pointers begin. */
  readonly item: unknown;
  readonly root: unknown;
  readonly text?: () => string;
  readonly headers?: readonly HeaderField[];
  /** Path and query of a callback. */
  readonly target?: string;
}

/** An answer as a scope for places. @param parse reads JSON: `parseJson` where it matters that a long number is one */
export function scopeOf(
  { text, headers }: { text: string; headers: readonly HeaderField[] },
  parse = parseUntyped,
): Scope {
  const root = treeOf(text, headers, parse);
  return { item: root, root, text: () => text, headers };
}

/** A text as JSON, else as XML, or as a form where it is declared as one; `undefined` where it is none of these, or a web page. */
export function treeOf(text: string, headers: readonly HeaderField[], parse = parseUntyped): unknown {
  const isForm = /^application\/x-www-form-urlencoded/i.test(headerOf(headers, 'content-type') ?? '');
  // A body declared as a form may still be JSON, but a bare number or word does not show that.
  const json = !isForm || beginsJson(text) ? parse(unquoted(text)) : undefined;
  if (isForm && json === undefined) return formIn(text);
  if (json !== undefined || !/^\s*<[?!A-Za-z]/.test(text) || isPage(text)) return json;
  try {
    return treeOfXml(text);
  } catch {
    return undefined;
  }
}

function formIn(text: string): unknown {
  try {
    return text.includes('=') ? treeOfFields(fieldsOfForm(text)) : undefined;
  } catch {
    return undefined;
  }
}

/** The value at a place; of an XML element with attributes its text. `undefined` when nothing is there. */
export function read(place: Place, scope: Scope): unknown {
  const value = nodeAt(place, scope);
  return isObject(value) && typeof value['#text'] === 'string' ? value['#text'] : value;
}

/** The list, entry or mapping at a place; an XML element keeps its attributes. */
export function nodeAt(place: Place, scope: Scope): unknown {
  if (place === 'text') return scope.text?.().trim();
  if (typeof place === 'string') return elementAt(scope.item, place);
  const { pattern, ...rest } = place;
  if (pattern === undefined) return without(rest, scope);
  const alone = Object.keys(rest).length === 0;
  const there = alone ? scope.text?.() : read(rest, scope);
  // What stood there as a text may have been JSON itself, which was read.
  const text = typeof there === 'object' && there !== null ? JSON.stringify(there) : scalarText(there);
  const found = text === undefined ? undefined : firstMatch(new RegExp(pattern, 'u'), text)?.[1];
  return found !== undefined &&
    (/^(?:content-)?location$/i.test(rest.header ?? '') || (!alone && isAddress(text ?? '')))
    ? percentDecoded(found)
    : found;
}

/** Whether a text is a URL or a path, also in angle brackets as in the header Link. */
const isAddress = (text: string) => /^<?(?:[a-z][a-z0-9+.-]*:\/)?\/\S/i.test(text);

function without({ pointer, root, key, header, query }: Exclude<Place, string>, scope: Scope): unknown {
  if (pointer !== undefined) return elementAt(scope.item, pointer);
  if (root !== undefined) return elementAt(scope.root, root);
  if (header !== undefined) return headerOf(scope.headers ?? [], header)?.trim();
  if (query !== undefined) return queryOf(scope.target ?? '', query);
  const mapping = elementAt(scope.item, key ?? '');
  return isObject(mapping) ? Object.keys(mapping).find((name) => !/^[@#]/.test(name)) : undefined;
}

/** The value at a place as text; `undefined` when it is neither a text nor a number, or empty. */
export const readText = (place: Place, scope: Scope): string | undefined => scalarText(read(place, scope));

export function placeName(place: Place): string {
  if (place === 'text') return 'the text of the body';
  if (typeof place === 'string') return place === '' ? 'the whole of it' : place;
  const { pattern, ...rest } = place;
  const [[kind, at] = ['', '']] = Object.entries(rest);
  const named: Readonly<Record<string, string>> = {
    pointer: placeName(at),
    root: `${at} of the payload`,
    key: `the name in ${at === '' ? 'the root' : at}`,
    header: `the header ${at}`,
    query: `the query parameter ${at}`,
  };
  const where = named[kind] ?? placeName('text');
  return pattern === undefined ? where : `${where} by the pattern ${pattern}`;
}

/** The value at a pointer. `/0` also fits an element that is not in a list: XML does not tell one element from a list of one. */
function elementAt(tree: unknown, pointer: string): unknown {
  const found = valueAt(tree, pointer);
  return found === undefined && /\/0(?=\/|$)/.test(pointer)
    ? valueAt(tree, pointer.replaceAll(/\/0(?=\/|$)/g, ''))
    : found;
}
