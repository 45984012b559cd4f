/** The shape of observed JSON values: as lines such as `/data/*\/id?: string (uuid)`, and as JSON Schema. */
import { below, stepsOf } from './json-pointer.ts';

/** Forms of strings that a line names when all strings of a place have the form. */
const forms: readonly (readonly [string, RegExp])[] = [
  ['uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i],
  ['date-time', /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/],
  ['uri', /^https?:\/\/\S+$/],
  ['pdf-base64', /^JVBERi0[A-Za-z0-9+/=\s]*$/],
  ['pdf-data-url', /^data:application\/pdf[^,]*,/],
  ['pdf-part', /^\0application\/pdf$/],
  ['file-part', /^\0/],
];

/** Stands for a file in a value, such as a part of a multipart body. */
export const fileMark = (mediaType: string): string => `\0${mediaType}`;

/** The keywords of JSON Schema for each form; ajv-formats knows the first three. */
const formKeywords: Readonly<Record<string, object>> = {
  uuid: { format: 'uuid' },
  'date-time': { format: 'date-time' },
  uri: { format: 'uri' },
  'pdf-base64': { contentEncoding: 'base64', contentMediaType: 'application/pdf' },
  'pdf-data-url': { pattern: '^data:application/pdf' },
  'pdf-part': { contentMediaType: 'application/pdf' },
};

/** Bounds on levels and fields, since a payload may be of any size; the rest is left out. */
const deepest = 10;
const most = 200;
/** Fields with longer names are left out too. */
const longestName = 1_000;

interface Place {
  /** How many values had each JSON type. */
  readonly types: Map<string, number>;
  /** Forms that all strings so far have had; absent before the first one. */
  forms?: readonly string[];
  readonly fields: Map<string, Place>;
  items?: Place;
}

/**
 * A line for each field of the values: its JSON Pointer with `*` for the elements of a list, `?` if some object
 * lacked the field, then the JSON types, and the form of the texts if all have the same one. Sorted by pointer. A line
 * `: type` stands for values that are no objects.
 */
export function fieldsOf(values: readonly unknown[]): string[] {
  const root = newPlace();
  for (const value of values) see(root, value, 0);
  const lines: [path: string, line: string][] = [];
  const write = (place: Place, path: string, optional: boolean) => {
    if (path !== '' || [...place.types.keys()].some((type) => type !== 'object'))
      lines.push([path, `${path}${optional ? '?' : ''}: ${typesOf(place)}`]);
    const objects = place.types.get('object') ?? 0;
    for (const [key, field] of place.fields) {
      // A key that is `*` itself is written `~2`.
      write(field, key === '*' ? `${path}/~2` : below(path, key), countOf(field) < objects);
    }
    if (place.items) write(place.items, `${path}/*`, false);
  };
  write(root, '', false);
  return lines
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, most)
    .map(([, line]) => line);
}

const newPlace = (): Place => ({ types: new Map(), fields: new Map() });

function see(place: Place, value: unknown, depth: number): void {
  const type = typeOf(value);
  place.types.set(type, (place.types.get(type) ?? 0) + 1);
  if (typeof value === 'string') {
    const had = forms.filter(([, pattern]) => pattern.test(value)).map(([name]) => name);
    place.forms = place.forms?.filter((name) => had.includes(name)) ?? had;
  }
  if (depth >= deepest) return;
  if (Array.isArray(value)) {
    for (const item of value) {
      place.items ??= newPlace();
      see(place.items, item, depth + 1);
    }
  } else if (value !== null && typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) {
      if (key.length > longestName) continue;
      const field = place.fields.get(key) ?? newPlace();
      place.fields.set(key, field);
      see(field, inner, depth + 1);
    }
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

function typesOf({ types, forms: [form] = [] }: Place): string {
  const names = [...types.keys()].filter((name) => name !== 'integer' || !types.has('number')).sort();
  return names.join(' or ') + (form && types.has('string') ? ` (${form})` : '');
}

const countOf = ({ types }: Place): number => [...types.values()].reduce((sum, count) => sum + count, 0);

interface Building {
  type?: string | string[];
  properties?: Record<string, Building>;
  required?: string[];
  items?: Building;
  [keyword: string]: unknown;
}

/** The JSON Schema (2020-12) of values with these fields; further fields stay allowed. */
export function schemaOfFields(lines: readonly string[]): Readonly<Record<string, unknown>> {
  const root: Building = {};
  for (const line of lines) {
    const [, path = '', optional, types = '', form = ''] =
      /^(.*?)(\?)?: ([a-z]+(?: or [a-z]+)*)(?: \(([a-z0-9-]+)\))?$/s.exec(line) ?? [];
    const steps = path.split('/').slice(1);
    const place = steps.reduce(inside, root);
    const names = types.split(' or ');
    place.type = names.length === 1 ? types : names;
    if (Object.hasOwn(formKeywords, form)) Object.assign(place, formKeywords[form]);
    const last = steps.at(-1);
    if (last === undefined || last === '*' || optional) continue;
    const parent = steps.slice(0, -1).reduce(inside, root);
    parent.required = [...(parent.required ?? []), nameOf(last)];
  }
  if (root.type === undefined && root.properties) root.type = 'object';
  return root;
}

const nameOf = (step: string) => (step === '~2' ? '*' : (stepsOf(`/${step}`)[0] ?? ''));

function inside(node: Building, step: string): Building {
  if (step === '*') {
    node.items ??= {};
    return node.items;
  }
  // Keys are foreign: on an ordinary object `__proto__` and `constructor` would reach outside of the schema.
  node.properties ??= Object.create(null) as Record<string, Building>;
  const name = nameOf(step);
  node.properties[name] ??= {};
  return node.properties[name];
}
