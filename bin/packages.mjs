/** Installs the npm packages of package-lock.json when some are missing. Needs no package itself. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execute } from './process.mjs';

/**
 * Installs the locked packages where some are missing; resolves with 0, or with npm's exit code when it failed.
 * @param {string} root folder of the checkout
 */
export async function installPackages(root) {
  const missing = missingPackages(root);
  if (missing.length === 0) return 0;
  process.stdout.write(`Installing packages (missing or of another version: ${missing.length}) …\n`);
  const [program, ...before] = npmCommand();
  const code = await execute(program, [...before, 'ci', '--prefix', root, '--no-audit', '--no-fund']);
  if (code !== 0) {
    process.stderr.write(
      'The packages could not be installed (npm says above why). Check the network, then run: npm ci\n',
    );
  }
  return code;
}

/**
 * Compares the lockfile with the list that npm keeps in node_modules. npm removes that list before it installs
 * and writes it at the end, so an installation that was broken off counts as missing.
 */
function missingPackages(root) {
  const locked = packagesOf(join(root, 'package-lock.json'));
  const listed = join(root, 'node_modules', '.package-lock.json');
  const installed = existsSync(listed) ? packagesOf(listed) : {};
  return Object.entries(locked)
    .filter(([path, entry]) => path !== '' && !entry.optional)
    .filter(([path, entry]) => installed[path]?.version !== entry.version)
    .map(([path]) => path);
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
}

/**
 * How npm is started: the npm that started this script, else the one beside Node, else the one on the path.
 * @returns {[program: string, ...given: string[]]}
 */
export function npmCommand() {
  const beside = dirname(process.execPath);
  const places = [
    process.env.npm_execpath,
    join(beside, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(beside, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    '/usr/share/nodejs/npm/bin/npm-cli.js',
  ];
  const script = places.find((place) => place && /npm-cli\.[cm]?js$/.test(place) && existsSync(place));
  return script ? [process.execPath, script] : ['npm'];
}
