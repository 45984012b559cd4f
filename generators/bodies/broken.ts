/** Bodies with exactly one thing broken, derived from the schema of the contract and a valid body. */
import { isObject } from '../../openapi/dereference.ts';
import { below } from '../../openapi/json-pointer.ts';
import type { JsonSchema } from '../../openapi/json-schema.ts';
import type { Body, Row } from '../row.ts';
import { without, withValue } from './edit.ts';

/** How a body is broken. For `missing` and `malformed` the outcome is stated: a `must`. All others are a `should`. */
export type Damage = 'missing' | 'null' | 'type' | 'empty' | 'value' | 'malformed';

export interface BrokenRow extends Row<Body> {
  readonly outcome: 'refused';
  readonly breaks: string;
  readonly damage: Damage;
}

/**
 * Rows for each required field, at any depth: it is missing, null, or of a type that no lenient parser could coerce.
 * Rows for each list that must not be empty: it is empty. Rows for each enumeration: values just outside. Rows for
 * the body as a whole: it is malformed. Optional fields get no rows, since the document does not show whether a
 * mistake in one is refused.
 * @param schema of the body, without references
 * @param valid a body with every required field that every compliant service accepts: the twin of every row
 */
export function brokenRows(schema: JsonSchema, valid: unknown): readonly BrokenRow[] {
  const rows = [...breaksIn(valid, schema, '', true)].map(
    ({ pointer, damage, what, change }): BrokenRow => ({
      title: `${pointer.slice(1).replaceAll('/', '.')} ${what}`,
      outcome: 'refused',
      breaks: pointer,
      damage,
      input: {
        json: change === undefined ? without(valid, pointer) : withValue(valid, pointer, change.value),
      },
    }),
  );
  return [...rows, ...malformedRows(valid)];
}

/** Bodies that are no JSON, or JSON that is no object. Of lists, only an empty one is sent. */
function malformedRows(valid: unknown): readonly BrokenRow[] {
  const text = JSON.stringify(valid);
  const bodies: Readonly<Record<string, string>> = {
    'the body is cut in the middle': text.slice(0, Math.floor(text.length / 2)),
    'the body is no JSON': 'This is a sentence.',
    'the body is empty': '',
    'the body is a list': '[]',
    'the body is a text': '"This is a sentence."',
    'the body is null': 'null',
  };
  return Object.entries(bodies).map(([title, raw]) => ({
    title,
    outcome: 'refused',
    breaks: 'body',
    damage: 'malformed',
    input: { raw },
  }));
}

/**
 * A row for an optional field whose value is of a type that no lenient parser could coerce. The body is valid
 * otherwise, with or without the field.
 * @param valid a body that every compliant service accepts, which may have the field or not
 * @param pointer to the field, or to one of the elements of its list
 */
export function wrongTypeRow(schema: JsonSchema, valid: unknown, pointer: string): BrokenRow {
  const place = pointer.split('/').slice(1).reduce(inside, schema);
  const [{ what, change } = { what: 'is an object', change: { value: { unexpected: true } } }] =
    uncoercible(place);
  return {
    title: `${pointer.slice(1).replaceAll('/', '.')} ${what}`,
    outcome: 'refused',
    breaks: pointer,
    damage: 'type',
    input: { json: withValue(valid, pointer, change?.value) },
  };
}

function inside(schema: JsonSchema, key: string): JsonSchema {
  return (/^\d+$/.test(key) ? schema.items : schema.properties?.[key]) ?? {};
}

interface Break {
  readonly pointer: string;
  readonly damage: Damage;
  /** Completes the title after the name of the field. */
  readonly what: string;
  /** Absent: the field is left out. */
  readonly change?: { readonly value: unknown };
}

function* breaksIn(value: unknown, schema: JsonSchema, pointer: string, required: boolean): Generator<Break> {
  const inside = pointer !== '';
  if (inside && required) {
    yield { pointer, damage: 'null', what: 'is null', change: { value: null } };
    for (const wrong of uncoercible(schema)) yield { pointer, damage: 'type', ...wrong };
  }
  for (const other of required ? outside(schema) : [])
    yield { pointer, damage: 'value', what: `is ${JSON.stringify(other)}`, change: { value: other } };
  if (Array.isArray(value)) {
    if (required && schema.minItems)
      yield { pointer, damage: 'empty', what: 'is an empty list', change: { value: [] } };
    // Only the first element is broken; the rest of the list stays as it is.
    if (schema.items && value.length > 0)
      yield* elementBreaks(value[0], schema.items, below(pointer, 0), required);
  }
  if (isObject(value)) yield* fieldBreaks(value, schema, pointer);
}

function* fieldBreaks(
  value: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
  pointer: string,
): Generator<Break> {
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (!(key in value)) continue;
    const at = below(pointer, key);
    const needed = schema.required?.includes(key) === true;
    if (needed) yield { pointer: at, damage: 'missing', what: 'is missing' };
    yield* breaksIn(value[key], property, at, needed);
  }
}

/** Ways to break an element of a list: only by its type, since it is not stated that null is not allowed in a list. */
function* elementBreaks(
  value: unknown,
  schema: JsonSchema,
  pointer: string,
  required: boolean,
): Generator<Break> {
  for (const one of breaksIn(value, schema, pointer, required)) {
    if (one.pointer !== pointer || one.damage === 'type') yield one;
  }
}

/** Values that no lenient parser turns into the type of a place; none where every type is allowed. */
function uncoercible({ type }: JsonSchema): readonly Pick<Break, 'what' | 'change'>[] {
  if (type === undefined) return [];
  if (type === 'object') {
    // To some parsers a list is an object.
    const list = { what: 'is a list of texts', change: { value: ['no', 'object'] } };
    return [list, { what: 'is a text', change: { value: 'no object' } }];
  }
  // If a parser reads an object as a list, its only value `true` is still no token, address or number.
  const object = { what: 'is an object', change: { value: { unexpected: true } } };
  // Two texts, since a lenient parser might take a list of one text for that text.
  const list = { what: 'is a list of texts', change: { value: ['one text', 'another'] } };
  return type === 'string' ? [object, list] : [object];
}

/** Values just outside an enumeration: below the smallest and above the largest number, or another text. */
function outside({ enum: values = [] }: JsonSchema): readonly unknown[] {
  if (values.length === 0) return [];
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length < values.length) return ['none of these'];
  return [Math.min(...numbers) - 1, Math.max(...numbers) + 1];
}
