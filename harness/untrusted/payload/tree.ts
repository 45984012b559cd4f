/** The tree into which every payload is read, whatever its format, and ways through it. */
import { below } from '../../../openapi/json-pointer.ts';
import { readJson } from '../../../record/json.ts';
import { limits } from '../limits.ts';
import { cutAt } from '../text.ts';

/** A file inside a payload: a part of a multipart body, or a body that is a file itself. */
export class FilePart {
  readonly fileName: string | undefined;
  readonly mediaType: string;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, mediaType: string, fileName?: string) {
    this.bytes = bytes;
    this.mediaType = mediaType;
    this.fileName = fileName;
  }
}

/** A value that is neither a list nor an object. */
type Scalar = string | number | boolean | null | FilePart;

export interface Leaf {
  /** Keys from the root; list positions are among them. */
  readonly path: readonly string[];
  /** How many of the keys are list positions. */
  readonly lists: number;
  readonly value: Scalar;
}

/** All leaves of a tree, depth first, in their order. A list of bytes that is a PDF is one leaf. */
export function leavesOf(tree: unknown): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const open: { path: readonly string[]; lists: number; value: unknown }[] = [
    { path: [], lists: 0, value: tree },
  ];
  while (leaves.length < limits.leaves.most) {
    const node = open.pop();
    if (!node) break;
    const { path, lists, value } = node;
    if (isScalar(value)) {
      leaves.push({ path, lists, value });
    } else if (isPdfBytes(value)) {
      leaves.push({ path, lists, value: new FilePart(Uint8Array.from(value), 'application/pdf') });
    } else if (path.length < limits.leafDepth.most) {
      const nested = lists + (Array.isArray(value) ? 1 : 0);
      for (const [key, child] of entriesOf(value as object).reverse())
        open.push({ path: [...path, key], lists: nested, value: child });
    }
  }
  return leaves;
}

/** As many entries of a list or an object as are looked at, without those whose names are too long. */
function entriesOf(value: object): [key: string, value: unknown][] {
  const { most } = limits.leaves;
  // A list of numbers may have millions of items, and entries take many times the memory of the values.
  const few = Array.isArray(value) ? value.slice(0, most) : value;
  const entries: [string, unknown][] = Object.entries(few).slice(0, most);
  return entries.filter(([key]) => key.length <= limits.fieldNameCharacters.most);
}

/** The tree cut down to as many values as are looked at, with texts cut to the length of an id, so that many payloads can be kept. */
export function beginningOf(tree: unknown): unknown {
  let left: number = limits.leaves.most;
  const cut = (value: unknown): unknown => {
    left -= 1;
    if (typeof value === 'string') return cutAt(value, limits.idCharacters.most);
    if (isScalar(value)) return value;
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value)
        if (left > 0) items.push(cut(item));
        else break;
      return items;
    }
    return Object.fromEntries(
      Object.entries(value as object).flatMap(([key, inner]) =>
        left > 0 && key.length <= limits.fieldNameCharacters.most ? [[key, cut(inner)]] : [],
      ),
    );
  };
  return cut(tree);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof FilePart);
}

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value !== 'object' || value instanceof FilePart;
}

/** Whether a list of numbers is a PDF: some serialisers write bytes so. */
function isPdfBytes(value: unknown): value is readonly number[] {
  return Array.isArray(value) && [0x25, 0x50, 0x44, 0x46].every((byte, index) => value[index] === byte);
}

/**
 * The tree with some values replaced. If `change` returns another value, it is taken as it is; for `undefined` the field
 * is left out; if it returns the same value, the values inside of it are changed in turn.
 * @param change gets the value and its place as profiles name places: `calls.send.accept[0]`
 */
export function mapTree(value: unknown, change: (value: unknown, key: string) => unknown, key = ''): unknown {
  const changed = change(value, key);
  if (changed !== value) return changed;
  if (Array.isArray(value)) return value.map((item, index) => mapTree(item, change, `${key}[${index}]`));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      const mapped = mapTree(item, change, key === '' ? name : `${key}.${name}`);
      return mapped === undefined ? [] : [[name, mapped]];
    }),
  );
}

/** The tree with each of its texts changed. */
export function mapTexts(value: unknown, change: (text: string, key: string) => unknown, key = ''): unknown {
  return mapTree(value, (part, at) => (typeof part === 'string' ? change(part, at) : part), key);
}

/** Each text of a tree with its place. */
export function textsIn(
  value: unknown,
  key = '',
): readonly { readonly key: string; readonly text: string }[] {
  const found: { key: string; text: string }[] = [];
  const note = (text: string, at: string) => {
    found.push({ key: at, text });
    return text;
  };
  mapTexts(value, note, key);
  return found;
}

/** A key in the form in which keys are compared: letters and digits in lower case. */
export function plainKey(key: string): string {
  // Called several times for each key of each leaf; most keys of a large payload are plain already, or list positions.
  return /[^a-z0-9]/.test(key) ? key.toLowerCase().replaceAll(/[^a-z0-9]/g, '') : key;
}

/** A path as a JSON Pointer. */
export const pointerOf = (path: readonly string[]): string => path.reduce(below, '');

/** The text as a tree when it is a JSON object or list, else the text. */
export function unfolded(text: string): unknown {
  const reading = /^\s*[[{]/.test(text) ? readJson(text, undefined, 'unstated') : undefined;
  return reading && 'value' in reading ? reading.value : text;
}

/** Every string or number of a JSON document with its pointer, depth first, at most `limit` of them. */
export function leaves(document: unknown, limit = 200): { pointer: string; value: string | number }[] {
  return valuesByPointer(leavesOf(document)).slice(0, limit);
}

const valuesByPointer = (all: readonly Leaf[]) =>
  all.flatMap(({ path, value }) =>
    typeof value === 'string' || typeof value === 'number' ? [{ pointer: pointerOf(path), value }] : [],
  );

/** Most places that a message names. */
const mostNamed = 8;

/** Where short texts, or longer ones without a space, stand in a document, for a message: `/ticket, /file/key, /file/state`. */
export function placesOfTexts(all: readonly Leaf[]): string {
  const places = valuesByPointer(all).flatMap(({ pointer, value }) =>
    /^\S(?:.{0,99}|\S+)$/.test(String(value)) && pointer.length < 60 ? [pointer] : [],
  );
  const named = places.slice(0, mostNamed).join(', ');
  return places.length > mostNamed ? `${named}, …` : named;
}
