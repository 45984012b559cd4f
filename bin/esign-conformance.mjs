#!/usr/bin/env node
/** Entry of the command line: the sources in a checkout, compiled files in the package. */
import { existsSync } from 'node:fs';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { explainUnloadable } from './preconditions.mjs';

// A run takes seconds: optimizing what is called a few thousand times costs more of them than it saves. V8 begins later then.
// Later versions of Node do not know the flag, and say so on the terminal.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=600000');

// The reader has enough, like `head`, the terminal was closed, or the disk with the log is full: the command still goes
// on to its end.
let unwritten;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') unwritten = error;
  });
}
process.on('exit', (code) => {
  if (!unwritten || code !== 0) return;
  process.exitCode = 4;
  process.stderr.write(`What was to be printed could not be written: ${unwritten.message}\n`);
});
// A module of a user may end the process: that must not look like the end of a command, by exit code 0 or 1.
const unexpected = (code) => {
  if (code === 2 || code === 4) return;
  process.exitCode = 4;
  process.stderr.write('The process was ended before the command came to its end: by a module of yours?\n');
};
process.once('exit', unexpected);
// What such a module leaves behind may throw at any time; Node would end with 1, as if a must had failed.
process.on('uncaughtException', (error) => {
  // A run has a listener of its own, which tells it.
  if (process.listenerCount('uncaughtException') > 1) return;
  process.stderr.write(`esign-conformance broke, by what nobody waited for: ${inspect(error)}\n`);
  process.exit(4);
});
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
process.off('exit', unexpected);
// What a module has left behind, or a check of a team that never ends, keeps no process alive.
setTimeout(() => process.exit(), 1_000).unref();
