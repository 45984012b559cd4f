/** Loaded before a program with --import: notes every path that it writes to, in the file that WRITE_WATCH names. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const { writeSync } = fs;
const log = fs.openSync(process.env.WRITE_WATCH, 'a');
const isPath = (value) => typeof value === 'string' || value instanceof URL || Buffer.isBuffer(value);

function note(given) {
  if (!isPath(given)) return;
  const path = given instanceof URL ? fileURLToPath(given) : String(given);
  writeSync(log, `${resolve(path)}\n`);
}

/** Flags that open a file for reading only are no write. */
const writes = (flags) =>
  flags !== undefined && flags !== null && flags !== 'r' && flags !== 'rs' && flags !== 0;

/** Functions that write, with the places of the paths in their arguments. */
const writing = {
  writeFile: [0],
  appendFile: [0],
  mkdir: [0],
  mkdtemp: [0],
  rename: [1],
  copyFile: [1],
  cp: [1],
  link: [1],
  symlink: [1],
  truncate: [0],
  rm: [0],
  rmdir: [0],
  unlink: [0],
  createWriteStream: [0],
};

function watch(owner) {
  for (const [name, places] of Object.entries(writing)) {
    for (const each of [name, `${name}Sync`]) {
      const original = owner[each];
      if (typeof original !== 'function') continue;
      owner[each] = function watched(...given) {
        for (const place of places) note(given[place]);
        return original.apply(this, given);
      };
    }
  }
  for (const name of ['open', 'openSync']) {
    const original = owner[name];
    if (typeof original !== 'function') continue;
    owner[name] = function watched(...given) {
      if (writes(given[1]) && typeof given[1] !== 'function') note(given[0]);
      return original.apply(this, given);
    };
  }
}

watch(fs);
watch(fs.promises);
syncBuiltinESMExports();
