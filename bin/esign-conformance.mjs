#!/usr/bin/env node
/** Entry of the command line: TypeScript as it stands in the checkout, compiled files in the package. */
import './node-version.mjs';
import { existsSync } from 'node:fs';

const source = new URL('./main.ts', import.meta.url);

if (existsSync(source)) {
  const { register } = await import('tsx/esm/api');
  register();
  const { main } = await import(source.href);
  process.exitCode = await main(process.argv);
} else {
  const { main } = await import(new URL('../dist/bin/main.js', import.meta.url).href);
  process.exitCode = await main(process.argv);
}
