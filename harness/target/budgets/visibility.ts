/** How long an answer may come too early: what a run learned of that once holds for all of its calls. */

import { percentDecoded } from '../../untrusted/text.ts';
import type { Ids } from '../call.ts';
import type { Sending } from '../client-parts.ts';
import type { Again } from './retry.ts';

/** Statuses that an unknown document token may have with types 1 to 3, for which none is shown. */
const refusals = new Set([400, 409, 422]);

/** The first pause; each is twice as long as the one before. */
const firstMs = 100;

/** A call, as far as it matters here. */
export type Sent = Pick<Sending, 'graceMs' | 'ended' | 'validated'> & {
  readonly about: Pick<Sending['about'], 'operation' | 'template'>;
  readonly request: { readonly url: URL; readonly body: Buffer | null };
  /** By `performance.now()`. */
  readonly startedMs: number;
};

export class Visibility {
  /** When ids were given, by `performance.now()`. */
  readonly #given = new Map<string, number>();
  /** What has worked once, and what was waited for in vain before it ever did. */
  readonly #worked = new Set<string>();
  readonly #inVain = new Set<string>();

  gave({ documentToken, requestId, signatoryId }: Ids): void {
    const now = performance.now();
    for (const id of [documentToken, requestId, signatoryId]) if (id) this.#given.set(id, now);
  }

  /** The reason to ask again that an answer may have come too early. */
  early(sent: Sent, status: number, times: number): Again | null {
    const leftMs = this.#leftMs(sent, status);
    if (leftMs <= 0) return null;
    const { ended } = sent;
    return {
      status,
      because: ended ? 'ended' : 'early',
      pauseMs: Math.min(firstMs * 2 ** times, Math.max(1, leftMs)),
      what: `${status} for ${ended ? 'what was ended a moment ago' : 'an id made a moment ago'}`,
    };
  }

  /**
   * How long an answer may still be too early, in milliseconds; 0 when it counts. Of a call about what was ended:
   * it still succeeds. Of any other: it is refused for an id, or for a document token in its body, that was made
   * within the grace. That one operation knows an id does not say that another one does.
   */
  #leftMs(sent: Sent, status: number): number {
    const { graceMs, ended, startedMs } = sent;
    const isEarly = ended ? status >= 200 && status < 300 : mayBeEarly(sent, status);
    if (!isEarly || this.#inVain.has(nameOf(sent))) return 0;
    const since = ended ? startedMs : (this.#youngest(sent) ?? (status === 404 ? startedMs : undefined));
    return since === undefined ? 0 : Math.max(0, graceMs - (performance.now() - since));
  }

  /** Takes note of the answer that counts. */
  ended(sent: Sent, status: number): void {
    const name = nameOf(sent);
    if (status >= 200 && status < 300) {
      this.#worked.add(name);
      this.#inVain.delete(name);
    } else if (sent.validated && sent.graceMs > 0 && mayBeEarly(sent, status) && !this.#worked.has(name)) {
      this.#inVain.add(name);
    }
  }

  /** When the youngest of the ids that a call names was given. */
  #youngest({ request: { url, body } }: Sent): number | undefined {
    const path = url.pathname.split('/').map(percentDecoded);
    const text = body?.toString('utf8') ?? '';
    const named = [...this.#given].filter(([id]) => path.includes(id) || text.includes(JSON.stringify(id)));
    return named.length > 0 ? Math.max(...named.map(([, at]) => at)) : undefined;
  }
}

function mayBeEarly({ about: { operation }, ended }: Sent, status: number): boolean {
  if (ended) return false;
  if (status === 404) return true;
  return (operation === 'createRequest' || operation === 'createStampedRequest') && refusals.has(status);
}

/** The operation, with the type where one path has several. */
function nameOf({ about, request: { url } }: Sent): string {
  return `${about.operation ?? about.template} ${url.searchParams.get('type')}`;
}
