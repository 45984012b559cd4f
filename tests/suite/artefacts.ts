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

/**
 * The same for secrets, which must not stand there in another dress either: whatever looks like base64 or like
 * hexadecimal digits is opened, from each of its signs on.
 */
export function expectNoneHidden(
  secrets: readonly string[],
  places: readonly (readonly [string, Buffer | string])[],
): void {
  // Few signs occur by chance in what is opened and never was text.
  const words = secrets.filter((secret) => secret.length >= 8);
  expectNone(
    words,
    places.map(([name, content]) => [name, opened(content.toString('latin1'))] as const),
  );
}

function opened(text: string): string {
  const runs = (pattern: RegExp) => [...text.matchAll(pattern)].map(([run]) => run);
  const base64 = runs(/[\w+/-]{12,}/g).flatMap((run) =>
    [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64').toString('latin1')),
  );
  const hex = runs(/[\da-f]{16,}/gi).flatMap((run) =>
    [0, 1].map((from) => Buffer.from(run.slice(from), 'hex').toString('latin1')),
  );
  return [...base64, ...hex].join('\n');
}

/** Digits inside a longer number, such as a time in a trace, are no one-time password. */
function holds(text: string, word: string): boolean {
  if (!text.includes(Buffer.from(word).toString('latin1'))) return false;
  return !/^\d+$/.test(word) || new RegExp(`(?<![\\d.])${word}(?![\\d.]*\\d)`).test(text);
}
