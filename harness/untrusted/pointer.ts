/** The texts and numbers of a JSON document, with their places. */
import { leavesOf, pointerOf } from './payload/tree.ts';

export { parseJson } from '../../record/json.ts';

/** Every string or number of a JSON document with its pointer, depth first, at most `limit` of them. */
export function leaves(document: unknown, limit = 200): { pointer: string; value: string | number }[] {
  return leavesOf(document)
    .flatMap(({ path, value }) =>
      typeof value === 'string' || typeof value === 'number' ? [{ pointer: pointerOf(path), value }] : [],
    )
    .slice(0, limit);
}
