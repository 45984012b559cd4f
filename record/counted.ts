/** Numbers in words: a count with its noun. */

/** `1 call`, `2 calls`; what has another plural than one with an s gives it. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
