/** One callback address on the side of the listener: what it took, who waits for it, how it answers. */

import type { Delivery } from '../../record/delivery.ts';
import type { RefusalReason } from './limits.ts';
import { type Quiet, quietFor, waitFor } from './watch.ts';

/** A callback address as a check sees it. */
export type Address = Pick<
  OpenAddress,
  | 'check'
  | 'url'
  | 'urlWith'
  | 'claim'
  | 'away'
  | 'deliveries'
  | 'refused'
  | 'wait'
  | 'quiet'
  | 'next'
  | 'inFlight'
  | 'close'
>;

/** What was refused: how many for each reason. */
export interface Refused {
  readonly counts: Readonly<Record<string, number>>;
  /** Refused on the URL that all addresses share, before it was known to whom they belong. */
  readonly shared: number;
}

/** What an address needs of the listener behind it. */
export interface Desk {
  /** Looks at the deliveries again that nobody has claimed. */
  look(): void;
  /** Deliveries in flight on the shared URL: each may turn out to belong to any address. */
  sharedInFlight(): number;
  /** Deliveries refused on the shared URL: some may have belonged to any address. */
  readonly sharedRefused: number;
}

export class OpenAddress {
  readonly check: string;
  /** What goes into CallbackUrl. */
  readonly url: string;
  readonly requestIds = new Set<string>();
  /** Deliveries taken or being taken: the limit holds for both together. */
  begun = 0;
  open = true;
  /** What was there when somebody last looked: what came later was judged by nobody. */
  looked: readonly number[] = [];
  readonly #desk: Desk;
  readonly #deliveries: Delivery[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #counts: Record<string, number> = {};
  #busy = 0;
  #away = 0;

  constructor(check: string, url: string, desk: Desk) {
    this.check = check;
    this.url = url;
    this.#desk = desk;
  }

  /** The same URL with more query parameters; what the caller gives stands first. */
  urlWith(query: Readonly<Record<string, string>>): string {
    const [path = '', own] = this.url.split('?');
    const given = new URLSearchParams(query).toString();
    return `${path}?${[given, own].filter(Boolean).join('&')}`;
  }

  /** Names a request id whose deliveries belong here; needed where all addresses share one URL. */
  claim(requestId: string): void {
    this.requestIds.add(requestId);
    this.#desk.look();
  }

  /** The next so many deliveries are answered with 503, as by somebody who is away; those after them with 200. */
  away(times: number): void {
    this.#away = times;
  }

  /** The status of the next answer. */
  nextAnswer(): number {
    if (this.#away === 0) return 200;
    this.#away -= 1;
    return 503;
  }

  deliveries(): readonly Delivery[] {
    this.looked = this.#deliveries.map(({ index }) => index);
    return [...this.#deliveries];
  }

  refused(): Refused {
    const { sharedRefused: shared } = this.#desk;
    return { counts: { ...this.#counts }, shared };
  }

  /** All deliveries as soon as the predicate holds; at the deadline those that are there. */
  wait(
    predicate: (deliveries: readonly Delivery[]) => boolean,
    options: { readonly deadlineMs: number },
  ): Promise<readonly Delivery[]> {
    return waitFor(this, predicate, options);
  }

  /** The deliveries that broke a silence of `ms`; empty when it was kept. */
  quiet(ms: number, options?: Quiet): Promise<readonly Delivery[]> {
    return quietFor(this, ms, options);
  }

  async next(seen: number, deadlineMs: number): Promise<readonly Delivery[]> {
    if (this.#deliveries.length <= seen && deadlineMs > 0 && this.open) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          this.#waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, deadlineMs);
        this.#waiting.add(wake);
      });
    }
    return this.deliveries();
  }

  inFlight(): number {
    return this.#busy + this.#desk.sharedInFlight();
  }

  /** A delivery begins; returns what is to be called when it is over. */
  begin(): () => void {
    this.begun++;
    this.#busy++;
    return () => {
      this.#busy--;
    };
  }

  store(delivery: Delivery): void {
    this.#deliveries.push(delivery);
    this.#wake();
  }

  refuse(reason: RefusalReason): void {
    this.#counts[reason] = (this.#counts[reason] ?? 0) + 1;
  }

  /** Answers 404 from now on, and ends every wait. What it took stays readable. */
  close(): void {
    this.open = false;
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
