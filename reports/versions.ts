/** Name and version of the suite, from its package.json, and the version of the contract. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** The folder of the package: the checkout, or where it is installed. The compiled files lie one level deeper. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

export function suiteVersion(): { name: string; version: string } {
  const { name, version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return { name, version };
}

/** `info.version` of the contract. */
export function contractVersion(): { version: string } {
  const file = fileURLToPath(new URL('../openapi/esign.openapi.yaml', import.meta.url));
  if (!existsSync(file)) return { version: 'none' };
  return { version: String(parse(readFileSync(file, 'utf8')).info.version) };
}
