/** Remembers when document tokens were given: one may stay unknown to the target for a moment. */
import type { Exchange } from '../../../record/exchange.ts';

/** Statuses that an unknown document token may have with types 1 to 3, for which none is shown. */
const refusals = new Set([400, 409, 422]);

/** A call, as far as it matters here. */
interface Sent {
  readonly about: Pick<Exchange, 'operation'>;
  readonly graceMs: number;
  readonly ended: boolean;
}

export class FreshTokens {
  /** By `performance.now()`. */
  readonly #given = new Map<string, number>();

  gave(token: string | undefined): void {
    if (token !== undefined) this.#given.set(token, performance.now());
  }

  /**
   * Whether an answer may come too early. Of a call about what was ended: it still succeeds. Of any other: it is
   * refused for an id, or for a document token in its body, that was made within the grace.
   */
  isEarly({ about, graceMs, ended }: Sent, status: number, body: Buffer | null): boolean {
    if (ended) return status >= 200 && status < 300;
    if (status === 404) return true;
    const { operation } = about;
    if (operation !== 'createRequest' && operation !== 'createStampedRequest') return false;
    if (!refusals.has(status)) return false;
    const text = body?.toString('utf8') ?? '';
    const since = performance.now() - graceMs;
    return [...this.#given].some(([token, at]) => at > since && text.includes(JSON.stringify(token)));
  }
}
