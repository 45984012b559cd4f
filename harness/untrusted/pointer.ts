/** JSON Pointer (RFC 6901): reads one value out of a JSON document. */
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
  const found: { pointer: string; value: string | number }[] = [];
  const visit = (value: unknown, pointer: string, depth: number): void => {
    if (found.length >= limit || depth > 12) return;
    if (typeof value === 'string' || typeof value === 'number') found.push({ pointer, value });
    else if (value !== null && typeof value === 'object') {
      for (const [key, item] of Object.entries(value)) {
        visit(item, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1);
      }
    }
  };
  visit(document, '', 0);
  return found;
}
