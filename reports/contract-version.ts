/** The version of the contract. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** `info.version` of the contract. */
export function contractVersion(): { version: string } {
  const file = fileURLToPath(new URL('../openapi/esign.openapi.yaml', import.meta.url));
  return { version: String(parse(readFileSync(file, 'utf8')).info.version) };
}
