/** Deliveries of which it is not known whose they are: kept until somebody claims their request id, or turned away. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Moment, moment, monotonicMs } from '../../record/clock.ts';
import { type Delivery, type Recorded, recordOf, senderOf } from '../../record/delivery.ts';
import type { OpenAddress } from './address.ts';
import { answer, dismiss } from './answers.ts';
import type { Tally } from './counts.ts';
import { discard, receive, type Usage } from './intake.ts';

export interface UnclaimedOptions {
  /** How long each is kept. */
  readonly heldMs: number;
  /** The address that claimed what a delivery names. */
  readonly claimant: (delivery: Delivery) => Promise<OpenAddress | undefined>;
  readonly found: (delivery: Delivery, address: OpenAddress) => Promise<void>;
  readonly forget: (delivery: Delivery) => void;
  readonly problem: (error: unknown) => void;
}

export class UnclaimedDeliveries {
  readonly #options: UnclaimedOptions;
  readonly #until = new Map<Delivery, number>();
  #timer: NodeJS.Timeout | undefined;
  #finding: Promise<void> = Promise.resolve();

  constructor(options: UnclaimedOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#until.size;
  }

  /** Keeps a delivery, and looks at once whether its id was claimed while it was answered. */
  async add(delivery: Delivery): Promise<void> {
    this.#until.set(delivery, monotonicMs() + this.#options.heldMs);
    this.#schedule();
    await this.#find(delivery);
  }

  /** Looks at all again, after an address has claimed a request id. */
  look(): void {
    for (const delivery of this.#until.keys()) void this.#find(delivery);
  }

  clear(): void {
    clearTimeout(this.#timer);
    for (const delivery of [...this.#until.keys()]) this.#drop(delivery);
  }

  /** Never rejects. One after the other: the first that finds it moves the file the second would be reading. */
  #find(delivery: Delivery): Promise<void> {
    const { claimant, found, problem } = this.#options;
    const find = async (): Promise<void> => {
      if (!this.#until.has(delivery)) return;
      const address = await claimant(delivery);
      if (address && this.#until.delete(delivery)) await found(delivery, address);
    };
    this.#finding = this.#finding.then(find).catch(problem);
    return this.#finding;
  }

  #drop(delivery: Delivery): void {
    if (this.#until.delete(delivery)) this.#options.forget(delivery);
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

/** Narrow limits of their own: strangers must not use up those of the checks. */
const limits = { bodyBytes: 16 * 1024 * 1024, bytes: 64 * 1024 * 1024, arrivalMs: 5_000 };
const heldMost = 200;

export interface MisdirectedOptions {
  /** False where nothing could tell whose they are: then no body is read. */
  readonly identifiable: boolean;
  readonly folder: string;
  readonly heldMs: number;
  readonly deliveriesPerCheck: number;
  readonly tally: Tally;
  readonly nextIndex: () => number;
  readonly claimant: (recorded: Recorded) => Promise<OpenAddress | undefined>;
  readonly store: (delivery: Delivery, address: OpenAddress) => Promise<void>;
}

/** A target may have cut or changed the URL that it was given: that is to be found out rather than lost. */
export class Misdirected {
  readonly #options: MisdirectedOptions;
  readonly #usage: Usage = { bytes: 0, memoryBytes: 0 };
  readonly #unclaimed: UnclaimedDeliveries;

  constructor(options: MisdirectedOptions) {
    this.#options = options;
    const { tally } = options;
    const problem = (error: unknown): void => tally.problem(error);
    const forget = ({ body }: Delivery): void => {
      discard(body, this.#usage).catch(problem);
    };
    this.#unclaimed = new UnclaimedDeliveries({
      heldMs: options.heldMs,
      claimant: options.claimant,
      problem,
      forget,
      found: async (delivery, address) => {
        if (address.begun >= options.deliveriesPerCheck) {
          forget(delivery);
          return;
        }
        tally.foreign--;
        tally.known('unknown-address');
        await options.store(delivery, address);
      },
    });
  }

  async take(request: IncomingMessage, response: ServerResponse, started: Moment): Promise<void> {
    const { identifiable, folder, tally, nextIndex, deliveriesPerCheck, store } = this.#options;
    tally.foreign++;
    // A body of unknown length may have no end.
    const isSmall = Number(request.headers['content-length']) <= limits.bodyBytes;
    const isRead = identifiable && isSmall && this.#unclaimed.size < heldMost;
    const received = isRead ? await receive(request, { limits, folder, usage: this.#usage }) : undefined;
    const notOurs = (): void => tally.strange('unknown-address', started, senderOf(request));
    if (!received?.whole) {
      notOurs();
      dismiss(request, response, 404, 'no check listens here');
      return;
    }
    const recorded = recordOf(nextIndex(), request, started, received);
    const address = await this.#options.claimant(recorded);
    if (address && address.begun < deliveriesPerCheck) {
      // Answered like any other: a target that has to repeat it would fall silent about all that follows.
      const answered = await answer(address.nextAnswer(), response);
      tally.foreign--;
      await store({ ...recorded, check: '', answered, finished: moment() }, address);
      return;
    }
    notOurs();
    dismiss(request, response, 404, 'no check listens here');
    const answered = { kind: 'status', status: 404 } as const;
    await this.#unclaimed.add({ ...recorded, check: '', answered, finished: moment() });
  }

  look(): void {
    this.#unclaimed.look();
  }

  clear(): void {
    this.#unclaimed.clear();
  }
}
