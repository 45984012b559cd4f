/** E-mail and SMS that the service would send: kept in an outbox that people and tests can read. */
import type { Database, Table } from './database.ts';
import type { Message } from './double-types.ts';

export type Channel = Message['channel'];

interface Mail extends Message {
  /** Milliseconds since 1970. */
  readonly sentAt: number;
}

export type StoredMail = Mail & { readonly id: number };

export class Outbox {
  readonly #mails: Table<StoredMail>;
  readonly #now: () => number;
  readonly #delayMs: number;

  /** @param delayMs how long a mail is under way, before which nobody can read it */
  constructor(database: Database, now: () => number, delayMs = 0) {
    this.#mails = database.table('mail');
    this.#now = now;
    this.#delayMs = delayMs;
  }

  /** Sends a mail now; fields that are left out stay empty. */
  send(
    mail: Pick<Mail, 'channel' | 'to' | 'kind' | 'requestId' | 'signatoryId' | 'text'> & Partial<Mail>,
  ): void {
    const bare = { subject: '', link: null, code: null, attachments: [], sentAt: this.#now() };
    this.#mails.add((id) => ({ ...bare, ...mail, id }));
  }

  /** At most 200 messages, the newest first; only those to `to`, about `requestId`, or with the id, where these are given. */
  read(
    wanted: { readonly to?: string; readonly requestId?: string; readonly id?: number } = {},
  ): readonly StoredMail[] {
    const { id, requestId, to = '' } = wanted;
    const arrivedBy = this.#now() - this.#delayMs;
    const fits = (mail: StoredMail) =>
      mail.sentAt <= arrivedBy &&
      (id ?? mail.id) === mail.id &&
      (requestId ?? mail.requestId) === mail.requestId &&
      (wanted.to === undefined || to.toLowerCase() === mail.to.toLowerCase());
    return this.#mails.all().filter(fits).slice(-200).reverse();
  }

  clear(): void {
    this.#mails.clear();
  }
}
