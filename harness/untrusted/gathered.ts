/** A body that comes in parts, of which a stranger says how small they are: each one takes hundreds of bytes beside its own. */

/** Parts that are held until they are put together. */
const mostParts = 1_024;

export class Gathered {
  readonly #large: Buffer[] = [];
  readonly #latest: Buffer[] = [];

  add(part: Buffer): void {
    this.#latest.push(part);
    if (this.#latest.length === mostParts) this.#large.push(Buffer.concat(this.#latest.splice(0)));
  }

  /** All that came, which is forgotten here. */
  take(): Buffer {
    const all = Buffer.concat([...this.#large, ...this.#latest]);
    this.forget();
    return all;
  }

  forget(): void {
    this.#large.length = 0;
    this.#latest.length = 0;
  }
}
