/** Bold variants of any JSON body: the document is silent about them, so each names the gap that it probes. */
import { isObject } from '../../openapi/dereference.ts';
import type { GapId } from '../../openapi/gaps/register.ts';
import { below, valueAt } from '../../openapi/json-pointer.ts';
import type { JsonSchema } from '../../openapi/json-schema.ts';
import type { Body, Row } from '../row.ts';
import { renamed, withValue } from './edit.ts';

/** A silent row: whatever a service answers to it is an observation about `gap`. */
export interface BoldRow extends Row<Body> {
  readonly outcome: 'silent';
  readonly gap: GapId;
}

export function bold(gap: GapId, title: string, json: unknown): BoldRow {
  return { gap, title, outcome: 'silent', input: { json } };
}

function boldText(gap: GapId, title: string, raw: string): BoldRow {
  return { gap, title, outcome: 'silent', input: { raw } };
}

/** A list nested this deep is far beyond any real body, and far below what breaks a sound parser. */
const depth = 500;

/** Variants of any accepted body. `text` points to a required string in it, `number` to a required number. */
export function boldRows(valid: object, at: { text: string; number: string }): readonly BoldRow[] {
  const set = (pointer: string, value: unknown) => withValue(valid, pointer, value);
  const text = at.text.slice(1);
  const number = at.number.slice(1).replaceAll('/', '.');
  const json = JSON.stringify(valid);
  return [
    bold('errors.empty-strings', `${text} is an empty string`, set(at.text, '')),
    bold('errors.empty-strings', `${text} is a space`, set(at.text, ' ')),
    bold('limits.lengths', `${text} has 10,000 characters`, set(at.text, 'Long text '.repeat(1000))),
    bold('limits.characters', `${text} is an emoji of several code points`, set(at.text, '👩🏽‍❤️‍👩🏿')),
    bold(
      'limits.characters',
      `${text} turns its direction`,
      set(at.text, 'Agreement \u202eתירבע\u202c done'),
    ),
    bold('limits.characters', `${text} holds a NUL`, set(at.text, 'Agreement\u0000done')),
    bold('limits.characters', `${text} holds markup`, set(at.text, '<b>Agreement</b> & "more"')),
    bold('errors.unknown-fields', 'a field that the document does not name', set('/Unexpected', 'some text')),
    bold('errors.unknown-fields', `an unnamed field, nested ${depth} deep`, set('/Unexpected', nested())),
    bold('errors.key-case', 'all keys begin with a small letter', camelCased(valid)),
    bold('errors.key-case', `${text} in capitals`, renamed(valid, at.text, text.toUpperCase())),
    bold(
      'errors.numbers-as-strings',
      `${number} is a string`,
      set(at.number, String(valueAt(valid, at.number))),
    ),
    bold('errors.numbers-as-strings', `${text} is a number`, set(at.text, 4711)),
    boldText('errors.byte-order-mark', 'the body begins with a byte order mark', `\ufeff${json}`),
    ...lenientRows(json, at.text),
  ];
}

/** JSON with one mistake each, as people and careless programs make them. */
function lenientRows(json: string, at: string): readonly BoldRow[] {
  const key = at.slice(1);
  const row = (title: string, raw: string) => boldText('errors.lenient-json', title, raw);
  return [
    row('a comma after the last field', json.replace(/\}$/, ',}')),
    row('a comment in the body', json.replace('{', '{ /* by hand */ ')),
    row('a key in single quotes', json.replace(`"${key}"`, `'${key}'`)),
    row('a sentence behind the body', `${json} This is a sentence.`),
    row(`${key} twice, first as an empty string`, json.replace('{', `{"${key}":"",`)),
  ];
}

/** A row for each optional field in `valid`, at any depth, with null as its value. */
export function boldOptionalRows(valid: unknown, schema: JsonSchema): readonly BoldRow[] {
  return optionalPlaces(valid, schema, '').map((pointer) =>
    bold(
      'errors.null-optional',
      `${pointer.slice(1).replaceAll('/', '.')} is null`,
      withValue(valid, pointer, null),
    ),
  );
}

function optionalPlaces(value: unknown, schema: JsonSchema, pointer: string): readonly string[] {
  if (!isObject(value)) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    if (!(key in value)) return [];
    const at = below(pointer, key);
    const inner = optionalPlaces(value[key], property, at);
    return schema.required?.includes(key) ? inner : [at, ...inner];
  });
}

function nested(): unknown {
  let value: unknown = [];
  for (let level = 1; level < depth; level++) value = [value];
  return value;
}

export function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.charAt(0).toLowerCase() + key.slice(1),
      camelCased(inner),
    ]),
  );
}
