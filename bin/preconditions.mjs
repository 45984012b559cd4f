/** Checks what has to hold before any module is loaded, and explains modules that cannot be loaded. Needs no package. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const incomplete = 2;
const usage = 3;
const broken = 4;

const oldest = [20, 19];
/** Least number of files and connections that may be open at the same time: with fewer, loading or a run would fail. */
const leastOpen = 128;
const moreFiles = 'ulimit -n 4096';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  refuse(
    `needs Node ${oldest.join('.')} or newer; this is ${process.versions.node}. Install a newer one from https://nodejs.org`,
  );
}
if (!mayOpen(leastOpen)) {
  refuse(
    `needs to open ${leastOpen} files and connections at the same time, and this shell lets it open fewer (ulimit -n). Allow more, then start it again: ${moreFiles}`,
  );
}

// Commands that only read and write files are ended by the system: a listener would have to wait until a file is read.
if (!['report', 'compare', 'deviations', 'list'].includes(process.argv[2] ?? '')) {
  // As soon as other listeners take signals, this one does nothing.
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      if (process.listenerCount(signal) > 1) return;
      process.stderr.write('esign-conformance: interrupted before it began; nothing was called or written\n');
      process.exit(incomplete);
    });
  }
  // When the terminal is closed, the program ends as by SIGTERM.
  process.on('SIGHUP', () => process.emit('SIGTERM', 'SIGTERM'));
}

/**
 * Says why a module could not be loaded, and which command repairs that.
 * @param {unknown} error thrown by an import
 * @returns {number} the exit code: 3, or that of a mistake of the suite when the error is about something else
 */
export function explainUnloadable(error) {
  const { code, message = '' } = error ?? {};
  const [, name] = /Cannot find (?:package|module) '([^'\n]+)'/.exec(message) ?? [];
  const inCheckout = existsSync(new URL('./main.ts', import.meta.url));
  // In an installed package, this file lies below node_modules/esign-conformance/.
  const folder = fileURLToPath(new URL(inCheckout ? '..' : '../../..', import.meta.url));
  const install = `npm ${inCheckout ? 'ci' : 'install'} --prefix ${JSON.stringify(folder)}`;
  const why = {
    EMFILE: () =>
      `too many files are open at the same time (ulimit -n). Allow more, then start it again: ${moreFiles}`,
    ENFILE: () => 'too many files are open on this machine: end what keeps them open, then start it again',
    ERR_MODULE_NOT_FOUND: () => `${name ?? 'a module'} is missing. Install it: ${install}`,
    MODULE_NOT_FOUND: () => `${name ?? 'a module'} is missing. Install it: ${install}`,
  }[code];
  process.stderr.write(
    why ? `esign-conformance: ${why()}\n` : `esign-conformance broke: ${error?.stack ?? String(error)}\n`,
  );
  return why ? usage : broken;
}

function refuse(why) {
  process.stderr.write(`esign-conformance ${why}\n`);
  process.exit(usage);
}

function mayOpen(count) {
  const open = [];
  try {
    while (open.length < count) open.push(openSync(fileURLToPath(import.meta.url)));
    return true;
  } catch (error) {
    if (error.code === 'EMFILE') return false;
    throw error;
  } finally {
    for (const each of open) closeSync(each);
  }
}
