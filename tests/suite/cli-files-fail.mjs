/** Loaded into a process before anything else: from the file that WRITES_FAIL_FROM names on, no file can be written. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { WRITES_FAIL = '', WRITES_FAIL_FROM = '', WRITES_FAIL_BELOW = '' } = process.env;
const from = new RegExp(WRITES_FAIL_FROM);
let failing = false;

for (const name of ['writeFileSync', 'appendFileSync', 'mkdirSync']) {
  const real = fs[name];
  fs[name] = (path, ...given) => {
    const own = String(path).startsWith(WRITES_FAIL_BELOW);
    failing ||= own && from.test(String(path));
    if (!own || !failing) return real(path, ...given);
    throw Object.assign(new Error(`${WRITES_FAIL}: ${name} '${path}'`), { code: WRITES_FAIL, path });
  };
}
syncBuiltinESMExports();
