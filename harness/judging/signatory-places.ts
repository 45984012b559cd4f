/** Requests that checks share to add signatories: how many each has room for, and when another one is made. */
import { CouldNotRun } from '../../record/errors.ts';
import { limitsByDefault, type Profile } from '../profile/schema.ts';

interface WithPlaces {
  readonly requestId: string;
  left: number;
  /** When it was first given out, by `performance.now()`. */
  takenAt?: number;
}

interface PlacesOptions {
  /** Signatories that a request may have. */
  readonly limit: number;
  /** Signatories that a request gets; as many as it may have by default. */
  readonly places?: number;
  /** For how long a request takes more signatories after its first one; for ever by default. */
  readonly openForMs?: number;
  /** Makes a request and gives its id. */
  readonly open: () => Promise<string>;
}

export class SignatoryPlaces {
  readonly #options: PlacesOptions;
  readonly #places: number;
  readonly #requests: WithPlaces[] = [];
  /** Calls under way that should be refused. */
  readonly #guests = new Set<Promise<void>>();
  /** How many places callers are waiting for. */
  #wanted = 0;
  /** Requests that are being made. It stays after an error, so that later callers get the same error. */
  #opening: Promise<void> | null = null;

  constructor(options: PlacesOptions) {
    this.#options = options;
    this.#places = options.places ?? options.limit;
  }

  /**
   * Takes room for `count` more signatories in a request, and gives its id.
   * @throws CouldNotRun when no request has that much room, or what `open` throws
   */
  async take(count: number): Promise<string> {
    const { limit } = this.#options;
    if (count > limit)
      throw new CouldNotRun(`needs a request with ${count} signatories, but limits.signatories is ${limit}`);
    this.#wanted += count;
    try {
      return await this.#taken(count);
    } finally {
      this.#wanted -= count;
    }
  }

  /**
   * Makes a call that should be refused, to a request that already has somebody: a service may check only first
   * additions. The call takes a place, since it may be accepted. It waits while other such calls hold all places; if
   * none of them comes back, it goes to any request with room.
   */
  async beside<T>(call: (requestId: string) => Promise<T>, isRefused: (answer: T) => boolean): Promise<T> {
    let company: WithPlaces | undefined;
    for (;;) {
      company = this.#requests.find((each) => each.takenAt !== undefined && this.#hasRoom(each, 1));
      const [guest] = this.#guests;
      if (company || !guest) break;
      await guest;
    }
    const requestId = company?.requestId ?? (await this.take(1));
    if (company) company.left -= 1;
    const answering = call(requestId);
    const guest = answering.then(
      (answer) => {
        this.#guests.delete(guest);
        if (isRefused(answer)) this.giveBack(requestId);
      },
      () => void this.#guests.delete(guest),
    );
    this.#guests.add(guest);
    return answering;
  }

  async #taken(count: number): Promise<string> {
    for (;;) {
      // A call that adds nobody gets the first request, even if it is full, so that a replay asks for the same one.
      const room = this.#requests.find((each) =>
        this.#hasRoom(each, count === 0 ? 0 : count + this.#kept(each)),
      );
      if (room) {
        room.left -= count;
        room.takenAt ??= performance.now();
        return room.requestId;
      }
      this.#opening ??= this.#openSome().then(() => {
        this.#opening = null;
      });
      await this.#opening;
    }
  }

  /** Opens several requests at once for many callers, but half of what they need: refused additions give places back. */
  async #openSome(): Promise<void> {
    const count = Math.max(1, Math.floor(this.#wanted / this.#places / 2));
    const ends = await Promise.allSettled(Array.from({ length: count }, this.#options.open));
    const opened = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    for (const requestId of opened) this.#requests.push({ requestId, left: this.#places });
    if (opened.length === 0) for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  /** How many places a request keeps for calls that should be refused: one in the first request. */
  #kept(request: WithPlaces): number {
    return request === this.#requests[0] && this.#places > 1 ? 1 : 0;
  }

  #hasRoom({ left, takenAt }: WithPlaces, count: number): boolean {
    const { openForMs = Number.POSITIVE_INFINITY } = this.#options;
    return left >= count && (takenAt === undefined || performance.now() - takenAt < openForMs);
  }

  /** Somebody was refused, so their place is free for another one. */
  giveBack(requestId: string | undefined): void {
    const room = this.#requests.find((each) => each.requestId === requestId);
    if (room) room.left = Math.min(this.#places, room.left + 1);
  }
}

/**
 * Places as the profile allows them. If requests are sent by themselves after some time, each is used during the
 * first half of it. In a replay one request serves all: how many a run makes depends on timing, and the recording has
 * no others.
 */
export function placesFor(
  { limits, signing }: Profile,
  open: () => Promise<string>,
  { replays }: { readonly replays: boolean },
  places?: number,
): SignatoryPlaces {
  const limit = limits?.signatories ?? limitsByDefault.signatories;
  if (replays) return new SignatoryPlaces({ limit, open, places: Number.POSITIVE_INFINITY });
  const openForMs = signing?.send === 'delay' ? (signing.delayMs ?? 0) / 2 : Number.POSITIVE_INFINITY;
  return new SignatoryPlaces({ limit, open, openForMs, places });
}
