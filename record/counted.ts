/** Numbers and lists in words. */

/** `1 call`, `2 calls`; a noun whose plural does not end in a mere s gives it as `many`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `a`, `a or b`, `a, b or c`. */
export function listed(names: readonly string[], word: 'and' | 'or'): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}
