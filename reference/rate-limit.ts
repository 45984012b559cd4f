/** Limits the calls of an account; the document shows no limit, so there is none by default. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #windows = new Map<string, { second: number; calls: number }>();

  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Whether one more call of the account is allowed in this second; counts it. */
  take(account: string): boolean {
    if (this.#perSecond === 0) return true;
    const second = Math.floor(this.#now() / 1000);
    const window = this.#windows.get(account);
    const calls = window?.second === second ? window.calls + 1 : 1;
    this.#windows.set(account, { second, calls });
    return calls <= this.#perSecond;
  }
}
