/** The two files that let a run be resumed, beside run.json: waiting.json, and the key of mode 600 that nobody else reads. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { ConfigurationError } from '../configuration-error.ts';
import { isWaitingKey } from './keys.ts';
import { type WaitingState, waitingSchema } from './state.ts';

const names = { state: 'waiting.json', key: 'waiting.key' } as const;

export interface Waiting {
  readonly state: WaitingState;
  readonly key: string;
  /** Where it stands. */
  readonly folder: string;
}

/**
 * What the run at a place left with people.
 * @param place folder of a run, or its run.json
 * @throws ConfigurationError when there is no run, or nothing that could be resumed
 */
export function readWaiting(place: string): Waiting {
  const folder = folderOf(place);
  const file = join(folder, names.state);
  if (!existsSync(file)) {
    const run = existsSync(join(folder, 'run.json'));
    throw new ConfigurationError(
      run
        ? `--resume ${place}: nothing is left to resume: no request of this run waits for people`
        : `--resume ${place}: there is no run; name the folder (--out) of one that left requests with people`,
    );
  }
  const keyFile = join(folder, names.key);
  const key = existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : undefined;
  if (key === undefined || !isWaitingKey(key)) {
    throw new ConfigurationError(
      `--resume ${place}: ${keyFile} ${key === undefined ? 'is missing' : 'is no key'}: without it callbacks would not find their requests; start a new run`,
    );
  }
  return { state: parse(file, place), key, folder };
}

function folderOf(place: string): string {
  const found = statSync(place, { throwIfNoEntry: false });
  if (!found) throw new ConfigurationError(`--resume ${place}: there is no such file or folder`);
  return resolve(found.isDirectory() ? place : dirname(place));
}

function parse(file: string, place: string): WaitingState {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new ConfigurationError(`--resume ${place}: ${file} is no JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
  const [wrong] = Value.Errors(waitingSchema, value);
  if (!wrong) return value as WaitingState;
  throw new ConfigurationError(
    `--resume ${place}: ${file} was not written by this version of the suite: ${wrong.path || '/'} ${wrong.message}`,
  );
}

/** Writes both files; no reader ever sees half of one. */
export function writeWaiting({ state, key, folder }: Waiting): void {
  mkdirSync(folder, { recursive: true });
  write(folder, names.key, `${key}\n`);
  write(folder, names.state, `${JSON.stringify(state, null, 1)}\n`);
}

function write(folder: string, name: string, content: string): void {
  const temporary = join(folder, `.${name}.${process.pid}.tmp`);
  writeFileSync(temporary, content, { mode: 0o600 });
  renameSync(temporary, join(folder, name));
}

/** Removes what there is of both. */
export function removeWaiting(folder: string): void {
  for (const name of Object.values(names)) rmSync(join(folder, name), { force: true });
}
