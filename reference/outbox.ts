/** E-mail and SMS that the service would send: kept in an outbox that people and tests can read. */
import type { Database } from './database.ts';
import type { Message } from './double-types.ts';

export type Channel = Message['channel'];

export interface Mail extends Message {
  /** Milliseconds since 1970. */
  readonly sentAt: number;
}

export type StoredMail = Mail & { readonly id: number };

export class Outbox {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** Sends a mail now; fields that are left out stay empty. */
  send(
    mail: Pick<Mail, 'channel' | 'to' | 'kind' | 'requestId' | 'signatoryId' | 'text'> & Partial<Mail>,
  ): void {
    const bare = { subject: '', link: null, code: null, attachments: [], sentAt: this.#now() };
    this.#database.put('mail', { facts: JSON.stringify({ ...bare, ...mail }) });
  }

  /** At most 200 messages, the newest first; only those to `to`, about `requestId`, or with the id, where these are given. */
  read(
    wanted: { readonly to?: string; readonly requestId?: string; readonly id?: number } = {},
  ): readonly StoredMail[] {
    const rows = this.#database.all(
      `SELECT id, facts FROM mail
       WHERE (?1 IS NULL OR facts ->> 'to' = ?1 COLLATE NOCASE) AND (?2 IS NULL OR facts ->> 'requestId' = ?2)
         AND (?3 IS NULL OR id = ?3)
       ORDER BY id DESC LIMIT 200`,
      wanted.to ?? null,
      wanted.requestId ?? null,
      wanted.id ?? null,
    );
    return rows.map((row) => ({ ...(JSON.parse(String(row.facts)) as Mail), id: Number(row.id) }));
  }

  clear(): void {
    this.#database.run('DELETE FROM mail');
  }
}
