/** JSON Pointers (RFC 6901): building them, splitting them, and reading values by them. */

/** The pointer to a member or an element of the value at `pointer`. */
export function below(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The names of members, and the positions in lists, on the way to the value at a pointer. */
export function stepsOf(pointer: string): string[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a pointer; `undefined` when there is none. The empty pointer is the whole document. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const key of stepsOf(pointer)) {
    if (value === null || typeof value !== 'object') return undefined;
    value = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value;
}
