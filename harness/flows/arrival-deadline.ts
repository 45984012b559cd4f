/** Until when an event that is missing may still arrive. */

/** Times the setting: a target that repeats one event for ever is not waited for as long. */
const times = 4;

/** A target that is still sending is slow, and nothing that it owes is missing yet: each arrival gives it more time. */
export class ArrivalDeadline {
  readonly #arrivalMs: number;
  readonly #lastMs: number;
  #untilMs: number;

  /**
   * @param causeMs monotonic time of what the events follow from
   * @param arrivalMs how long after its cause, or after the one before it, an event may arrive
   */
  constructor(causeMs: number, arrivalMs: number) {
    this.#arrivalMs = arrivalMs;
    this.#untilMs = causeMs + arrivalMs;
    this.#lastMs = causeMs + times * arrivalMs;
  }

  /** Takes note of an arrival. */
  arrived(atMs: number): void {
    this.#untilMs = Math.min(this.#lastMs, Math.max(this.#untilMs, atMs + this.#arrivalMs));
  }

  /** What is left of the time; 0 or less when it is up. */
  leftMs(nowMs: number): number {
    return this.#untilMs - nowMs;
  }
}
