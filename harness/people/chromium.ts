/** One Chromium for the run: found on this machine, started when the first page is opened. */
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { accessSync, constants, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Browser, BrowserContext } from '@playwright/test';
import { temporaryFolder } from '../../record/files.ts';
import { withinTime } from '../untrusted/deadline.ts';
import { limits } from '../untrusted/limits.ts';
import type { Depth } from '../untrusted/networks.ts';
import { startBrowserProxy } from '../wire/browser-proxy.ts';

const remedy =
  'install Chromium or Chrome, set CHROMIUM_PATH to one, or run "npx playwright install chromium"';
/** Keeps WebRTC from sending datagrams past the proxy; under the present name of the switch and the older one. */
const noDatagrams = ['', 'force-'].map((old) => `--${old}webrtc-ip-handling-policy=disable_non_proxied_udp`);
const startMs = 30_000;
const closeMs = 10_000;

/** Thrown when there is no browser, or none that starts; its message has the remedy. */
export class NoBrowser extends Error {
  override readonly name = 'NoBrowser';
}

/**
 * The program to start: CHROMIUM_PATH, one in a well-known place or on the path, or `own` (Playwright's) if the
 * file is there.
 * @throws NoBrowser
 */
export function chromiumPath(own: string, env: NodeJS.ProcessEnv = process.env): string {
  const given = env.CHROMIUM_PATH;
  if (given) {
    if (canRun(given)) return given;
    throw new NoBrowser(`CHROMIUM_PATH="${given}" is no program that can be run; correct it or unset it`);
  }
  const found = [...wellKnown(env), ...onPath(env), own].find(canRun);
  if (found) return found;
  throw new NoBrowser(`no Chromium was found; ${remedy}`);
}

function wellKnown(env: NodeJS.ProcessEnv): readonly string[] {
  if (process.platform === 'darwin')
    return ['/Applications', join(homedir(), 'Applications')].flatMap((folder) =>
      ['Chromium', 'Google Chrome', 'Microsoft Edge'].map((name) =>
        join(folder, `${name}.app`, 'Contents', 'MacOS', name),
      ),
    );
  if (process.platform === 'win32') {
    const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA];
    const programs = ['Chromium/Application/chrome.exe', 'Google/Chrome/Application/chrome.exe'];
    return folders.flatMap((folder) =>
      folder ? [...programs, 'Microsoft/Edge/Application/msedge.exe'].map((each) => join(folder, each)) : [],
    );
  }
  return [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/snap/bin/chromium',
    '/opt/google/chrome/chrome',
  ];
}

function onPath(env: NodeJS.ProcessEnv): readonly string[] {
  if (process.platform === 'win32') return [];
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Not there, or no program: the next place is looked at.
    return false;
  }
}

export interface Chromium {
  /**
   * A fresh context, without cookies or storage. The caller closes it.
   * @param most how far inside of networks its pages may lead
   * @param kept is called with each host that the pages were kept from
   * @throws NoBrowser
   */
  context(most: Depth, kept: (host: string) => void): Promise<BrowserContext>;
  close(): Promise<void>;
}

interface ChromiumOptions {
  /** The CA of the profile is not known to a browser: its certificates are then taken as they are. */
  readonly ignoreHTTPSErrors: boolean;
  readonly env?: NodeJS.ProcessEnv;
}

export function createChromium({ ignoreHTTPSErrors, env }: ChromiumOptions): Chromium {
  let started: Promise<Browser> | undefined;
  const deafFolders: string[] = [];
  /** Bytes that the browser may still tell of its pages. */
  let room = 0;
  const isTooMuch = (bytes: number) => {
    room -= bytes;
    return room < 0;
  };

  async function browser(): Promise<Browser> {
    const running = await started?.catch(() => undefined);
    // A browser that has died is started anew; where the first start failed, it is not tried again.
    if (started && (!running || running.isConnected())) return started;
    started = start(deafPrograms(deafFolders), isTooMuch, env);
    return started;
  }

  return {
    async context(most, kept) {
      room = limits.pageToldBytes.most;
      const running = await browser();
      let loaded = 0;
      // Workers and frames of other origins tell a page nothing of what they load.
      const came = (bytes: number) => {
        loaded += bytes;
        if (loaded > limits.pageBytes.most) context.close().catch(() => undefined);
      };
      const proxy = most < 2 ? await startBrowserProxy(most, kept, came) : undefined;
      const context = await running.newContext({
        ...(proxy ? { proxy: { server: `http://127.0.0.1:${proxy.port}` } } : {}),
        ignoreHTTPSErrors,
        acceptDownloads: false,
        serviceWorkers: 'block',
        locale: 'en-US',
      });
      context.once('close', () => void proxy?.close());
      return context;
    },
    async close() {
      const ended = async () => {
        const running = await started?.catch(() => undefined);
        await running?.close();
      };
      // A browser that hangs ends with this process.
      await withinTime(closeMs, ended(), () => undefined);
      for (const folder of deafFolders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The variables that a browser needs: none with secrets of the profile, and no desktop on which it could open programs. */
const needed =
  /^(PATH|HOME|USER|LANG|LC_\w+|TZ|TE?MP|TMPDIR|LD_LIBRARY_PATH|FONTCONFIG_\w+|XDG_(CACHE|CONFIG|DATA|RUNTIME)_\w+|SNAP\w*|NIX_\w+|SSL_CERT_\w+|(https?|all|no)_proxy|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAM(DATA|FILES.*))$/i;

/**
 * A folder with programs that do nothing, under the names of those by which Chromium on Linux opens other programs. For
 * `mailto:` it does so without a click, even where it knows no desktop.
 * @throws FileTrouble
 */
function deafPrograms(made: string[]): string {
  if (process.platform === 'win32') return '';
  const folder = temporaryFolder();
  made.push(folder);
  for (const name of ['xdg-email', 'xdg-open'])
    writeFileSync(join(folder, name), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  return folder + delimiter;
}

function environment(before: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    value !== undefined && needed.test(name) ? [[name, value]] : [],
  );
  return { ...Object.fromEntries(kept), PATH: `${before}${env.PATH ?? '/usr/bin:/bin'}`, BROWSER: 'true' };
}

/**
 * @param isTooMuch is asked about all that the browser tells, and ends it: whatever a page writes to its console comes
 * here whole, where Playwright keeps the last messages, and breaks at one of 512 MB.
 */
async function start(
  before: string,
  isTooMuch: (bytes: number) => boolean,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Browser> {
  const { chromium } = await import('@playwright/test');
  const executablePath = chromiumPath(chromium.executablePath(), env);
  const begun: ChildProcess[] = [];
  const note = (message: unknown) => begun.push((message as { readonly process: ChildProcess }).process);
  subscribe('child_process', note);
  try {
    const browser = await chromium.launch({
      executablePath,
      timeout: startMs,
      // Chromium does not start as root with its sandbox.
      args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...noDatagrams],
      handleSIGINT: false,
      env: environment(before, env),
    });
    const own = begun.find(({ spawnfile }) => spawnfile === executablePath);
    // Playwright reads the fifth of the streams.
    own?.stdio[4]?.on('data', ({ length }: Buffer) => isTooMuch(length) && own.kill('SIGKILL'));
    return browser;
  } catch (error) {
    const why = (error as Error).message.split('\n')[0];
    throw new NoBrowser(`${executablePath} could not be started (${why}); ${remedy}`);
  } finally {
    unsubscribe('child_process', note);
  }
}
