/** Finds a Chromium for the tests that look at pages, or gets one. Needs no package itself. */
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { execute, executeNode } from './process.mjs';

/**
 * The path of a Chromium: CHROMIUM_PATH, one that is installed, Playwright's own, or one that is installed now.
 * Resolves with `undefined`, after naming the remedy, when none can be had.
 * @param {string} root folder of the checkout
 * @returns {Promise<string | undefined>}
 */
export async function findOrInstallBrowser(root) {
  const given = process.env.CHROMIUM_PATH;
  if (given !== undefined && given !== '') {
    if (canRun(given)) return given;
    process.stderr.write(`CHROMIUM_PATH="${given}" is no program that can be run; correct it or unset it.\n`);
    return undefined;
  }
  const found = findBrowser();
  if (found) return found;
  process.stdout.write('No Chromium was found; asking Playwright for its own …\n');
  const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  await executeNode(cli, ['install', 'chromium']);
  const own = playwrightsOwn();
  if (own) return own;
  await installFromSystem();
  const installed = findBrowser();
  if (installed) return installed;
  process.stderr.write(
    'No Chromium can be had. Install Chromium or Chrome by hand, or set CHROMIUM_PATH to one, and start again.\n',
  );
  return undefined;
}

/** A Chromium that is there already: in a well-known place, on the path, or Playwright's. */
export function findBrowser() {
  return [...wellKnown(), ...onPath()].find(canRun) ?? playwrightsOwn();
}

/** @returns {string[]} */
function wellKnown() {
  if (process.platform === 'darwin') {
    return ['/Applications', join(homedir(), 'Applications')].flatMap((folder) => [
      join(folder, 'Chromium.app/Contents/MacOS/Chromium'),
      join(folder, 'Google Chrome.app/Contents/MacOS/Google Chrome'),
      join(folder, 'Microsoft Edge.app/Contents/MacOS/Microsoft Edge'),
    ]);
  }
  if (process.platform === 'win32') {
    const folders = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA];
    return folders
      .filter((folder) => folder !== undefined)
      .flatMap((folder) => [
        join(folder, 'Chromium', 'Application', 'chrome.exe'),
        join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
        join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
      ]);
  }
  return [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/snap/bin/chromium',
    '/opt/google/chrome/chrome',
  ];
}

/** @returns {string[]} */
function onPath() {
  if (process.platform === 'win32') return [];
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

/** The newest Chromium in the folder in which Playwright keeps its browsers. */
function playwrightsOwn() {
  const folder = process.env.PLAYWRIGHT_BROWSERS_PATH ?? cacheFolder();
  if (!existsSync(folder)) return undefined;
  const versions = readdirSync(folder)
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort((one, other) => Number(other.slice(9)) - Number(one.slice(9)));
  const programs = [
    'chrome-linux/chrome',
    'chrome-linux64/chrome',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    'chrome-win/chrome.exe',
    'chrome-win64/chrome.exe',
  ];
  return versions.flatMap((name) => programs.map((program) => join(folder, name, program))).find(canRun);
}

function cacheFolder() {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'ms-playwright');
  if (process.platform === 'win32') return join(process.env.LOCALAPPDATA ?? homedir(), 'ms-playwright');
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'ms-playwright');
}

/** Only as root and where apt-get is: elsewhere a system package manager is the user's own business. */
async function installFromSystem() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stdout.write("Playwright's Chromium cannot be had; asking the system's package manager …\n");
  const quietly = { DEBIAN_FRONTEND: 'noninteractive' };
  await execute('/usr/bin/apt-get', ['update'], quietly);
  await execute('/usr/bin/apt-get', ['install', '--yes', '--no-install-recommends', 'chromium'], quietly);
}

/** @param {string} file */
function canRun(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
