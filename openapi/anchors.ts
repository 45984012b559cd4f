/** Finds the places of the contract at which requirement and gap ids stand. */
import { isTree } from './dereference.ts';
import type { Marks } from './json-schema.ts';

export interface Anchor {
  /** Which catalogue the id belongs to: `x-requirements` or `x-gaps`. */
  readonly mark: keyof Marks;
  /** The id as written, whether it is known or not. */
  readonly id: string;
  /** JSON Pointer of the place from where the search began. */
  readonly pointer: string;
}

/** Every mark at `node` and below it, in the order of the document; references are not followed. */
export function anchors(node: unknown, pointer = ''): Anchor[] {
  if (Array.isArray(node)) return node.flatMap((item, index) => anchors(item, `${pointer}/${index}`));
  if (!isTree(node)) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (key !== 'x-requirements' && key !== 'x-gaps') return anchors(value, `${pointer}/${escapeStep(key)}`);
    if (!Array.isArray(value)) throw new Error(`${pointer}/${key} is no list of ids`);
    return value.map((id) => ({ mark: key, id: String(id), pointer }) as const);
  });
}

function escapeStep(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
