/** Searches all that a run leaves behind for words that must not be there. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { unzipSync } from 'fflate';

/** Files of a folder with their content; archives are opened. */
export function filesIn(folder: string): [name: string, content: Buffer][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .flatMap((name) => {
      const content = readFileSync(join(folder, name));
      if (!name.endsWith('.zip')) return [[name, content] as [string, Buffer]];
      return Object.entries(unzipSync(content)).map(
        ([entry, bytes]) => [`${name}/${entry}`, Buffer.from(bytes)] as [string, Buffer],
      );
    });
}

export function expectNone(
  words: readonly string[],
  places: readonly (readonly [string, Buffer | string])[],
): void {
  const texts = places.map(([name, content]) => [name, content.toString('latin1')] as const);
  const found = words.flatMap((word) =>
    texts.filter(([, text]) => holds(text, word)).map(([name]) => `${word} in ${name}`),
  );
  expect(found).toEqual([]);
}

/** Digits inside a longer number, such as a time in a trace, are no one-time password. */
function holds(text: string, word: string): boolean {
  if (!/^\d+$/.test(word)) return text.includes(Buffer.from(word).toString('latin1'));
  return new RegExp(`(?<![\\d.])${word}(?![\\d.]*\\d)`).test(text);
}
