/** The one notion of a place: where a value stands in an answer, a callback or an entry of them, and its reader. */

import { valueAt } from '../../openapi/json-pointer.ts';
import { queryOf } from '../../record/delivery.ts';
import { type HeaderField, headerOf, isPage } from '../../record/exchange.ts';
import { beginsJson, parseJson, unquoted } from '../../record/json.ts';
import { firstMatch } from './pattern.ts';
import { fieldsOfForm, treeOfFields } from './payload/fields.ts';
import { isObject } from './payload/tree.ts';
import { treeOfXml } from './payload/xml.ts';
import { percentDecoded } from './text.ts';

/**
 * A JSON Pointer, which leads through XML by the names of its elements and `@` before those of attributes; `text`, the
 * body as it is; or one of the keys below, of which `pattern` may stand alone, or beside another one.
 */
export type Place =
  | string
  | {
      readonly pointer?: string;
      /** Begins at the whole payload, also where other pointers begin at an event in it. */
      readonly root?: string;
      /** The first name in the mapping there, instead of a value: with the empty pointer that of the root element. */
      readonly key?: string;
      readonly header?: string;
      /** Of the URL that was called. */
      readonly query?: string;
      /** What its first group matches in the text there, or in the body; percent-decoded where that is an address as a whole. */
      readonly pattern?: string;
    };

/** What is looked at. */
export interface Scope {
  /** Where pointers begin. */
  readonly item: unknown;
  readonly root: unknown;
  /** The body, decoded. */
  readonly text?: () => string;
  readonly headers?: readonly HeaderField[];
  /** Path and query of a callback. */
  readonly target?: string;
}

/** An answer as places lead through it. */
export function scopeOf({ text, headers }: { text: string; headers: readonly HeaderField[] }): Scope {
  const root = treeOf(text, headers);
  return { item: root, root, text: () => text, headers };
}

/** A text as JSON, or else as XML, or as the fields of a form where it is declared as one; `undefined` where it is none, or is a web page. */
export function treeOf(text: string, headers: readonly HeaderField[]): unknown {
  const isForm = /^application\/x-www-form-urlencoded/i.test(headerOf(headers, 'content-type') ?? '');
  // What is called a form may be JSON all the same, of which a bare number or word says nothing.
  const json = !isForm || beginsJson(text) ? parseJson(unquoted(text)) : undefined;
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

/** The value there; of an XML element with attributes its text. `undefined` when nothing is there. */
export function read(place: Place, scope: Scope): unknown {
  const value = nodeAt(place, scope);
  return isObject(value) && typeof value['#text'] === 'string' ? value['#text'] : value;
}

/** What stands there, of an XML element with its attributes: a list, an entry, a mapping. */
export function nodeAt(place: Place, scope: Scope): unknown {
  if (place === 'text') return scope.text?.().trim();
  if (typeof place === 'string') return elementAt(scope.item, place);
  const { pattern, ...rest } = place;
  if (pattern === undefined) return without(rest, scope);
  const alone = Object.keys(rest).length === 0;
  const text = alone ? scope.text?.() : readText(rest, scope);
  const found = text === undefined ? undefined : firstMatch(new RegExp(pattern, 'u'), text)?.[1];
  return found !== undefined &&
    (/^(?:content-)?location$/i.test(rest.header ?? '') || (!alone && isAddress(text ?? '')))
    ? percentDecoded(found)
    : found;
}

/** A URL or a path, in angle brackets as in a field Link too. */
const isAddress = (text: string) => /^<?(?:[a-z][a-z0-9+.-]*:\/)?\/\S/i.test(text);

function without({ pointer, root, key, header, query }: Exclude<Place, string>, scope: Scope): unknown {
  if (pointer !== undefined) return elementAt(scope.item, pointer);
  if (root !== undefined) return elementAt(scope.root, root);
  if (header !== undefined) return headerOf(scope.headers ?? [], header.toLowerCase())?.trim();
  if (query !== undefined) return queryOf(scope.target ?? '', query);
  const mapping = elementAt(scope.item, key ?? '');
  return isObject(mapping) ? Object.keys(mapping).find((name) => !/^[@#]/.test(name)) : undefined;
}

/** The value there as text; `undefined` when it is neither a text nor a number, or empty. */
export function readText(place: Place, scope: Scope): string | undefined {
  const value = read(place, scope);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? undefined : text;
}

/** How a message calls the place. */
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

/** An element that stands alone is the first of its list: XML does not tell the two apart. */
function elementAt(tree: unknown, pointer: string): unknown {
  const found = valueAt(tree, pointer);
  return found === undefined && /\/0(?=\/|$)/.test(pointer)
    ? valueAt(tree, pointer.replaceAll(/\/0(?=\/|$)/g, ''))
    : found;
}
