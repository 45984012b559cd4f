/** `npm run package-check`: packs, installs into empty folders, and tries the package on each version of Node. */
import './preconditions.mjs';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { npmCommand } from './packages.mjs';
import { smoke } from './smoke.mjs';

const most = { megabytes: 20, packages: 1 };
const versions = ['20', '22', '24'];
/** The package of a Node for this machine, as the package `node` installs it. */
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const execute = promisify(execFile);
const [program, ...before] = npmCommand();
const npm = (cwd, ...given) => execute(program, [...before, ...given], { cwd });
const say = (text) => process.stdout.write(`${text}\n`);

const folder = mkdtempSync(join(tmpdir(), 'esign package-'));
try {
  const packed = await npm(root, 'pack', '--json', '--pack-destination', folder);
  // The output of the build comes first.
  const [{ filename, size }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[\n')));
  const tarball = join(folder, filename);
  say(`${filename}: ${(size / 1e6).toFixed(1)} MB`);
  const installed = await install('подпись 1', '--prefer-offline', tarball);
  const { megabytes, packages, seconds } = installed;
  say(`installed: ${megabytes} MB, ${packages} packages, ${seconds} s`);
  if (megabytes > most.megabytes || packages > most.packages)
    throw new Error(`more than ${JSON.stringify(most)}`);
  for (const version of versions) {
    const { at } = await install(`node ${version}`, `${nodePackage}@${version}`);
    const node = join(
      at,
      'node_modules',
      nodePackage,
      'bin',
      `node${process.platform === 'win32' ? '.exe' : ''}`,
    );
    const { stdout } = await execute(node, ['--version']);
    const times = Object.entries(await smoke(installed.at, node)).map(([name, ms]) => `${name} ${ms}`);
    say(`Node ${stdout.trim()}: ${times.join(', ')} ms`);
  }
  say(`${versions.length} passed, 0 failed`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Installs into a new folder; gives the time that it took, and size and number of packages there. */
async function install(name, ...given) {
  const at = join(folder, name);
  mkdirSync(at);
  const began = performance.now();
  await npm(at, 'install', '--no-audit', '--no-fund', ...given);
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  const files = readdirSync(join(at, 'node_modules'), { recursive: true, withFileTypes: true });
  const paths = files.map((file) => join(file.parentPath ?? file.path, file.name));
  const bytes = paths.reduce(
    (sum, path, index) => sum + (files[index].isFile() ? statSync(path).size : 0),
    0,
  );
  const packages = paths.filter((path) =>
    /node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+[\\/]package\.json$/.test(path),
  );
  return { at, seconds, megabytes: Math.round(bytes / 1e6), packages: packages.length };
}
