/** The command `login`: a person logs in in a browser, and the tokens are kept for later runs. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { loadProfile } from '../harness/profile/load.ts';
import type { Grant } from '../harness/profile/token-file.ts';
import { redactorOf } from '../harness/recording/redact.ts';
import { logIn } from '../harness/target/access/login.ts';
import { TokenError } from '../harness/target/access/token-request.ts';
import { HttpSender } from '../harness/wire/http.ts';
import { proxyFor } from '../harness/wire/proxy.ts';
import { ConfigurationError } from '../record/errors.ts';
import { print, printError } from '../record/print.ts';

interface LoginArguments {
  readonly target: string;
  readonly open?: boolean;
  /** How long the person has, in seconds. */
  readonly timeout: number;
}

export interface Terminal {
  readonly isTerminal: boolean;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly open: (address: string) => void;
}

const notLoggedIn = 2;

const limits = { deadlineMs: 30_000, connectMs: 10_000, maxResponseBytes: 1024 * 1024 };

/** Resolves with 0 when the tokens are kept, with 2 when nobody logged in or no token came of it. */
export async function login(given: LoginArguments, terminal: Terminal = thisTerminal): Promise<number> {
  const { profile, tokenFile, ca, secrets } = loadProfile({ target: given.target }) ?? {};
  const { auth } = profile ?? {};
  if (auth?.kind !== 'authorization-code' || !tokenFile)
    throw new ConfigurationError(
      `${given.target}: auth.kind is "${auth?.kind}", and nobody has to log in; login is for "authorization-code"`,
    );
  if (!terminal.isTerminal)
    throw new ConfigurationError(
      'login needs a terminal, since a person has to follow a link; run it once by hand, and runs use its token file',
    );
  const redactor = redactorOf(secrets);
  if (auth.clientSecret) redactor.add(auth.clientSecret, 'client secret');
  const sender = new HttpSender({ ...limits, ca, proxyFor });
  try {
    const grant = await logIn(auth, {
      send: (request) => sender.send(request),
      learn: (secret, label) => redactor.add(secret, label),
      timeoutMs: given.timeout * 1000,
      show: (address, redirectUri) => {
        terminal.print(
          `Open this address in a browser on this machine, and log in:\n\n  ${address}\n\nThe answer is waited for at ${redirectUri}, for ${given.timeout} seconds. Ctrl+C gives up.\n\n`,
        );
        if (given.open) terminal.open(address);
      },
    });
    tokenFile.keep(grant);
    terminal.print(`${inWords(grant)}\nThe tokens are in ${tokenFile.path}, which only you can read.\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    terminal.complain(`esign-conformance: ${redactor.text(error.message)}\n`);
    return notLoggedIn;
  } finally {
    sender.close();
  }
}

function inWords({ lifetimeMs, refreshToken }: Grant): string {
  const lives = Number.isFinite(lifetimeMs) ? ` for ${Math.round(lifetimeMs / 1000)} seconds` : '';
  const renewed = refreshToken
    ? 'a refresh token renews it'
    : 'there is no refresh token: log in again after that (many servers give one for the scope offline_access)';
  return `Logged in. The access token is good${lives}; ${renewed}.`;
}

const thisTerminal: Terminal = {
  isTerminal: Boolean(process.stdin.isTTY && process.stdout.isTTY),
  print,
  complain: printError,
  open: openInBrowser,
};

/** Opens an address by the program of this system. No shell sees the address. */
function openInBrowser(address: string): void {
  // By its path: Windows would look into the current folder first.
  const ofWindows = join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'rundll32.exe');
  const [program, ...before] =
    { darwin: ['open'], win32: [ofWindows, 'url.dll,FileProtocolHandler'] }[process.platform as string] ??
    (['xdg-open'] as const);
  const child = spawn(program ?? 'xdg-open', [...before, address], { stdio: 'ignore', detached: true });
  child.on('error', () => printError('No browser could be opened: open the address by hand.\n'));
  child.unref();
}
