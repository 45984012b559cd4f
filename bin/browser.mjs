/** Finds a Chromium for the tests that look at pages, or gets one. Needs the packages when it is called, not before. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execute, executeNode } from './process.mjs';

/**
 * The path of a Chromium that is there, as runs find it (CHROMIUM_PATH, an installed one, Playwright's own), or that is
 * installed now. Resolves with `undefined`, after naming the remedy, when none can be had.
 * @param {string} root folder of the checkout
 * @returns {Promise<string | undefined>}
 */
export async function findOrInstallBrowser(root) {
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
    // Who names one means that one.
    if (found || process.env.CHROMIUM_PATH) break;
    process.stdout.write('No Chromium was found; getting one …\n');
    await install();
    found = find();
  }
  if (!found) process.stderr.write(`${remedy}\n`);
  return found;
}

/** Only as root and where apt-get is: elsewhere a system package manager is the user's own business. */
async function installFromSystem() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const quietly = { DEBIAN_FRONTEND: 'noninteractive' };
  await execute('/usr/bin/apt-get', ['update'], quietly);
  await execute('/usr/bin/apt-get', ['install', '--yes', '--no-install-recommends', 'chromium'], quietly);
}
