/** Where the package lies, its name and its version. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package: the checkout, or where it is installed. The compiled files lie one level deeper. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/**
 * A schema of the package as an editor finds it from a file that is to be written: a path from its folder. Only below
 * the working folder it means something to others; there is none elsewhere, nor for a file that is printed.
 * @param schemas where it may lie in the package
 */
export function schemaFrom(out: string | undefined, ...schemas: readonly string[]): string | undefined {
  const schema = schemas.map((each) => join(packageRoot(), each)).find(existsSync);
  const isBelow = (path: string) => !relative(process.cwd(), path).startsWith('..');
  if (schema === undefined || out === undefined || !isBelow(schema) || !isBelow(resolve(out)))
    return undefined;
  const path = relative(dirname(resolve(out)), schema).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** Name and version of the suite, from its package.json. */
export function suiteVersion(): { name: string; version: string } {
  const { name, version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return { name, version };
}
