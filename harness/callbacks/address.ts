/** One callback address of the listener: its deliveries, the waits for them, and how it answers. */
import { monotonicMs } from '../../record/clock.ts';
import type { Delivery } from '../../record/delivery.ts';
import { type CallbackSettings, graceDefaults } from '../profile/callback-settings.ts';
import { withinTime } from '../untrusted/deadline.ts';
import type { RefusalReason } from './limits.ts';

/** The name of the address by which the listener tries out its public URL; calls to it are no deliveries of the run. */
export const selfCallName = 'self-call';

export type Address = Omit<OpenAddress, Listening | Delivering>;
type Listening = 'requestIds' | 'open' | 'looked' | 'nextAnswer';
type Delivering = 'begun' | 'begin' | 'store' | 'refuse';

/** If a delivery is still in flight at the end of a silence, it is awaited for so long. */
const inFlightMs = 5_000;
/** The longest wait for a silence, as a multiple of the silence: a target may send without end. */
const lullTimes = 3;

/** Query parameters by name; one with several values is repeated. */
type Query = Readonly<Record<string, string | readonly string[]>>;

/** Query parameters of each CallbackUrl, to show whether its query is kept: one to encode, one that stands twice. */
export const shownInQuery = (flow: string): Query => ({ flow: `${flow} & more`, note: ['', 'twice'] });

/** What an address needs of the listener behind it. */
export interface Desk {
  /** Looks again at deliveries whose address is not known: one may name this id. */
  look(requestId: string): void;
  /** Deliveries in flight on the shared URL: each may turn out to belong to any address. */
  sharedInFlight(): number;
  /** Deliveries refused on the shared URL: some may have belonged to any address. */
  readonly sharedRefused: number;
}

export class OpenAddress {
  /** The name that it was opened by. */
  readonly check: string;
  /** The URL for CallbackUrl. */
  readonly url: string;
  readonly requestIds = new Set<string>();
  /** Deliveries received or being received: the limit holds for both together. */
  begun = 0;
  open = true;
  /** Indexes of the deliveries that were there at the last look: later ones were not judged. */
  looked: readonly number[] = [];
  readonly #desk: Desk;
  readonly #deliveries: Delivery[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #counts: Record<string, number> = {};
  #busy = 0;
  #away = 0;

  constructor(name: string, url: string, desk: Desk) {
    this.check = name;
    this.url = url;
    this.#desk = desk;
  }

  /** The same URL with more query parameters, which stand before its own. */
  urlWith(query: Query): string {
    return withQuery(this.url, query);
  }

  /** Claims deliveries that name this request id; needed where all addresses share one URL. */
  claim(requestId: string): void {
    this.requestIds.add(requestId);
    this.#desk.look(requestId);
  }

  /** Answers the next `times` deliveries with 503, as if nobody were there; later ones with 200. */
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

  refused() {
    const { sharedRefused: shared } = this.#desk;
    return { counts: { ...this.#counts }, shared };
  }

  /** Waits for a silence of `ms`. Gives no deliveries if nothing came, or else the first that came, at once. */
  async quiet(ms: number): Promise<readonly Delivery[]> {
    const seen = this.#deliveries.length;
    let deliveries = await this.next(seen, ms);
    const inFlight = this.#busy + this.#desk.sharedInFlight();
    if (deliveries.length <= seen && inFlight > 0) deliveries = await this.next(seen, inFlightMs);
    return deliveries.slice(seen);
  }

  /**
   * Waits until nothing has arrived for `grace.silenceMs`, at most three times as long: a target that sends an event
   * before its act has sent it by then. If event 1 is due before completion, it is awaited first, since it shows how
   * slow the target is.
   */
  async lull({ grace, requestReceived = 'completion' }: CallbackSettings): Promise<void> {
    const { arrivalMs, silenceMs } = { ...graceDefaults, ...grace };
    if (requestReceived !== 'completion') await this.next(0, arrivalMs);
    const untilMs = monotonicMs() + lullTimes * silenceMs;
    for (let leftMs = silenceMs; leftMs > 0; leftMs = Math.min(silenceMs, untilMs - monotonicMs())) {
      if ((await this.quiet(leftMs)).length === 0) return;
    }
  }

  /** Waits for more than `seen` deliveries, the deadline, or the closing of the address; gives all that are there. */
  async next(seen: number, deadlineMs: number): Promise<readonly Delivery[]> {
    const untilMs = monotonicMs() + deadlineMs;
    let leftMs = deadlineMs;
    while (this.#deliveries.length <= seen && leftMs > 0 && this.open) {
      let wake = () => {};
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      this.#waiting.add(wake);
      await withinTime(leftMs, woken, () => undefined);
      this.#waiting.delete(wake);
      leftMs = untilMs - monotonicMs();
    }
    return this.deliveries();
  }

  /** Notes that a delivery begins; returns the function to call when it is over. */
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

  /** From now on answers 404, and ends every wait. Its deliveries stay readable. */
  close(): void {
    this.open = false;
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

/** A URL with more query parameters before its own. */
export function withQuery(url: string, query: Query): string {
  const [path = '', own] = url.split('?');
  const fields = Object.entries(query).flatMap(([name, given]) =>
    [given].flat().map((value) => [name, value]),
  );
  const all = [new URLSearchParams(fields).toString(), own].filter(Boolean).join('&');
  return all === '' ? path : `${path}?${all}`;
}
