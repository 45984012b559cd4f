/** Counts what a probe sends, and sends no more than was promised. */
import type { HttpOutcome, HttpRequest, HttpSender } from '../wire/http.ts';

/** Stands in a failure of a call that was not sent. */
export const notSent = 'NOT_SENT';

export class CountedSender {
  readonly #inner: Pick<HttpSender, 'send'>;
  readonly #limit: number;
  #stopped: string | undefined;
  /** Requests that went out. */
  sent = 0;

  /** @param limit requests at most */
  constructor(inner: Pick<HttpSender, 'send'>, limit: number) {
    this.#inner = inner;
    this.#limit = limit;
  }

  async send(request: HttpRequest): Promise<HttpOutcome> {
    const spent = this.sent >= this.#limit ? `the ${this.#limit} calls of a probe are made` : undefined;
    const why = this.#stopped ?? spent;
    if (why !== undefined) return { failure: { code: notSent, message: `not sent: ${why}` } };
    this.sent += 1;
    return this.#inner.send(request);
  }

  /** Nothing more is sent. */
  stop(reason: string): void {
    this.#stopped ??= reason;
  }

  /** What was made may be removed all the same. */
  resume(): void {
    this.#stopped = undefined;
  }
}
