/** Limits on calls: how many at the same time, how many a second, for how long, and when a dead target ends the run early. */
import { withinTime } from '../../untrusted/deadline.ts';
import { limits } from '../../untrusted/limits.ts';
import { pause } from './pause.ts';

interface BudgetOptions {
  /** Calls at the same time; at least 1. */
  readonly inFlight: number;
  /** Calls a second at most; absent: no limit. */
  readonly perSecond?: number;
  /** Nothing is sent any more after this time, in milliseconds; absent: no limit. */
  readonly withinMs?: number;
}

/** Thrown instead of a call once the breaker is open. */
export class BreakerOpen extends Error {
  override readonly name = 'BreakerOpen';
}

/**
 * After so many calls in a row without any answer, over at least this time, the target is taken as gone for good. A
 * restart or a burst of resets is over sooner, even if many calls in flight soon reach the number; calls that hang
 * until their deadline are few.
 */
const untilOpen = [
  { failures: 12, ms: 3_000 },
  { failures: 4, ms: 15_000 },
];

/**
 * The distance between two calls, once the target has asked for a pause as services with a limit a second do. It
 * grows with each pause and shrinks with each answer, in the end to nothing, so that the pace gets close to what the
 * target accepts.
 */
const distance = { firstMs: 20, leastMs: 1, mostMs: 250, grows: 1.5, shrinks: 0.99 };

/** A wait is cut into pieces of this length, since the run may have been stopped meanwhile. */
const longestWaitMs = 250;

export class Budget {
  readonly #inFlight: number;
  readonly #intervalMs: number;
  readonly #waiting: (() => void)[] = [];
  /** Calls that go before those in `#waiting`. */
  readonly #ahead: (() => void)[] = [];
  /** Calls wait in this chain to send, one after the other. */
  #line = Promise.resolve();
  #active = 0;
  /** Calls under way that wait for something else, and have given their place to others. */
  #away = 0;
  #nextAt = 0;
  #pauseUntil = 0;
  #distanceMs = 0;
  /** How long the target asked to be left alone, all in all. */
  #pausedMs = 0;
  readonly #withinMs: number;
  readonly #since = performance.now();
  #answered = false;
  #failures = 0;
  #failingSince = 0;
  #open: string | null = null;
  readonly #idle: (() => void)[] = [];

  constructor(options: BudgetOptions) {
    this.#inFlight = options.inFlight;
    this.#intervalMs = options.perSecond ? 1000 / options.perSecond : 0;
    this.#withinMs = options.withinMs ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Makes one call when its turn has come. The call awaits `pace()` each time before it sends something.
   * @param ahead whether other work waits for this call: such calls go before the others
   * @throws BreakerOpen when the target is taken as gone
   */
  async run<T>(call: () => Promise<T>, ahead = false): Promise<T> {
    const line = ahead ? this.#ahead : this.#waiting;
    if (this.#active >= this.#inFlight) await new Promise<void>((resolve) => line.push(resolve));
    else this.#active += 1;
    try {
      return await call();
    } finally {
      this.#leave();
    }
  }

  /** Lends the place of a waiting call, then gets the next free one; ends early if nothing is sent any more. */
  async away(ms: number): Promise<void> {
    this.#away += 1;
    this.#leave();
    for (let leftMs = ms; leftMs > 0 && !this.#open; leftMs -= longestWaitMs)
      await pause(Math.min(leftMs, longestWaitMs));
    this.#away -= 1;
    if (this.#active >= this.#inFlight) await new Promise<void>((resolve) => this.#ahead.unshift(resolve));
    else this.#active += 1;
  }

  #leave(): void {
    // The place goes straight to the next in line, so that no other call takes it in between.
    const next = this.#ahead.shift() ?? this.#waiting.shift();
    if (next) next();
    else this.#active -= 1;
    if (this.#isIdle) for (const tell of this.#idle.splice(0)) tell();
  }

  get #isIdle(): boolean {
    return this.#active === 0 && this.#away === 0;
  }

  /** Resolves when no call is under way any more, or after `ms`. */
  async idle(ms: number): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#idle.push(resolve));
    if (!this.#isIdle) await withinTime(ms, ended, () => undefined);
  }

  /** Waits until something may be sent, by the rate and the target's wishes. @throws BreakerOpen when it is taken as gone */
  async pace(): Promise<void> {
    this.#line = this.#line.then(() => this.#moment());
    await this.#line;
    this.assertSends();
  }

  /** @throws BreakerOpen when nothing is sent any more */
  assertSends(): void {
    if (this.#open) throw new BreakerOpen(this.#open);
  }

  /** Holds all calls back for a while, as a target asks by Retry-After with 429 or 503. */
  pause(ms: number): void {
    const now = performance.now();
    const since = Math.max(this.#pauseUntil, now);
    // Calls that were under way together ask for one pause.
    if (since === now) {
      const longer = Math.max(distance.firstMs, this.#distanceMs * distance.grows);
      this.#distanceMs = Math.min(longer, distance.mostMs);
    }
    this.#pauseUntil = Math.max(since, now + ms);
    this.#pausedMs += this.#pauseUntil - since;
    if (this.#pausedMs > limits.askedMs.most)
      this.giveUp(`the target asked for pauses of ${minutes(this.#pausedMs)} in all`);
  }

  /** Whether nothing is sent any more. */
  get isOver(): boolean {
    return this.#open !== null;
  }

  /** Lets nobody send any more for the rest of the run. */
  giveUp(reason: string): void {
    this.#open ??= reason;
  }

  /** Notes that the target answered, with whatever status. */
  answered(): void {
    this.#answered = true;
    this.#failures = 0;
    const shorter = this.#distanceMs * distance.shrinks;
    this.#distanceMs = shorter < distance.leastMs ? 0 : shorter;
  }

  /**
   * Notes that a call got no answer. The breaker opens at once when no call was ever answered and the failure is
   * `final`, so that another try would not help; else after a row of failures that has lasted a while.
   */
  failed(reason: string, final: boolean): void {
    if (this.#failures === 0) this.#failingSince = performance.now();
    this.#failures += 1;
    const lastsMs = performance.now() - this.#failingSince;
    const gone = untilOpen.some((row) => this.#failures >= row.failures && lastsMs >= row.ms);
    if ((final && !this.#answered) || gone) this.#open ??= reason;
  }

  async #moment(): Promise<void> {
    if (performance.now() - this.#since > this.#withinMs)
      this.giveUp(`the run goes on for ${minutes(this.#withinMs)}, and no longer`);
    while (!this.#open) {
      // Computed again after each wait, since the target may have asked for more meanwhile.
      const waitMs = Math.max(this.#nextAt, this.#pauseUntil) - performance.now();
      if (waitMs <= 0) break;
      await pause(Math.min(waitMs, longestWaitMs));
    }
    this.#nextAt = performance.now() + Math.max(this.#intervalMs, this.#distanceMs);
  }
}

const minutes = (ms: number): string => `${Math.round(ms / 60_000)} minutes`;
