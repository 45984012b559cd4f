/** Builds the package: compiles everything but the suite's own tests into dist/ and copies what code reads. */
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { executeNode } from './process.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');

/** Folders whose files are read at run time from beside the code, and what of them is code or for people. */
const folders = ['openapi', 'generators', 'harness', 'reference', 'reports'];
const left = new Set(['.ts', '.md', '.mjs', '.mts']);
const leftFolders = new Set(['out', 'node_modules']);

function copyAssets(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!leftFolders.has(entry.name) && !/^out\b/.test(entry.name)) copyAssets(path);
    } else if (!left.has(extname(entry.name))) {
      cpSync(join(root, path), join(dist, path));
    }
  }
}

rmSync(dist, { recursive: true, force: true });
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
process.exitCode = await executeNode(compiler, ['-p', join(root, 'tsconfig.build.json')]);
for (const folder of folders) copyAssets(folder);
