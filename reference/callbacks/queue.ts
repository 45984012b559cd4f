/** The queue of callbacks. Each stays in the database until it was answered with 2xx, so it is delivered at least once. */
import { randomInt } from 'node:crypto';
import type { EventCode } from '../../openapi/codes.ts';
import type { Database, Row } from '../database.ts';
import type { Dialect } from '../dialect.ts';
import { newId } from '../ids.ts';

export interface Notification {
  readonly requestId: string;
  readonly event: EventCode;
  /** Position of the signatory that an event 2 is about. */
  readonly signatory: number | null;
  readonly url: string;
}

export interface Delivery extends Notification {
  readonly id: number;
  /** Equal for every repetition. */
  readonly deliveryId: string;
  /** When the event happened, in milliseconds since 1970. */
  readonly at: number;
  readonly attempts: number;
  readonly nextAt: number;
}

/** How a delivery ended; a `refused` one was never sent, because of its destination. */
type DeliveryEnd = 'delivered' | 'given-up' | 'refused';

type DeliveryState = DeliveryEnd | 'pending';

/** How long a callback is held back. */
export function callbackDelayMs({ callbackDelayMs: least, callbackJitterMs: more }: Dialect): number {
  return more > 0 ? least + randomInt(more + 1) : least;
}

export class Callbacks {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #delayMs: () => number;
  #wake: () => void = () => undefined;

  constructor(database: Database, now: () => number, delayMs: () => number) {
    this.#database = database;
    this.#now = now;
    this.#delayMs = delayMs;
  }

  /** What the receiver answered last, by the id of the callback: a status, or why there was none. Not stored. */
  readonly answers = new Map<number, number | string>();

  /** Sets the function to call whenever there is something new to send. */
  onNew(wake: () => void): void {
    this.#wake = wake;
  }

  /** Adds a callback, `times` times with the same delivery id. */
  add({ requestId, event, signatory, url }: Notification, times: number): void {
    const deliveryId = newId('uuid', '');
    const at = this.#now();
    for (let count = 0; count < times; count += 1) {
      const about = { delivery_id: deliveryId, request_id: requestId, event, signatory, url };
      this.#database.put('delivery', { ...about, at, next_at: at + this.#delayMs() });
    }
    this.#wake();
  }

  /** Everything that is still to be sent, in the order of the events. */
  pending(): readonly Delivery[] {
    return this.#database.all("SELECT * FROM delivery WHERE state = 'pending' ORDER BY id").map(deliveryOf);
  }

  end({ id }: Delivery, state: DeliveryEnd): void {
    this.#database.run('UPDATE delivery SET state = ?, attempts = attempts + 1 WHERE id = ?', state, id);
  }

  repeat({ id }: Delivery, afterMs: number): void {
    const sql = 'UPDATE delivery SET attempts = attempts + 1, next_at = ? WHERE id = ?';
    this.#database.run(sql, this.#now() + afterMs, id);
  }

  /** All callbacks, or those of a request, in the order of the events. */
  all(requestId?: string): readonly (Delivery & { readonly state: DeliveryState })[] {
    const one = requestId === undefined ? [] : [requestId];
    const which = one.length > 0 ? 'WHERE request_id = ?' : '';
    const rows = this.#database.all(`SELECT * FROM delivery ${which} ORDER BY id`, ...one);
    return rows.map((row) => ({ ...deliveryOf(row), state: row.state as DeliveryState }));
  }

  /** Sends a callback again now; returns whether there is one with this id. */
  again(id: number): boolean {
    const sql = "UPDATE delivery SET state = 'pending', next_at = ? WHERE id = ?";
    const found = this.#database.run(sql, this.#now(), id) > 0;
    this.#wake();
    return found;
  }

  /** The states of the callbacks of a request, in the order of the events. */
  history(requestId: string): readonly { event: number; state: string; attempts: number }[] {
    const sql = 'SELECT event, state, attempts FROM delivery WHERE request_id = ? ORDER BY id';
    return this.#database.all(sql, requestId).map((row) => ({
      event: Number(row.event),
      state: String(row.state),
      attempts: Number(row.attempts),
    }));
  }
}

function deliveryOf(row: Row): Delivery {
  return {
    id: Number(row.id),
    deliveryId: String(row.delivery_id),
    requestId: String(row.request_id),
    event: Number(row.event) as EventCode,
    signatory: row.signatory === null ? null : Number(row.signatory),
    url: String(row.url),
    at: Number(row.at),
    attempts: Number(row.attempts),
    nextAt: Number(row.next_at),
  };
}
