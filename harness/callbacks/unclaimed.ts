/** Deliveries of which it is not known whose they are: kept until somebody claims their request id, or forgotten. */

import { monotonicMs } from '../../record/clock.ts';
import type { Delivery } from '../../record/delivery.ts';
import type { OpenAddress } from './address.ts';

export interface UnclaimedOptions {
  /** How long each is kept. */
  readonly heldMs: number;
  /** The address that claimed what a delivery names. */
  readonly claimant: (delivery: Delivery) => Promise<OpenAddress | undefined>;
  readonly found: (delivery: Delivery, address: OpenAddress) => Promise<void>;
  readonly forget: (delivery: Delivery) => Promise<void>;
  readonly problem: (error: unknown) => void;
}

export class UnclaimedDeliveries {
  readonly #options: UnclaimedOptions;
  readonly #until = new Map<Delivery, number>();
  #timer: NodeJS.Timeout | undefined;
  #finding: Promise<void> = Promise.resolve();

  constructor(options: UnclaimedOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#until.size;
  }

  /** Keeps a delivery, and looks at once whether its id was claimed while it was answered. */
  async add(delivery: Delivery): Promise<void> {
    this.#until.set(delivery, monotonicMs() + this.#options.heldMs);
    this.#schedule();
    await this.#find(delivery);
  }

  /** Looks at all again, after an address has claimed a request id. */
  look(): void {
    for (const delivery of this.#until.keys()) void this.#find(delivery);
  }

  clear(): void {
    clearTimeout(this.#timer);
    for (const delivery of [...this.#until.keys()]) this.#drop(delivery);
  }

  /** Never rejects. One after the other: the first that finds it moves the file the second would be reading. */
  #find(delivery: Delivery): Promise<void> {
    const { claimant, found, problem } = this.#options;
    const find = async (): Promise<void> => {
      if (!this.#until.has(delivery)) return;
      const address = await claimant(delivery);
      if (address && this.#until.delete(delivery)) await found(delivery, address);
    };
    this.#finding = this.#finding.then(find).catch(problem);
    return this.#finding;
  }

  #drop(delivery: Delivery): void {
    const { forget, problem } = this.#options;
    if (this.#until.delete(delivery)) forget(delivery).catch(problem);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const [first] = this.#until.values();
    if (first === undefined) return;
    this.#timer = setTimeout(() => this.#expire(), Math.max(1, first - monotonicMs()));
    this.#timer.unref();
  }

  #expire(): void {
    const now = monotonicMs();
    for (const [delivery, until] of [...this.#until]) {
      if (until <= now) this.#drop(delivery);
    }
    this.#schedule();
  }
}
