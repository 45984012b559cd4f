/** Finds the package: its folder, its name and its version. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package: the checkout, or where it is installed. Compiled files are one level deeper, so it is searched upwards. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/**
 * The path to a schema of the package from the folder of a file, for editors. A path is useful to others only within the
 * working folder: for a file elsewhere, or a file that is printed, there is none.
 * @param schemas its possible places in the package
 */
export function schemaFrom(out: string | undefined, ...schemas: readonly string[]): string | undefined {
  const schema = schemas.map((each) => join(packageRoot(), each)).find(existsSync);
  const isBelow = (path: string) => !relative(process.cwd(), path).startsWith('..');
  if (schema === undefined || out === undefined || !isBelow(schema) || !isBelow(resolve(out)))
    return undefined;
  const path = relative(dirname(resolve(out)), schema).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

export function suiteVersion(): { name: string; version: string } {
  const { name, version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return { name, version };
}
