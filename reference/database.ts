/** Rows of several kinds, in memory; with a folder each change also goes to a file, from which the next start reads them. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

type Key = string | number;
/** Without a row: it was removed. */
type Change = readonly [table: string, key: Key, row?: unknown];
type Undone = { readonly change: Change; readonly undo: () => void };

/** The rows of one kind, in the order in which they were added. */
export class Table<Row> {
  readonly #name: string;
  readonly #kept: Map<Key, Row>;
  readonly #database: Database;
  #last: number;

  constructor(name: string, kept: Map<Key, Row>, database: Database) {
    this.#name = name;
    this.#kept = kept;
    this.#database = database;
    this.#last = [...kept.keys()].reduce<number>((most, key) => Math.max(most, Number(key) || 0), 0);
  }

  /** A program that uses a service after its end gets an error that says so. */
  get #rows(): Map<Key, Row> {
    if (this.#database.isClosed) throw new Error('the service was closed');
    return this.#kept;
  }

  get(key: Key): Row | undefined {
    return this.#rows.get(key);
  }

  keys(): readonly Key[] {
    return [...this.#rows.keys()];
  }

  all(): readonly Row[] {
    return [...this.#rows.values()];
  }

  /** Adds a row, replaces the one with the same key, or removes it where none is given. */
  put(key: Key, row: Row | undefined): void {
    const before = this.#rows.get(key);
    if (row === undefined) this.#kept.delete(key);
    else this.#kept.set(key, row);
    this.#database.note([this.#name, key, row], () => this.put(key, before));
  }

  /** Adds a row whose key is a new number, higher than all before. */
  add(made: (key: number) => Row): void {
    this.#last += 1;
    this.put(this.#last, made(this.#last));
  }

  /** Changes a row; returns whether there is one. */
  change(key: Key, changes: Partial<Row>): boolean {
    const row = this.#rows.get(key);
    if (row !== undefined) this.put(key, { ...row, ...changes });
    return row !== undefined;
  }

  clear(): void {
    for (const key of this.#rows.keys()) this.put(key, undefined);
  }
}

export class Database {
  readonly #read = new Map<string, Map<Key, unknown>>();
  readonly #hold: Server | undefined;
  readonly #file: number | undefined;
  /** What the transaction under way has changed, and how it is undone. */
  #underWay: Undone[] | undefined;
  #isClosed = false;

  /**
   * With a folder, the rows that an earlier process left there; the folder is created.
   * @throws Error where another process keeps its data there, or the file is not one of a service
   */
  static async open(dataDir?: string): Promise<Database> {
    if (dataDir === undefined) return new Database();
    makeFolder(dataDir);
    const hold = await held(dataDir);
    try {
      return new Database(dataDir, hold);
    } catch (error) {
      hold.close();
      throw error;
    }
  }

  private constructor(dataDir?: string, hold?: Server) {
    if (dataDir === undefined) return;
    this.#hold = hold;
    const file = join(dataDir, 'service.journal');
    // Reading a pipe would never end, and a link may lead to somebody else's file.
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false)
      throw new Error(`${file} is no file; remove it, or name another folder`);
    for (const [table, key, row] of existsSync(file) ? changesIn(readFileSync(file)) : []) {
      if (row === undefined) this.#rows(table).delete(key);
      else this.#rows(table).set(key, row);
    }
    // What was replaced since the last start is left out from now on.
    rmSync(`${file}.new`, { force: true });
    this.#file = openSync(`${file}.new`, 'wx', 0o600);
    chmodSync(`${file}.new`, 0o600);
    for (const [table, rows] of this.#read) for (const [key, row] of rows) this.#write([[table, key, row]]);
    renameSync(`${file}.new`, file);
  }

  /** The table of a name, which one part of the service asks for once. */
  table<Row>(name: string): Table<Row> {
    return new Table(name, this.#rows(name) as Map<Key, Row>, this);
  }

  /** Called by tables with each change. */
  note(change: Change, undo: () => void): void {
    if (this.#underWay) this.#underWay.push({ change, undo });
    else this.#write([change]);
  }

  /** Runs `work` in one transaction: all of its changes, or none when it throws. */
  together<Result>(work: () => Result): Result {
    if (this.#underWay) return work();
    const changes: Undone[] = [];
    this.#underWay = changes;
    try {
      const result = work();
      this.#write(changes.map(({ change }) => change));
      return result;
    } catch (error) {
      this.#underWay = [];
      for (const { undo } of changes.reverse()) undo();
      throw error;
    } finally {
      this.#underWay = undefined;
    }
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    if (this.#file !== undefined && !this.#isClosed) closeSync(this.#file);
    this.#isClosed = true;
    this.#hold?.close();
  }

  #rows(table: string): Map<Key, unknown> {
    const rows = this.#read.get(table) ?? new Map<Key, unknown>();
    this.#read.set(table, rows);
    return rows;
  }

  /** Changes go to the system at once, so that they outlive this process, however it ends. */
  #write(changes: readonly Change[]): void {
    if (this.#file === undefined || changes.length === 0) return;
    const bytes = serialize(changes);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(bytes.length);
    const record = Buffer.concat([size, bytes]);
    for (let at = 0; at < record.length; ) at += writeSync(this.#file, record, at);
  }
}

/** The changes of a file; a last record that was not written whole is left out. */
function* changesIn(file: Buffer): Generator<Change> {
  for (let at = 0; at + 4 <= file.length; ) {
    const end = at + 4 + file.readUInt32LE(at);
    if (end > file.length) return;
    yield* deserialize(file.subarray(at + 4, end)) as readonly Change[];
    at = end;
  }
}

/** Makes a folder step by step: Node's recursive mkdir never returns where an existing folder answers ENOENT, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** Holds a folder as long as this process lives, by a socket: two services would both send what is queued. */
async function held(folder: string): Promise<Server> {
  const name = `esign-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32)}`;
  const place = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
  for (;;) {
    const server = createServer();
    const trouble = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      server.once('error', resolve).listen(place, () => resolve(undefined));
    });
    if (!trouble) return server.unref();
    if (trouble.code !== 'EADDRINUSE') throw trouble;
    if (await answers(place))
      throw new Error(`another service keeps its data in ${folder}; end it, or name another folder`);
    // It was left by a process that was killed.
    rmSync(place, { force: true });
  }
}

function answers(place: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(place, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    );
  });
}
