/** The user's folder for files of the suite that outlive a run: in the XDG state folder, or its equivalent. */
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ConfigurationError } from '../../record/errors.ts';
import { makeFolder } from '../../record/files.ts';
import { readOwnText } from '../../record/own-files.ts';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

export function thisMachine(): Machine {
  const { platform, env } = process;
  try {
    return { platform, home: homedir(), env };
  } catch {
    // In a container the user may be none that the system knows.
    return { platform, home: '', env };
  }
}

/** @throws ConfigurationError when there is none: a key would be written into the current folder, which others may read */
export function homeOf({ home }: Machine): string {
  if (isAbsolute(home)) return home;
  throw new ConfigurationError(
    'this user has no home folder: set HOME, or XDG_STATE_HOME, to a folder that only they can read',
  );
}

/** Absolute path of the suite's folder; it may not exist. A relative XDG_STATE_HOME is ignored, as its specification says. */
export function stateFolder(machine: Machine = thisMachine()): string {
  const { platform, env } = machine;
  const base =
    platform === 'win32'
      ? env.LOCALAPPDATA || join(homeOf(machine), 'AppData', 'Local')
      : isAbsolute(env.XDG_STATE_HOME ?? '')
        ? String(env.XDG_STATE_HOME)
        : join(homeOf(machine), '.local', 'state');
  return join(base, 'esign-conformance');
}

/** A key that no other user has, made at its first use; undefined where it can be neither made nor read. */
export function userKey(): string | undefined {
  const file = () => join(stateFolder(), 'created.key');
  try {
    if (!existsSync(file())) {
      makeFolder(stateFolder(), 0o700);
      // `wx`: of two runs that begin at the same time only one makes the key.
      writeFileSync(file(), randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
    }
  } catch {
    // Another run may have made the key meanwhile, or there is no folder for it: the read below decides.
  }
  try {
    const key = readOwnText('key', file(), 'by-us');
    return /^[\w-]{43}$/.test(key) ? key : undefined;
  } catch {
    return undefined;
  }
}
