/** How many calls may be under way, how many a second, and when a dead target ends the run early. */

export interface BudgetOptions {
  /** Calls at the same time; at least 1. */
  readonly inFlight: number;
  /** Calls a second at most; absent: no limit. */
  readonly perSecond?: number | undefined;
}

/** Thrown instead of a call once the breaker is open. */
export class BreakerOpen extends Error {
  override readonly name = 'BreakerOpen';
}

/** Calls in a row without any answer after which the target is taken as gone for good. */
const failuresUntilOpen = 12;

export class Budget {
  readonly #inFlight: number;
  readonly #intervalMs: number;
  readonly #waiting: (() => void)[] = [];
  #active = 0;
  #nextAt = 0;
  #pauseUntil = 0;
  #answered = false;
  #failures = 0;
  #open: string | null = null;

  constructor(options: BudgetOptions) {
    this.#inFlight = options.inFlight;
    this.#intervalMs = options.perSecond ? 1000 / options.perSecond : 0;
  }

  /**
   * Runs one call when its turn has come.
   * @throws BreakerOpen when the target is taken as gone
   */
  async run<T>(call: () => Promise<T>): Promise<T> {
    await this.#turn();
    try {
      if (this.#open) throw new BreakerOpen(this.#open);
      return await call();
    } finally {
      this.#active -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Holds all calls back for a while, as a target asks for with 429 or 503 and Retry-After. */
  pause(ms: number): void {
    this.#pauseUntil = Math.max(this.#pauseUntil, performance.now() + ms);
  }

  /** Notes that the target answered, with whatever status. */
  answered(): void {
    this.#answered = true;
    this.#failures = 0;
  }

  /**
   * Notes that a call got no answer. The breaker opens at once when nothing ever answered and the failure is
   * one that another try would not mend; else after a row of failures.
   */
  failed(reason: string, final: boolean): void {
    this.#failures += 1;
    if ((final && !this.#answered) || this.#failures >= failuresUntilOpen) this.#open ??= reason;
  }

  async #turn(): Promise<void> {
    while (this.#active >= this.#inFlight) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#active += 1;
    const now = performance.now();
    const at = Math.max(now, this.#nextAt, this.#pauseUntil);
    this.#nextAt = at + this.#intervalMs;
    if (at > now && !this.#open) await new Promise((resolve) => setTimeout(resolve, at - now));
  }
}
