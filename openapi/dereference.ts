/** Resolves the references inside a document, so that its parts can be read without it. */
import { stepsOf } from './json-pointer.ts';

type Tree = Readonly<Record<string, unknown>>;

/**
 * A copy of `document` in which each `{$ref: '#/…'}` is replaced by its target. Keys beside `$ref` replace
 * those of the target; lists of marks (`x-…`) are joined, those beside `$ref` first.
 * @throws Error for a reference that leads nowhere, out of the document, or back to itself
 */
export function dereference<Document extends object>(document: Document): Document {
  const resolved = new Map<string, unknown>();
  const open = new Set<string>();

  function follow(reference: string): unknown {
    if (resolved.has(reference)) return resolved.get(reference);
    if (open.has(reference)) throw new Error(`${reference} refers to itself`);
    open.add(reference);
    const value = copy(lookUp(document, reference));
    open.delete(reference);
    resolved.set(reference, value);
    return value;
  }

  function copy(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(copy);
    if (!isObject(node)) return node;
    const { $ref, ...own } = node;
    const copied = Object.fromEntries(Object.entries(own).map(([key, value]) => [key, copy(value)]));
    return typeof $ref === 'string' ? join(follow($ref), copied) : copied;
  }

  return copy(document) as Document;
}

function lookUp(document: object, reference: string): unknown {
  let node: unknown = document;
  for (const step of pointerSteps(reference)) {
    if (!isObject(node) || !(step in node)) throw new Error(`${reference} leads nowhere`);
    node = node[step];
  }
  return node;
}

/** The steps of a JSON Pointer in a URI fragment: `#/paths/~1a` is `paths`, `/a`. */
export function pointerSteps(fragment: string): string[] {
  if (!fragment.startsWith('#')) throw new Error(`${fragment} leads out of the document`);
  return stepsOf(decodeURIComponent(fragment.slice(1)));
}

function join(target: unknown, own: Tree): unknown {
  if (Object.keys(own).length === 0) return target;
  const joined: Record<string, unknown> = { ...(target as Tree), ...own };
  for (const [key, value] of Object.entries(own)) {
    const below = (target as Tree)[key];
    if (key.startsWith('x-') && Array.isArray(value) && Array.isArray(below))
      joined[key] = [...value, ...below];
  }
  return joined;
}

/** Whether a value is a JSON object: neither null nor a list. */
export function isObject(node: unknown): node is Tree {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}
