/** Reads and writes what the service keeps; knows tables and no rules. */
import { createHash } from 'node:crypto';
import { Database, type Row } from './database.ts';
import type { RequestState, SignatoryState } from './double-types.ts';
import type {
  CompletedFile,
  RequestFacts,
  SignatoryFacts,
  Stamp,
  StoredDocument,
  StoredRequest,
  StoredSignatory,
} from './model.ts';

export class Store {
  readonly database: Database;

  constructor(dataDir: string | undefined) {
    this.database = new Database(dataDir);
  }

  addDocument(facts: Omit<StoredDocument, 'invalidated' | 'uses'>, bytes: Uint8Array): void {
    const { token, account, ...rest } = facts;
    const kept = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const row = { token, account, sha256: sha256(bytes), facts: JSON.stringify(rest), bytes: kept };
    this.database.put('document', row);
  }

  document(token: string): StoredDocument | undefined {
    return this.#documentWhere('token = ?', token);
  }

  /** An earlier document of the account with the same bytes. */
  equalDocument(account: string, bytes: Uint8Array): StoredDocument | undefined {
    return this.#documentWhere('account = ? AND sha256 = ? LIMIT 1', account, sha256(bytes));
  }

  #documentWhere(condition: string, ...values: readonly unknown[]): StoredDocument | undefined {
    const sql = `SELECT token, account, facts, invalidated, uses FROM document WHERE ${condition}`;
    const row = this.database.get(sql, ...values);
    return row && documentOf(row);
  }

  /** The token of the first document of a file name. */
  documentNamed(fileName: string): string | undefined {
    return this.#tokenOf("WHERE facts ->> 'fileName' = ? ORDER BY rowid", fileName);
  }

  /** The token of the first document of so many bytes. */
  documentOfLength(length: number): string | undefined {
    return this.#tokenOf('WHERE length(bytes) = ? ORDER BY rowid', length);
  }

  latestDocument(): string | undefined {
    return this.#tokenOf('ORDER BY rowid DESC');
  }

  #tokenOf(which: string, ...values: readonly unknown[]): string | undefined {
    const row = this.database.get(`SELECT token FROM document ${which}`, ...values);
    return row && String(row.token);
  }

  documentBytes(token: string): Uint8Array | undefined {
    const row = this.database.get('SELECT bytes FROM document WHERE token = ?', token);
    return row?.bytes as Uint8Array | undefined;
  }

  /** Returns whether the account had such a document. */
  invalidateDocument(account: string, token: string): boolean {
    const sql = 'UPDATE document SET invalidated = 1 WHERE token = ? AND account = ?';
    return this.database.run(sql, token, account) > 0;
  }

  useDocument(token: string): void {
    this.database.run('UPDATE document SET uses = uses + 1 WHERE token = ?', token);
  }

  addRequest(id: string, account: string, facts: RequestFacts, createdAt: number): void {
    this.database.put('request', { id, account, facts: JSON.stringify(facts), created_at: createdAt });
  }

  /** The number of requests, deleted ones too, or of those since a time. */
  requestCount(sinceMs = 0): number {
    const sql = 'SELECT count(*) AS n FROM request WHERE created_at >= ?';
    return Number(this.database.get(sql, sinceMs)?.n ?? 0);
  }

  request(id: string): StoredRequest | undefined {
    const row = this.database.get('SELECT * FROM request WHERE id = ?', id);
    if (!row) return undefined;
    return {
      ...(JSON.parse(String(row.facts)) as RequestFacts),
      id: String(row.id),
      account: String(row.account),
      createdAt: Number(row.created_at),
      deleted: row.deleted === 1,
      state: row.state as RequestState,
    };
  }

  /** Every request of an account, the newest first. */
  requestsOf(account: string): readonly StoredRequest[] {
    const sql =
      'SELECT id FROM request WHERE account = ? AND deleted = 0 ORDER BY created_at DESC, rowid DESC';
    return this.database.all(sql, account).flatMap((row) => this.request(String(row.id)) ?? []);
  }

  /** Deletes everything but clients and their tokens. */
  reset(): void {
    const tables = ['document', 'request', 'signatory', 'code', 'mail', 'completed', 'delivery'];
    this.database.together(() => {
      for (const table of tables) this.database.run(`DELETE FROM ${table}`);
    });
  }

  setState(requestId: string, state: RequestState): void {
    this.database.run('UPDATE request SET state = ? WHERE id = ?', state, requestId);
  }

  /** Ids of requests in a state, oldest first. */
  requestsIn(state: RequestState): readonly string[] {
    const sql = 'SELECT id FROM request WHERE state = ? AND deleted = 0 ORDER BY created_at';
    return this.database.all(sql, state).map((row) => String(row.id));
  }

  deleteRequest(id: string): void {
    this.database.run('UPDATE request SET deleted = 1 WHERE id = ?', id);
  }

  addSignatory(id: string, requestId: string, facts: SignatoryFacts, createdAt: number): void {
    const row = { id, request_id: requestId, facts: JSON.stringify(facts), created_at: createdAt };
    this.database.put('signatory', row);
  }

  /** Whether any signatory has this AccessCode. */
  hasAccessCode(code: string): boolean {
    const sql = "SELECT 1 FROM signatory WHERE json_extract(facts, '$.otp.accessCode') = ?";
    return this.database.get(sql, code) !== undefined;
  }

  /** The signatories of a request in the order in which they were added. */
  signatories(requestId: string): readonly StoredSignatory[] {
    return this.#signatoriesWhere('request_id = ? ORDER BY position', requestId);
  }

  /** The signatory of a signing page. */
  signatoryByLink(link: string): StoredSignatory | undefined {
    return this.#signatoriesWhere('link = ?', link)[0];
  }

  /** Takes whoever has an address out of all requests but one. */
  removeElsewhere(email: string, requestId: string): void {
    const sql = "DELETE FROM signatory WHERE facts ->> 'email' = ? AND request_id <> ?";
    this.database.run(sql, email, requestId);
  }

  /** For a fault: the person of this address who was added last, in any request. */
  latestOf(email: string): StoredSignatory | undefined {
    return this.#signatoriesWhere("facts ->> 'email' = ? ORDER BY position DESC", email)[0];
  }

  /** For a fault: takes the person out who was added last. */
  removeLatest(requestId: string): void {
    const latest = 'SELECT max(position) FROM signatory WHERE request_id = ?';
    this.database.run(`DELETE FROM signatory WHERE position = (${latest})`, requestId);
  }

  signatoryAt(position: number): StoredSignatory | undefined {
    return this.#signatoriesWhere('position = ?', position)[0];
  }

  #signatoriesWhere(condition: string, value: unknown): readonly StoredSignatory[] {
    return this.database.all(`SELECT * FROM signatory WHERE ${condition}`, value).map(signatoryOf);
  }

  setStamps({ position, ...signatory }: StoredSignatory, stamps: readonly Stamp[]): void {
    const { email, name, order, role, privateMessage, color, otp } = signatory;
    const facts: SignatoryFacts = { email, name, order, role, privateMessage, color, otp, stamps };
    this.database.run('UPDATE signatory SET facts = ? WHERE position = ?', JSON.stringify(facts), position);
  }

  markInvited(position: number, link: string): void {
    const sql = "UPDATE signatory SET state = 'invited', link = ? WHERE position = ?";
    this.database.run(sql, link, position);
  }

  markActed(position: number, state: 'completed' | 'declined', at: number): void {
    this.database.run('UPDATE signatory SET state = ?, acted_at = ? WHERE position = ?', state, at, position);
  }

  addCompleted(requestId: string, files: readonly CompletedFile[]): void {
    for (const [position, { fileName, bytes }] of files.entries()) {
      this.database.put('completed', { request_id: requestId, position, file_name: fileName, bytes });
    }
  }

  /** Names of the completed files of a request, in the order of its documents. */
  completedNames(requestId: string): readonly string[] {
    const sql = 'SELECT file_name FROM completed WHERE request_id = ? ORDER BY position';
    return this.database.all(sql, requestId).map((row) => String(row.file_name));
  }

  completedFile(requestId: string, position: number): CompletedFile | undefined {
    const sql = 'SELECT file_name, bytes FROM completed WHERE request_id = ? AND position = ?';
    const row = this.database.get(sql, requestId, position);
    return row && { fileName: String(row.file_name), bytes: Buffer.from(row.bytes as Uint8Array) };
  }

  get isClosed(): boolean {
    return this.database.isClosed;
  }

  close(): void {
    this.database.close();
  }
}

function signatoryOf(row: Row): StoredSignatory {
  return {
    ...(JSON.parse(String(row.facts)) as SignatoryFacts),
    position: Number(row.position),
    id: String(row.id),
    requestId: String(row.request_id),
    createdAt: Number(row.created_at),
    state: row.state as SignatoryState,
    link: row.link === null ? null : String(row.link),
    actedAt: row.acted_at === null ? null : Number(row.acted_at),
  };
}

function documentOf(row: Row): StoredDocument {
  return {
    ...(JSON.parse(String(row.facts)) as Pick<StoredDocument, 'kind' | 'fileName' | 'createdAt'>),
    token: String(row.token),
    account: String(row.account),
    invalidated: row.invalidated === 1,
    uses: Number(row.uses),
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
