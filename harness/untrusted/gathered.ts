/** Gathers a body that comes in parts. A stranger may send tiny parts, and each costs hundreds of bytes besides its own. */

/** How many parts are held before they are joined. */
const mostParts = 1_024;

export class Gathered {
  readonly #large: Buffer[] = [];
  readonly #latest: Buffer[] = [];

  add(part: Buffer): void {
    this.#latest.push(part);
    if (this.#latest.length === mostParts) this.#large.push(Buffer.concat(this.#latest.splice(0)));
  }

  /** All bytes that came; they are not kept here any longer. */
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
