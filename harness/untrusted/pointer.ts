/** JSON Pointer (RFC 6901): reads one value out of a JSON document. */
import { leavesOf, pointerOf } from './payload/tree.ts';

export { parseJson } from '../../record/json.ts';

/** The value at `pointer`, or `undefined` when nothing stands there. The empty pointer is the whole document. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const token of pointer.split('/').slice(1)) {
    if (value === null || typeof value !== 'object') return undefined;
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value;
}

/** Every string or number of a JSON document with its pointer, depth first, at most `limit` of them. */
export function leaves(document: unknown, limit = 200): { pointer: string; value: string | number }[] {
  return leavesOf(document)
    .flatMap(({ path, value }) =>
      typeof value === 'string' || typeof value === 'number' ? [{ pointer: pointerOf(path), value }] : [],
    )
    .slice(0, limit);
}
