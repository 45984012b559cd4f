/** Finds or installs a Chromium for the tests that look at pages. The npm packages are needed only when it is called. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execute, executeNode } from './process.mjs';

/**
 * The path of a Chromium: one that runs find (CHROMIUM_PATH, an installed one, Playwright's own), else one that is installed
 * now. Resolves with `undefined`, after printing the remedy, when none can be had.
 * @param {string} root folder of the checkout
 * @returns {Promise<string | undefined>}
 */
export async function findOrInstallBrowser(root) {
  // See harness/people/load-module.ts.
  process.env.TSX_DISABLE_CACHE = '1';
  (await import('tsx/esm/api')).register();
  const { chromium } = await import('@playwright/test');
  const { chromiumPath, NoBrowser } = await import('../harness/people/chromium.ts');
  let remedy = '';
  const find = () => {
    try {
      return chromiumPath(chromium.executablePath());
    } catch (error) {
      if (!(error instanceof NoBrowser)) throw error;
      remedy = error.message;
      return undefined;
    }
  };
  const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  let found = find();
  for (const install of [() => executeNode(cli, ['install', 'chromium']), installFromSystem]) {
    // A user who sets CHROMIUM_PATH wants that one and no other.
    if (found || process.env.CHROMIUM_PATH) break;
    process.stdout.write('No Chromium was found; getting one …\n');
    await install();
    found = find();
  }
  if (!found) process.stderr.write(`${remedy}\n`);
  return found;
}

/** Installs Chromium by apt-get, as root only: elsewhere the system's packages are up to the user. */
async function installFromSystem() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const quietly = { DEBIAN_FRONTEND: 'noninteractive' };
  await execute('/usr/bin/apt-get', ['update'], quietly);
  await execute('/usr/bin/apt-get', ['install', '--yes', '--no-install-recommends', 'chromium'], quietly);
}
