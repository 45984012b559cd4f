/** Rows of several kinds, in memory; with a folder each change also goes to a journal, from which the next start reads them. */
import { Journal } from './journal.ts';

type Key = string | number;
/** Without a row: it was removed. */
type Change = readonly [table: string, key: Key, row?: unknown];
/** The table of the highest numbers that rows of other tables ever had. */
const lasts = 'last';
type Undone = { readonly change: Change; readonly undo: () => void };

/** The rows of one kind, in the order in which they were added; one whose removal was undone stands last. */
export class Table<Row> {
  readonly #name: string;
  readonly #kept: Map<Key, Row>;
  readonly #database: Database;
  #last: number;

  /** @param last the highest number that a row ever had */
  constructor(name: string, kept: Map<Key, Row>, database: Database, last: number) {
    this.#name = name;
    this.#kept = kept;
    this.#database = database;
    this.#last = [...kept.keys()].reduce<number>((most, key) => Math.max(most, Number(key) || 0), last);
  }

  /** After the service was closed, this error says so. */
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
    // A number is never given again, not even after a restart.
    if (row === undefined && key === this.#last) this.#database.noteLast(this.#name, this.#last);
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
  readonly #journal: Journal | undefined;
  /** What the transaction under way has changed, and how it is undone. */
  #underWay: Undone[] | undefined;
  #isClosed = false;

  /**
   * With a folder, the rows that an earlier process left there; the folder is created.
   * @throws Error where another process keeps its data there, or the file is not one of a service
   */
  static async open(dataDir?: string): Promise<Database> {
    if (dataDir === undefined) return new Database();
    const journal = await Journal.open(dataDir);
    try {
      return new Database(journal);
    } catch (error) {
      journal.close();
      throw error;
    }
  }

  private constructor(journal?: Journal) {
    for (const changes of journal?.records() ?? [])
      for (const [table, key, row] of changes as readonly Change[]) {
        if (row === undefined) this.#rows(table).delete(key);
        else this.#rows(table).set(key, row);
      }
    // Rows that were replaced since the last start are left out from now on.
    const rows = [...this.#read].flatMap(([table, kept]) =>
      [...kept].map(([key, row]) => [[table, key, row]]),
    );
    journal?.renew(rows);
    this.#journal = journal;
  }

  /** The table of a name, which one part of the service asks for once. */
  table<Row>(name: string): Table<Row> {
    return new Table(name, this.#rows(name) as Map<Key, Row>, this, Number(this.#rows(lasts).get(name) ?? 0));
  }

  /** Called by tables whose row with the highest number is removed. */
  noteLast(table: string, last: number): void {
    this.#rows(lasts).set(table, last);
    this.note([lasts, table, last], () => undefined);
  }

  /** Called by tables with each change. */
  note(change: Change, undo: () => void): void {
    if (this.#underWay) this.#underWay.push({ change, undo });
    else this.together(() => this.note(change, undo));
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
    if (!this.#isClosed) this.#journal?.close();
    this.#isClosed = true;
  }

  #rows(table: string): Map<Key, unknown> {
    const rows = this.#read.get(table) ?? new Map<Key, unknown>();
    this.#read.set(table, rows);
    return rows;
  }

  #write(changes: readonly Change[]): void {
    if (changes.length > 0) this.#journal?.add(changes);
  }
}
