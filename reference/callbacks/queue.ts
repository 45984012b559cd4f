/** The queue of callbacks. Each is kept until it was answered with 2xx, so it is delivered at least once. */
import { randomInt } from 'node:crypto';
import type { EventCode } from '../../openapi/codes.ts';
import type { Database, Table } from '../database.ts';
import type { Dialect } from '../dialect.ts';
import { newId } from '../ids.ts';

interface Notification {
  readonly requestId: string;
  readonly event: EventCode;
  /** Position of the signatory that an event 2 is about. */
  readonly signatory: number | null;
  readonly url: string;
}

export interface QueuedCallback extends Notification {
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

type StoredDelivery = QueuedCallback & { readonly state: DeliveryEnd | 'pending' };

/** How long a callback is held back. */
export function callbackDelayMs({ callbackDelayMs: least, callbackJitterMs: more }: Dialect): number {
  return more > 0 ? least + randomInt(more + 1) : least;
}

export class Callbacks {
  readonly #deliveries: Table<StoredDelivery>;
  readonly #now: () => number;
  readonly #delayMs: () => number;
  #wake: () => void = () => undefined;

  constructor(database: Database, now: () => number, delayMs: () => number) {
    this.#deliveries = database.table('delivery');
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
  add(about: Notification, times: number): void {
    const deliveryId = newId('uuid', '');
    const at = this.#now();
    const fresh = { ...about, deliveryId, at, state: 'pending', attempts: 0 } as const;
    for (let count = 0; count < times; count += 1)
      this.#deliveries.add((id) => ({ ...fresh, id, nextAt: at + this.#delayMs() }));
    this.#wake();
  }

  /** Everything that is still to be sent, in the order of the events. */
  pending(): readonly QueuedCallback[] {
    return this.#deliveries.all().filter(({ state }) => state === 'pending');
  }

  end({ id, attempts }: QueuedCallback, state: DeliveryEnd): void {
    // What is refused was never sent.
    this.#deliveries.change(id, { state, attempts: state === 'refused' ? attempts : attempts + 1 });
  }

  repeat({ id, attempts }: QueuedCallback, afterMs: number): void {
    this.#deliveries.change(id, { attempts: attempts + 1, nextAt: this.#now() + afterMs });
  }

  all(requestId?: string): readonly StoredDelivery[] {
    return this.#deliveries.all().filter((each) => (requestId ?? each.requestId) === each.requestId);
  }

  /** Sends a callback again now; returns whether there is one with this id. */
  again(id: number): boolean {
    const found = this.#deliveries.change(id, { state: 'pending', nextAt: this.#now() });
    this.#wake();
    return found;
  }

  clear(): void {
    this.#deliveries.clear();
  }
}
