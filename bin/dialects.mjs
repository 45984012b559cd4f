/** `npm run dialects`: the checks against compliant services of every day, or with --all against every row. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { executeNode } from './process.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const given = process.argv.slice(2);
const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js');
const options = ['test', `--config=${join(root, 'playwright.dialects.config.ts')}`];
process.exitCode = await executeNode(
  cli,
  [...options, ...given.filter((each) => each !== '--all')],
  given.includes('--all') ? { ESIGN_DIALECTS_ALL: '1' } : {},
);
