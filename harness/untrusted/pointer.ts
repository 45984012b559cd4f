/** JSON Pointer (RFC 6901): reads one value out of a JSON document. */
import { leavesOf, pointerOf } from './payload/tree.ts';

export { parseJson, valueAt } from '../../record/json.ts';

/** Every string or number of a JSON document with its pointer, depth first, at most `limit` of them. */
export function leaves(document: unknown, limit = 200): { pointer: string; value: string | number }[] {
  return leavesOf(document)
    .flatMap(({ path, value }) =>
      typeof value === 'string' || typeof value === 'number' ? [{ pointer: pointerOf(path), value }] : [],
    )
    .slice(0, limit);
}
