/** Turns the observed exchanges of an operation into content of OpenAPI, and into actions of an Overlay that add it. */
import { contract, operation } from '../../openapi/contract.ts';
import { fieldsOf, schemaOfFields } from '../../openapi/fields.ts';
import { below, valueAt } from '../../openapi/json-pointer.ts';
import type { OperationId } from '../../openapi/requirements/requirement.ts';
import type { Exchange } from '../../record/exchange.ts';
import { grouped } from '../../record/grouped.ts';
import { parseJson } from '../../record/json.ts';
import type { Run } from '../run/run.ts';

export type Answered = Exchange & { readonly response: NonNullable<Exchange['response']> };
type Body = Exchange['request']['body'];

/** The answered calls of an operation at its own path. */
export function answered(run: Run, id: OperationId): Answered[] {
  const pattern = new RegExp(`${operation(id).path.replace('{requestId}', '[^/]+')}$`);
  // A foreign run may contain an invalid URL.
  const pathOf = ({ request: { url } }: Exchange) => (URL.canParse(url) ? new URL(url).pathname : '');
  return run.exchanges.filter(
    (each): each is Answered => each.operation === id && each.response !== null && pattern.test(pathOf(each)),
  );
}

export function mediaType(body: NonNullable<Body>): string {
  return body.mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The `content` of these bodies; `undefined` when all of them are empty. */
export function contentOf(
  bodies: readonly Body[],
  around: (schema: JsonObject) => JsonObject,
): JsonObject | undefined {
  const types = grouped(
    bodies.filter((body) => body !== null),
    (body) => mediaType(body) || 'application/octet-stream',
  );
  if (types.size === 0) return undefined;
  return Object.fromEntries([...types].map(([type, group]) => [type, mediaOf(type, group, around)]));
}

/** The media type object of these bodies; without a schema where one is no JSON, or too large to be in run.json. */
function mediaOf(
  type: string,
  bodies: readonly NonNullable<Body>[],
  around: (schema: JsonObject) => JsonObject,
): JsonObject {
  const values = bodies.map(({ text }) => (text === undefined ? undefined : parseJson(text)));
  // Digits alone are JSON too, so the declared media type decides.
  const plain = !/[/+]json$/.test(type) && values.some((value) => typeof value !== 'object');
  if (plain || values.some((value) => value === undefined)) {
    const text = bodies.every((body) => body.text !== undefined);
    return text ? { schema: { type: 'string' } } : {};
  }
  return { schema: around(schemaOfFields(fieldsOf(values)) as JsonObject) };
}

/** The value of an observation as a list; empty when nothing was seen. */
export function observed(run: Run, gap: string, key: string): readonly string[] {
  const { observations = [] } = run.gaps.find(({ id }) => id === gap) ?? {};
  const { value = [] } = observations.find((each) => each.key === key) ?? {};
  return [value].flat().map(String);
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** One action: either merges `update` into its target, or removes the target. */
export type Action =
  | { readonly target: string; readonly description: string; readonly update: JsonObject }
  | { readonly target: string; readonly description: string; readonly remove: true };

/** A JSONPath (RFC 9535) of member names; a digit is a position in a list. */
function jsonPath(names: readonly string[]): string {
  const step = (name: string) =>
    /^\d$/.test(name) ? `[${name}]` : `['${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`;
  return `$${names.map(step).join('')}`;
}

/** Merges `value` into the contract: members are added, and replaced where they are no objects. */
export function update(names: readonly string[], value: JsonObject, description: string): Action {
  return { target: jsonPath(names), description, update: value };
}

export function remove(names: readonly string[], description: string): Action {
  return { target: jsonPath(names), description, remove: true };
}

/** Replaces the value of a member: merging would extend lists and keep old members. */
export function replace(names: readonly string[], value: JsonObject, description: string): Action[] {
  const name = names.at(-1) ?? '';
  const there = at(names) !== undefined;
  return [
    ...(there ? [remove(names, description)] : []),
    update(names.slice(0, -1), { [name]: value }, description),
  ];
}

export const at = (names: readonly string[]): unknown => valueAt(contract, names.reduce(below, ''));

export function pathTo(id: OperationId): readonly string[] {
  const { path, method } = operation(id);
  return ['paths', path, method.toLowerCase()];
}
