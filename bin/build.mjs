/** Builds the package: compiles everything but the suite's own tests into dist/ and copies what code reads. */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyAssets } from './compiled.mjs';
import { executeNode } from './process.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
process.exitCode = await executeNode(compiler, ['-p', join(root, 'tsconfig.build.json')]);
copyAssets(dist);
