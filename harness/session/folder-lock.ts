/** One run at a time into a folder: the second is refused, and what a killed run left behind refuses nobody. */
import { linkSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { ConfigurationError } from '../../record/errors.ts';
import { FileTrouble, makeFolder } from '../../record/files.ts';
import { parseJson } from '../../record/json.ts';
import { mismatch } from '../../record/own-files.ts';
import { object, text } from '../../record/schema-parts.ts';
import { type HostAddress, isHostOf } from './host.ts';

/** Who writes into a folder. Its host is asked whether it is still there: a process id may belong to another by now. */
const holderSchema = object({
  runId: text(),
  pid: Type.Number(),
  host: Type.String({ pattern: '^http://127\\.0\\.0\\.1:\\d+$' }),
});
type Holder = Static<typeof holderSchema>;

const nameOfLock = 'running.json';

export class FolderLock {
  readonly #file: string;
  readonly #text: string;

  private constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  /**
   * @throws ConfigurationError when another run writes into the folder, FileTrouble when nothing can be written there
   */
  static async take(folder: string, runId: string, { url }: Pick<HostAddress, 'url'>): Promise<FolderLock> {
    const file = join(folder, nameOfLock);
    makeFolder(folder);
    const note = JSON.stringify({ runId, pid: process.pid, host: url } satisfies Holder);
    while (!create(file, note)) {
      const left = readIfThere(file);
      const holder = parseHolder(left);
      if (holder && (await isHostOf(holder.host, holder.runId))) throw refusal(folder, holder);
      if (left !== undefined) moveAway(file, `${file}.${runId}`, left);
    }
    return new FolderLock(file, note);
  }

  /** Another run may have taken its place when somebody removed it. */
  release(): void {
    if (readIfThere(this.#file) === this.#text) rmSync(this.#file, { force: true });
  }
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

/** Whether the file is there now and was not before. */
function create(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new FileTrouble(file, error);
  }
}

/** Bytes of such a note: it has a hundred. */
const longest = 4096;

/** What is no file, such as a pipe or a link that came with the folder, or far too large, is the note of no run. */
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

/** By its name: of two that find it at the same time only one moves it away. What has taken its place is given back. */
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
