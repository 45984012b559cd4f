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

/** Flags that open a file for reading only are no write; a function in their place is a callback. */
const opensToWrite = (flags) =>
  !['function', 'undefined'].includes(typeof flags) && ![null, 'r', 'rs', 0].includes(flags);

/** Functions that write, by the place of the path in their arguments. */
const writing = [
  'writeFile appendFile mkdir mkdtemp truncate rm rmdir unlink createWriteStream open'.split(' '),
  'rename copyFile cp link symlink'.split(' '),
];

function watch(owner) {
  for (const [place, names] of writing.entries())
    for (const name of names.flatMap((each) => [each, `${each}Sync`])) {
      const original = owner[name];
      if (typeof original !== 'function') continue;
      owner[name] = function watched(...given) {
        if (!/^open/.test(name) || opensToWrite(given[1])) note(given[place]);
        return original.apply(this, given);
      };
    }
}

watch(fs);
watch(fs.promises);
syncBuiltinESMExports();
