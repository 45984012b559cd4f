/** A lock of the folder of a run: a second run is refused, but not because of a lock that a killed run left. */
import { linkSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { ConfigurationError } from '../../record/errors.ts';
import { FileTrouble, makeFolder } from '../../record/files.ts';
import { parseJson } from '../../record/json.ts';
import { mismatch } from '../../record/own-files.ts';
import { object, text } from '../../record/schema-parts.ts';
import { type HostAddress, isHostOf } from './host.ts';

/** The run that writes into a folder. Its host is asked whether it still runs, since its process id may belong to another by now. */
const holderSchema = object({
  runId: text(),
  pid: Type.Number(),
  host: Type.String({ pattern: '^http://127\\.0\\.0\\.1:\\d+$' }),
});
type Holder = Static<typeof holderSchema>;

const nameOfLock = 'running.json';

/**
 * Locks a folder for a run.
 * @returns removes the lock, unless it is that of another run by now
 * @throws ConfigurationError when another run writes into the folder, FileTrouble when nothing can be written there
 */
export async function lockFolder(folder: string, runId: string, { url }: Pick<HostAddress, 'url'>) {
  const file = join(folder, nameOfLock);
  makeFolder(folder);
  const note = JSON.stringify({ runId, pid: process.pid, host: url } satisfies Holder);
  while (!create(file, note)) {
    const left = readIfThere(file);
    const holder = parseHolder(left);
    if (holder && (await isHostOf(holder.host, holder.runId))) throw refusal(folder, holder);
    if (left !== undefined) moveAway(file, `${file}.${runId}`, left);
  }
  return () => {
    if (readIfThere(file) === note) rmSync(file, { force: true });
  };
}

/** @throws ConfigurationError when a run writes into the folder */
export async function assertNoRunIn(folder: string): Promise<void> {
  const holder = parseHolder(readIfThere(join(folder, nameOfLock)));
  if (holder && (await isHostOf(holder.host, holder.runId))) throw refusal(folder, holder);
}

function refusal(folder: string, { runId, pid }: Holder): ConfigurationError {
  return new ConfigurationError(
    `${folder}: run ${runId} (process ${pid}) is writing into this folder; wait for its end, or name another folder`,
  );
}

/** Whether the file was created; `false` when it was there already. */
function create(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new FileTrouble(file, error);
  }
}

/** The largest size of a lock file in bytes; a usual one has a hundred. */
const longest = 4096;

/** The text of a lock file. Something else with its name, such as a pipe, a link or a large file, is no lock. */
function readIfThere(file: string): string | undefined {
  try {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found && !found.isDirectory() && (!found.isFile() || found.size > longest)) return '';
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new FileTrouble(file, error);
  }
}

/** Moves an old lock away. Of two runs only one can rename it; if the moved file is a new lock, it is put back. */
function moveAway(file: string, old: string, left: string): void {
  try {
    renameSync(file, old);
    if (readIfThere(old) !== left) linkSync(old, file);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw new FileTrouble(file, error);
  } finally {
    rmSync(old, { force: true });
  }
}

function parseHolder(left = ''): Holder | undefined {
  const holder = parseJson(left);
  return mismatch(holderSchema, holder) === undefined ? (holder as Holder) : undefined;
}
