/** Work that goes on beyond a call, so that the service can end when it is done. */
export class Running {
  readonly #work = new Set<Promise<void>>();

  /** The same promise, remembered until it is settled. */
  follow<Result>(work: Promise<Result>): Promise<Result> {
    const settled: Promise<void> = work.then(
      () => this.#forget(settled),
      () => this.#forget(settled),
    );
    this.#work.add(settled);
    return work;
  }

  /** Resolves when everything that was followed is settled. */
  async end(): Promise<void> {
    await Promise.all(this.#work);
  }

  #forget(settled: Promise<void>): void {
    this.#work.delete(settled);
  }
}
