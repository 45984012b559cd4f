/** JSON Pointers (RFC 6901): made from the names of members, taken apart, and followed. */

/** The pointer of a member or an element of what `pointer` names. */
export function below(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The names of the members, and the positions in lists, that lead to what a pointer names. */
export function stepsOf(pointer: string): string[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value that a pointer names; `undefined` when nothing stands there. The empty one is the whole document. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const key of stepsOf(pointer)) {
    if (value === null || typeof value !== 'object') return undefined;
    value = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value;
}
