/** Where the package lies, its name and its version. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package: the checkout, or where it is installed. The compiled files lie one level deeper. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** Name and version of the suite, from its package.json. */
export function suiteVersion(): { name: string; version: string } {
  const { name, version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return { name, version };
}
