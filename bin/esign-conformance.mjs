#!/usr/bin/env node
/** Entry of the command line: the sources in a checkout, compiled files in the package. */
import { existsSync } from 'node:fs';
import { explainUnloadable } from './preconditions.mjs';

// The reader has enough, like `head`, or the terminal was closed: the command still goes on to its end.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
}
const inCheckout = existsSync(new URL('./main.ts', import.meta.url));
try {
  if (inCheckout) (await import('./process.mjs')).follow();
  const { main } = inCheckout
    ? await (await import('./compiled.mjs')).load('main')
    : await import(new URL('../dist/bin/main.js', import.meta.url).href);
  process.exitCode = await main(process.argv);
} catch (error) {
  process.exitCode = explainUnloadable(error);
}
