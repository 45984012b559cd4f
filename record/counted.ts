/** Numbers in words: a count with its noun. */

/** `1 call`, `2 calls`; a noun whose plural does not end in a mere s gives it as `many`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
