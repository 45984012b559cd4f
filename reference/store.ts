/** What the service keeps of documents, requests and their people; knows tables and no rules. */
import type { Database, Table } from './database.ts';
import type { RequestState } from './double-types.ts';
import type {
  CompletedFile,
  RequestFacts,
  SignatoryFacts,
  StoredCode,
  StoredDocument,
  StoredRequest,
  StoredSignatory,
} from './model.ts';

export class Store {
  readonly database: Database;
  readonly documents: Table<StoredDocument>;
  readonly requests: Table<StoredRequest>;
  /** By their positions. */
  readonly people: Table<StoredSignatory>;
  /** By position and channel. */
  readonly codes: Table<StoredCode>;
  /** The files of documents by their tokens, and those of completed requests by the ids of these. */
  readonly #bytes: Table<Uint8Array>;
  readonly #completed: Table<readonly CompletedFile[]>;

  constructor(database: Database) {
    this.database = database;
    this.documents = database.table('document');
    this.requests = database.table('request');
    this.people = database.table('signatory');
    this.codes = database.table('code');
    this.#bytes = database.table('bytes');
    this.#completed = database.table('completed');
  }

  addDocument(facts: Omit<StoredDocument, 'invalidated' | 'uses'>, bytes: Uint8Array): void {
    this.database.together(() => {
      this.documents.put(facts.token, { ...facts, invalidated: false, uses: 0 });
      this.#bytes.put(facts.token, bytes);
    });
  }

  document(token: string): StoredDocument | undefined {
    return this.documents.get(token);
  }

  documentBytes(token: string): Uint8Array | undefined {
    return this.#bytes.get(token);
  }

  /** The bytes of another PDF than this one, perhaps of another account. */
  otherBytes(token: string): Uint8Array | undefined {
    const other = this.documents.all().find(({ token: each, kind }) => each !== token && kind === 'pdf');
    return other && this.documentBytes(other.token);
  }

  useDocument(token: string): void {
    const { uses = 0 } = this.documents.get(token) ?? {};
    this.documents.change(token, { uses: uses + 1 });
  }

  addRequest(id: string, account: string, facts: RequestFacts, createdAt: number): void {
    this.requests.put(id, { ...facts, id, account, createdAt, deleted: false, state: 'draft' });
  }

  request(id: string): StoredRequest | undefined {
    return this.requests.get(id);
  }

  /** Every request of an account, the newest first. */
  requestsOf(account: string): readonly StoredRequest[] {
    return this.requests
      .all()
      .filter((each) => each.account === account && !each.deleted)
      .reverse();
  }

  /** Deletes everything but clients, their tokens, messages and callbacks. */
  reset(): void {
    for (const table of [this.documents, this.requests, this.people, this.codes]) table.clear();
    this.#bytes.clear();
    this.#completed.clear();
  }

  /** Ids of requests in a state, oldest first. */
  requestsIn(state: RequestState): readonly string[] {
    return this.requests.all().flatMap((each) => (each.state === state && !each.deleted ? [each.id] : []));
  }

  addSignatory(id: string, requestId: string, facts: SignatoryFacts, createdAt: number): void {
    const fresh = { state: 'waiting', link: null, actedAt: null } as const;
    this.people.add((position) => ({ ...facts, ...fresh, id, requestId, createdAt, position }));
  }

  /** The signatories of a request in the order in which they were added. */
  signatories(requestId: string): readonly StoredSignatory[] {
    return this.people.all().filter((each) => each.requestId === requestId);
  }

  addCompleted(requestId: string, files: readonly CompletedFile[]): void {
    this.#completed.put(requestId, files);
  }

  /** The completed files of a request, in the order of its documents. */
  completed(requestId: string): readonly CompletedFile[] {
    return this.#completed.get(requestId) ?? [];
  }
}
