/** Actions of an OpenAPI Overlay (1.0.0), and where in the contract they aim. */
import { contract } from '../../openapi/contract.ts';
import type { OperationId } from '../../openapi/requirements/requirement.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** One action: either merges `update` into its target, or removes the target. */
export type Action =
  | { readonly target: string; readonly description: string; readonly update: JsonObject }
  | { readonly target: string; readonly description: string; readonly remove: true };

/** A JSONPath (RFC 9535) of member names; those that are numbers are positions in a list. */
function jsonPath(names: readonly string[]): string {
  const step = (name: string) =>
    /^\d$/.test(name) ? `[${name}]` : `['${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`;
  return `$${names.map(step).join('')}`;
}

/** Merges into what is there: members are added, and replaced where they are no objects. */
export function update(names: readonly string[], value: JsonObject, description: string): Action {
  return { target: jsonPath(names), description, update: value };
}

/** Takes a member away. */
export function remove(names: readonly string[], description: string): Action {
  return { target: jsonPath(names), description, remove: true };
}

/** Puts a value in place of a member: merged, lists would grow and old members stay. */
export function replace(names: readonly string[], value: JsonObject, description: string): Action[] {
  const name = names.at(-1) ?? '';
  const there = at(names) !== undefined;
  return [
    ...(there ? [remove(names, description)] : []),
    update(names.slice(0, -1), { [name]: value }, description),
  ];
}

/** What the contract has at a path. */
export function at(names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (node, name) =>
      typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[name] : undefined,
    contract,
  );
}

/** The way to an operation in the contract. */
export function placeOf(id: OperationId): readonly string[] {
  for (const [path, item] of Object.entries(contract.paths ?? {})) {
    for (const [method, operation] of Object.entries(item ?? {})) {
      if ((operation as { operationId?: string } | null)?.operationId === id) return ['paths', path, method];
    }
  }
  throw new Error(`the contract has no operation ${id}`);
}
