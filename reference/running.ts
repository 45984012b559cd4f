/** Work that continues after a call: the service ends only when it is done, and starts no more of it then. */
export class Running {
  readonly #work = new Set<Promise<void>>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #onError: (error: unknown) => void;

  /** @param onError called with errors of delayed work, which nobody awaits */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** The same promise, remembered until it is settled. */
  follow<Result>(work: Promise<Result>): Promise<Result> {
    const forget = () => {
      this.#work.delete(settled);
    };
    const settled: Promise<void> = work.then(forget, forget);
    this.#work.add(settled);
    return work;
  }

  /** Runs `work` after some time, unless the service was closed until then. */
  later(delayMs: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      try {
        work();
      } catch (error) {
        this.#onError(error);
      }
    }, delayMs);
    this.#timers.add(timer);
  }

  /** From now on no delayed work is started. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Resolves when everything that was followed is settled. */
  async end(): Promise<void> {
    await Promise.all(this.#work);
  }
}
