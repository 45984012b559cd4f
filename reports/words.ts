/** Words that several renderings share. */

/** `1 call`, `2 calls`. The plural is the word with an s. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** The first few of some ids, with a sign where there are more. */
export function firstOf(ids: readonly string[], most: number, between = ', '): string {
  return ids.slice(0, most).join(between) + (ids.length > most ? `${between}…` : '');
}
