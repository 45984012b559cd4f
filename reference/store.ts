/** Reads and writes what the service keeps; knows tables and no rules. */
import { createHash } from 'node:crypto';
import { Database, type Row } from './database.ts';
import type {
  RequestFacts,
  SignatoryFacts,
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
    this.database.run(
      'INSERT OR REPLACE INTO document (token, account, sha256, facts, bytes) VALUES (?, ?, ?, ?, ?)',
      token,
      account,
      sha256(bytes),
      JSON.stringify(rest),
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    );
  }

  document(token: string): StoredDocument | undefined {
    const row = this.database.get(
      'SELECT token, account, facts, invalidated, uses FROM document WHERE token = ?',
      token,
    );
    return row && documentOf(row);
  }

  /** The document with the same bytes that the account uploaded before. */
  equalDocument(account: string, bytes: Uint8Array): StoredDocument | undefined {
    const row = this.database.get(
      'SELECT token, account, facts, invalidated, uses FROM document WHERE account = ? AND sha256 = ? LIMIT 1',
      account,
      sha256(bytes),
    );
    return row && documentOf(row);
  }

  documentBytes(token: string): Uint8Array | undefined {
    const row = this.database.get('SELECT bytes FROM document WHERE token = ?', token);
    return row?.bytes as Uint8Array | undefined;
  }

  /** Whether the account had such a document. */
  invalidateDocument(account: string, token: string): boolean {
    const sql = 'UPDATE document SET invalidated = 1 WHERE token = ? AND account = ?';
    return this.database.run(sql, token, account) > 0;
  }

  useDocument(token: string): void {
    this.database.run('UPDATE document SET uses = uses + 1 WHERE token = ?', token);
  }

  addRequest(id: string, account: string, facts: RequestFacts, createdAt: number): void {
    this.database.run(
      'INSERT OR REPLACE INTO request (id, account, facts, created_at) VALUES (?, ?, ?, ?)',
      id,
      account,
      JSON.stringify(facts),
      createdAt,
    );
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
    };
  }

  deleteRequest(id: string): void {
    this.database.run('UPDATE request SET deleted = 1 WHERE id = ?', id);
  }

  addSignatory(id: string, requestId: string, facts: SignatoryFacts, createdAt: number): void {
    this.database.run(
      'INSERT INTO signatory (id, request_id, facts, created_at) VALUES (?, ?, ?, ?)',
      id,
      requestId,
      JSON.stringify(facts),
      createdAt,
    );
  }

  /** The signatories of a request in the order in which they were added. */
  signatories(requestId: string): readonly StoredSignatory[] {
    const rows = this.database.all(
      'SELECT * FROM signatory WHERE request_id = ? ORDER BY position',
      requestId,
    );
    return rows.map((row) => ({
      ...(JSON.parse(String(row.facts)) as SignatoryFacts),
      id: String(row.id),
      requestId: String(row.request_id),
      createdAt: Number(row.created_at),
    }));
  }

  close(): void {
    this.database.close();
  }
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
