/** The embedded database: opened in memory or as a file, with the tables of the service. */
import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type Libsql from 'libsql';

const tables = `
  CREATE TABLE IF NOT EXISTS client (id TEXT PRIMARY KEY, secret TEXT NOT NULL, account TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS access_token (
    hash TEXT PRIMARY KEY, account TEXT NOT NULL, expires_at INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS refresh_token (hash TEXT PRIMARY KEY, account TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS document (
    token TEXT PRIMARY KEY, account TEXT NOT NULL, sha256 TEXT NOT NULL, facts TEXT NOT NULL, bytes BLOB NOT NULL,
    invalidated INTEGER NOT NULL DEFAULT 0, uses INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX IF NOT EXISTS document_sha256 ON document (account, sha256);
  CREATE TABLE IF NOT EXISTS request (
    id TEXT PRIMARY KEY, account TEXT NOT NULL, facts TEXT NOT NULL, created_at INTEGER NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL DEFAULT 'draft'
  );
  CREATE TABLE IF NOT EXISTS signatory (
    position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, request_id TEXT NOT NULL, facts TEXT NOT NULL,
    created_at INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'waiting', link TEXT UNIQUE, acted_at INTEGER
  );
  CREATE INDEX IF NOT EXISTS signatory_request ON signatory (request_id);
  CREATE TABLE IF NOT EXISTS code (
    signatory INTEGER NOT NULL, channel TEXT NOT NULL, code TEXT NOT NULL, expires_at INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (signatory, channel)
  );
  CREATE TABLE IF NOT EXISTS mail (id INTEGER PRIMARY KEY AUTOINCREMENT, facts TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS completed (
    request_id TEXT NOT NULL, position INTEGER NOT NULL, file_name TEXT NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (request_id, position)
  );
  CREATE TABLE IF NOT EXISTS delivery (
    id INTEGER PRIMARY KEY AUTOINCREMENT, delivery_id TEXT NOT NULL, request_id TEXT NOT NULL,
    event INTEGER NOT NULL, signatory INTEGER, url TEXT NOT NULL, at INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending', attempts INTEGER NOT NULL DEFAULT 0, next_at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS delivery_pending ON delivery (state, request_id, id);
`;

/** Makes a folder step by step: Node's recursive mkdir never returns where an existing folder answers ENOENT, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** A file that only its owner can read, since the database holds secrets; its folder is made with it. */
function ownFile(dataDir: string, name: string): string {
  makeFolder(dataDir);
  const file = join(dataDir, name);
  // Opening a pipe would never end, and a link may lead to somebody else's file.
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false)
    throw new Error(`${file} is no file; remove it, or name another folder`);
  // An existing file is not opened: closing it would release all locks that this process has on it.
  if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600));
  // The mode is set also for an existing file; the files that SQLite puts beside it get the same mode.
  chmodSync(file, 0o600);
  return file;
}

/** Locks the folder: two services would both send what is queued. The system releases the lock of a process that was killed. */
function locked(file: Libsql.Database, dataDir: string): Libsql.Database {
  try {
    file.exec('BEGIN EXCLUSIVE');
    return file;
  } catch (cause) {
    file.close();
    if (!String((cause as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw cause;
    throw new Error(`another service keeps its data in ${dataDir}; end it, or name another folder`, {
      cause,
    });
  }
}

export type Row = Readonly<Record<string, unknown>>;

/** A database handle that keeps prepared statements by their text. */
export class Database {
  readonly #handle: Libsql.Database;
  readonly #lock: Libsql.Database | undefined;
  readonly #statements = new Map<string, Libsql.Statement<unknown[]>>();

  /**
   * Opens `service.db` below `dataDir`, which is created; without a folder everything is in memory.
   * @throws Error with code MODULE_NOT_FOUND or ERR_DLOPEN_FAILED where libsql has no native part, and an Error where
   * another process keeps its data there
   */
  constructor(dataDir: string | undefined) {
    // Loaded only here: it is a native module, and has to be installed only where a database is used.
    const Opened: typeof Libsql = createRequire(import.meta.url)('libsql');
    const file = dataDir === undefined ? ':memory:' : ownFile(dataDir, 'service.db');
    if (dataDir !== undefined) this.#lock = locked(new Opened(ownFile(dataDir, 'service.lock')), dataDir);
    try {
      this.#handle = new Opened(file);
      if (dataDir !== undefined) this.#handle.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
      this.#handle.exec(tables);
    } catch (error) {
      this.#lock?.close();
      throw error;
    }
  }

  /** Runs a statement; returns how many rows it changed. */
  run(sql: string, ...values: readonly unknown[]): number {
    return this.#statement(sql).run(...values).changes;
  }

  /** Adds a row, or replaces the one with the same key. */
  put(table: string, row: Readonly<Record<string, unknown>>): void {
    const names = Object.keys(row);
    const sql = `INSERT OR REPLACE INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`;
    this.run(sql, ...Object.values(row));
  }

  get(sql: string, ...values: readonly unknown[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  all(sql: string, ...values: readonly unknown[]): readonly Row[] {
    return this.#statement(sql).all(...values) as readonly Row[];
  }

  /** Runs `work` in one transaction: all of it, or nothing when it throws. */
  together<Result>(work: () => Result): Result {
    this.#opened.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#handle.exec('COMMIT');
      return result;
    } catch (error) {
      this.#handle.exec('ROLLBACK');
      throw error;
    }
  }

  get isClosed(): boolean {
    return !this.#handle.open;
  }

  close(): void {
    this.#statements.clear();
    this.#handle.close();
    // Without this, the lock would stay until the garbage collector runs.
    this.#lock?.exec('ROLLBACK');
    this.#lock?.close();
  }

  /** The handle. A program that uses a service after its end gets an error that says so. */
  get #opened(): Libsql.Database {
    if (this.isClosed) throw new Error('the service was closed');
    return this.#handle;
  }

  #statement(sql: string): Libsql.Statement<unknown[]> {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#opened.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
