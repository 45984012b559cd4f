/** Deliveries to the one fixed URL whose request id nobody has claimed yet: kept for a while, then forgotten. */
import { monotonicMs } from './clock.ts';
import type { Delivery } from './delivery.ts';

export class HeldDeliveries {
  readonly #heldMs: number;
  readonly #forget: (delivery: Delivery) => void;
  readonly #until = new Map<Delivery, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(heldMs: number, forget: (delivery: Delivery) => void) {
    this.#heldMs = heldMs;
    this.#forget = forget;
  }

  add(delivery: Delivery): void {
    this.#until.set(delivery, monotonicMs() + this.#heldMs);
    this.#schedule();
  }

  get size(): number {
    return this.#until.size;
  }

  all(): readonly Delivery[] {
    return [...this.#until.keys()];
  }

  has(delivery: Delivery): boolean {
    return this.#until.has(delivery);
  }

  /** Takes one out; false when somebody else already did. */
  take(delivery: Delivery): boolean {
    return this.#until.delete(delivery);
  }

  clear(): void {
    clearTimeout(this.#timer);
    for (const delivery of this.all()) this.#drop(delivery);
  }

  #drop(delivery: Delivery): void {
    if (this.take(delivery)) this.#forget(delivery);
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
