/** The two files that let a run be resumed: waiting.json beside run.json, and its key, in the folder of the user. */
import { existsSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ConfigurationError } from '../../../record/errors.ts';
import { writeWhole } from '../../../record/files.ts';
import { placeIn, readOwnJson, readOwnText } from '../../../record/own-files.ts';
import { stateFolder } from '../../profile/state-folder.ts';
import { isWaitingKey } from './keys.ts';
import { type WaitingState, waitingSchema } from './state.ts';

const stateName = 'waiting.json';

/** Where the key of a run lies: what is beside run.json is often published, and the key must not be. */
export function keyFileOf(runId: string): string {
  return join(stateFolder(), 'waiting', `${basename(runId)}.key`);
}

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
  const file = placeIn(folder, stateName);
  if (!existsSync(file)) {
    const run = existsSync(join(folder, 'run.json'));
    throw new ConfigurationError(
      run
        ? `--resume ${place}: nothing is left to resume: no request of this run waits for people`
        : `--resume ${place}: there is no run; name the folder (--out) of one that left requests with people`,
    );
  }
  const state = readOwnJson('waiting', file, waitingSchema);
  const keyFile = keyFileOf(state.runId);
  const key = existsSync(keyFile) ? readOwnText('key', keyFile, 'by-us').trim() : undefined;
  if (key === undefined || !isWaitingKey(key)) {
    throw new ConfigurationError(
      `--resume ${place}: ${keyFile} ${key === undefined ? 'is missing' : 'is no key'}: without it callbacks would not find their requests; resume on the machine, and as the user, of the run before, or start a new run`,
    );
  }
  return { state, key, folder };
}

function folderOf(place: string): string {
  const found = statSync(place, { throwIfNoEntry: false });
  if (!found) throw new ConfigurationError(`--resume ${place}: there is no such file or folder`);
  return resolve(found.isDirectory() ? place : dirname(place));
}

/** For nobody else on the machine. */
const ownFile = 0o600;
const ownFolder = 0o700;

/** Writes both files; no reader ever sees half of one. */
export function writeWaiting({ state, key, folder }: Waiting): void {
  writeKey(state.runId, key);
  writeWhole(join(folder, stateName), `${JSON.stringify(state, null, 1)}\n`, { modes: { file: ownFile } });
}

/** @throws ConfigurationError when the folder of the user cannot be written */
export function writeKey(runId: string, key: string): void {
  const file = keyFileOf(runId);
  try {
    writeWhole(file, `${key}\n`, { modes: { file: ownFile, folder: ownFolder } });
  } catch (cause) {
    const why = (cause as Error).message;
    throw new ConfigurationError(
      `${why}: signing.driver "manual" keeps the key of a run there; set XDG_STATE_HOME to a folder that can be written`,
      { cause },
    );
  }
}

/** Removes waiting.json from a folder, if it is there. */
export function removeState(folder: string): void {
  rmSync(join(folder, stateName), { force: true });
}

/** Removes the key of a run, if it is there. */
export function removeKey(runId: string): void {
  rmSync(keyFileOf(runId), { force: true });
}

/**
 * The run that left something in a folder; absent where there is none.
 * @throws ConfigurationError when waiting.json there is none
 */
export function runLeftIn(folder: string): string | undefined {
  if (!existsSync(join(folder, stateName))) return undefined;
  return readOwnJson('waiting', placeIn(folder, stateName), waitingSchema).runId;
}
