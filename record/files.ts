/** Writes every file that is kept: whole or not at all, with the folders above it, and with errors that name the fix. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { ConfigurationError } from './errors.ts';

/** Error codes of the system in words, with what helps. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk: make room there, or name another place',
  EDQUOT: 'the disk quota is used up: make room there, or name another place',
  EACCES: 'this user may not write there: change its permissions, or name another place',
  EPERM: 'this user may not write there: change its permissions, or name another place',
  EROFS: 'the file system is read-only: name another place',
  ENOENT: 'its folder is not there and cannot be made: make it, or name another place',
  ENOTDIR: 'a part of the path is a file and no folder: move that file away, or name another place',
  EISDIR: 'a folder stands in the place of the file: move it away, or name another place',
  EEXIST: 'a file stands in the place of a folder: move it away, or name another place',
  EMFILE: 'too many files are open: raise the limit (ulimit -n)',
  ENFILE: 'too many files are open on this machine: end what holds them, or raise the limit',
};

/** Something could not be written. The message is complete for the user: which path, what the system said, the fix. */
export class FileTrouble extends Error {
  override readonly name = 'FileTrouble';
  readonly folder: string;
  /** What the system said, and the fix. */
  readonly because: string;

  /** @param cause what the system threw; its path, if it has one, is not repeated */
  constructor(path: string, cause: unknown) {
    const { code, message } = (
      cause instanceof ConfigurationError ? cause.cause : cause
    ) as NodeJS.ErrnoException;
    const because =
      cause instanceof FileTrouble
        ? cause.because
        : `${code ? `${code}; ` : ''}${reasons[code ?? ''] ?? message}`;
    super(`${path}: cannot be written (${because})`, { cause });
    this.because = because;
    this.folder = dirname(path);
  }
}

interface HowToWrite {
  /** Permissions of a new file and of the folders made for it; when absent, those that the system gives. */
  readonly modes?: { readonly file: number; readonly folder?: number };
  /**
   * `by-user`: a link is followed, and what is no file, such as /dev/stdout, is written directly. Else the name is ours: a
   * link in its place is replaced, since whoever else may write into the folder could put one there at any moment.
   */
  readonly named?: 'by-user';
}

/** Makes a folder and those above it. @throws FileTrouble */
export function makeFolder(folder: string, mode?: number): void {
  // Node's own recursive mkdir never returns where the system says ENOENT below a folder that is there, as in /proc.
  const missing: string[] = [];
  try {
    let at = resolve(folder);
    for (; kindOf(at) === 'none' && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
    if (kindOf(at) !== 'folder') throw Object.assign(new Error(`${at} is no folder`), { code: 'ENOTDIR' });
    for (const each of missing) makeOne(each, mode);
  } catch (cause) {
    throw new FileTrouble(folder, cause);
  }
}

/** Makes one folder; another process may make the same one at the same time. */
function makeOne(folder: string, mode: number | undefined): void {
  try {
    mkdirSync(folder, mode === undefined ? {} : { mode });
  } catch (error) {
    if (kindOf(folder) !== 'folder') throw error;
  }
}

function kindOf(path: string): 'none' | 'file' | 'folder' {
  const found = foundAt(path);
  if (!found) return 'none';
  return found.isDirectory() ? 'folder' : 'file';
}

/**
 * What stands at a path; absent where nothing does, as below a file.
 * @throws ConfigurationError where that cannot be seen: in a folder of others, by a link to itself, with a name too long
 */
export function foundAt(path: string, look: (path: string) => Stats = statSync): Stats | undefined {
  try {
    return look(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ConfigurationError(`${path}: cannot be read (${code})`, { cause: error });
  }
}

/** Writes a file, and its folder, so that no reader sees half of it, nor anything where that fails. @throws FileTrouble */
export function writeWhole(file: string, content: string | Uint8Array, how: HowToWrite = {}): void {
  const { modes, named } = how;
  let draft: string | undefined;
  try {
    makeFolder(dirname(file), modes?.folder);
    const before = (named ? statSync : lstatSync)(file, { throwIfNoEntry: false });
    if (named && before && !before.isFile() && !before.isDirectory()) {
      writeFileSync(file, content);
      return;
    }
    const place = named && before ? realpathSync.native(file) : file;
    draft = join(dirname(place), `.${basename(place)}.${randomBytes(6).toString('hex')}.tmp`);
    const mode = modes?.file ?? (before?.isFile() ? before.mode & 0o777 : undefined);
    writeFileSync(draft, content, { flag: 'wx', ...(mode === undefined ? {} : { mode }) });
    renameSync(draft, place);
  } catch (cause) {
    if (draft !== undefined) rmSync(draft, { force: true });
    throw new FileTrouble(file, cause);
  }
}

/** What stands there is a link, nothing, or a pipe that nobody reads. */
const noFile = ['ELOOP', 'ENOENT', 'ENOTDIR', 'ENXIO'];

function openedOwn(file: string, flags: number): number | undefined {
  if (!foundAt(file, lstatSync)?.isFile()) return undefined;
  try {
    // Windows has no such flags. Between the look and the opening somebody may replace the file.
    return openSync(file, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (noFile.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/**
 * Does `work` with a file of this user, and says whether there is one: no link, nor one more name of another file, is
 * followed, and no pipe waited for.
 */
function withOwn(file: string, flags: number, work: (open: number) => void): boolean {
  const open = openedOwn(file, flags);
  if (open === undefined) return false;
  try {
    const found = fstatSync(open);
    const isOwn = found.isFile() && found.nlink === 1 && found.uid === (process.getuid?.() ?? found.uid);
    if (isOwn) work(open);
    return isOwn;
  } finally {
    closeSync(open);
  }
}

/** Adds a line to a file of this user. @returns whether there is such a file @throws FileTrouble */
export function addLine(file: string, line: string): boolean {
  try {
    const flags = constants.O_WRONLY | constants.O_APPEND;
    return withOwn(file, flags, (open) => writeFileSync(open, `${line}\n`));
  } catch (cause) {
    throw new FileTrouble(file, cause);
  }
}

/** Gives a file of this user the mode of any other new file. */
export function openToOthers(file: string): void {
  withOwn(file, constants.O_RDONLY, (open) => fchmodSync(open, 0o666 & ~process.umask()));
}

/** Names of temporary folders, with the id of the process that made them. */
const temporary = /^esign-run-(\d+)-/;

/** Where this process has tidied up: once, since a folder for temporary files may hold tens of thousands of others. */
const tidied = new Set<string>();

/**
 * A folder for files that this process needs no longer than it lives: it removes the folder at its end. Folders of
 * processes that were killed are removed now.
 * @throws FileTrouble
 */
export function temporaryFolder(): string {
  const place = tmpdir();
  try {
    for (const name of tidied.has(place) ? [] : readdirSync(place)) {
      const [, pid] = temporary.exec(name) ?? [];
      if (pid === undefined || !isOver(Number(pid))) continue;
      const folder = join(place, name);
      if (isMine(folder)) rmSync(folder, { recursive: true, force: true });
    }
    tidied.add(place);
    return mkdtempSync(join(place, `esign-run-${process.pid}-`));
  } catch (cause) {
    throw new FileTrouble(place, cause);
  }
}

function isOver(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Whether this user may remove a folder. Of a link, the owner of the link counts, wherever it leads. */
function isMine(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false })?.uid === (process.getuid?.() ?? 0);
}
