/** Requests that take signatories of several checks: how many each has room for, and when another one is made. */
import { CouldNotRun } from './could-not-run.ts';

interface Room {
  readonly requestId: string;
  left: number;
}

export class Rooms {
  readonly #limit: number;
  readonly #open: () => Promise<string>;
  readonly #rooms: Room[] = [];
  /** Stays when no request could be made: whoever comes later is told the same. */
  #opening: Promise<void> | null = null;

  /**
   * @param limit signatories that a request may have
   * @param open makes a request and gives its id
   */
  constructor(limit: number, open: () => Promise<string>) {
    this.#limit = limit;
    this.#open = open;
  }

  /**
   * The id of a request with room for `count` more signatories, which is taken.
   * @throws CouldNotRun when no request has that much, or what `open` throws
   */
  async take(count: number): Promise<string> {
    if (count > this.#limit) {
      throw new CouldNotRun(
        `needs a request with ${count} signatories, but limits.signatories is ${this.#limit}`,
      );
    }
    for (;;) {
      const room = this.#rooms.find(({ left }) => left >= count);
      if (room) {
        room.left -= count;
        return room.requestId;
      }
      this.#opening ??= this.#open().then((requestId) => {
        this.#rooms.push({ requestId, left: this.#limit });
        this.#opening = null;
      });
      await this.#opening;
    }
  }

  /** Somebody was refused: their place can be had by another one. */
  giveBack(requestId: string | undefined): void {
    const room = this.#rooms.find((each) => each.requestId === requestId);
    if (room) room.left = Math.min(this.#limit, room.left + 1);
  }
}
