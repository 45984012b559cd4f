/** Which calls are sent again, and when: what surely was not taken up, and what may have come too early; how long trouble is borne. */
import { type Attempt, type Exchange, headerOf, is2xx } from '../../../record/exchange.ts';
import type { Interval } from '../../../record/facts.ts';
import { percentDecoded } from '../../untrusted/text.ts';
import type { HttpOutcome, HttpRequest, HttpResponse } from '../../wire/http.ts';
import type { PlayedCall } from '../../wire/tape.ts';
import { brokeOff, wasNotSent } from '../../wire/transport-failure.ts';
import type { Ids } from '../call.ts';

/** How often a call is sent again. */
const maxRepeats = 3;
/** A target that asks for more time than this is not waited for. */
const longestPauseMs = 20_000;
const firstPauseMs = 150;

/** Locked (RFC 4918: somebody else is at it), Too Early (RFC 8470), Too Many Requests, Service Unavailable: nothing was done. */
const notNow = [423, 425, 429, 503];
/** What is not for now because of a single thing, and holds back no other call. */
const single = [409, 423, 425];
/** How a conflict says that it passes: somebody else is at work on the same thing. */
const passing =
  /\block(?:ed)?\b|\bin progress\b|\banother (?:call|request|operation)\b|\bconcurrent|\btry again\b/i;

/** Whether a conflict names a time, or says that it passes. */
export const saysItPasses = (headers: HttpResponse['headers'], text: string): boolean =>
  headerOf(headers, 'retry-after') !== undefined || passing.test(text.slice(0, 2_000));

function isNotNow({ response: { status, headers, body } }: { readonly response: HttpResponse }): boolean {
  if (status !== 409) return notNow.includes(status);
  return saysItPasses(headers, body.subarray(0, 2_000).toString('utf8'));
}

/**
 * How long to wait before a call is sent again, or `null` when it is not. A creation that did arrive would be
 * made twice, so only what surely was not taken up is repeated: connection refused, 423, 425, 429, 503, 409 for a lock; and,
 * whatever became of it, a GET or HEAD that broke off.
 * @param repeats how often it was repeated already
 */
export function repeatAfter(
  { method }: Pick<HttpRequest, 'method'>,
  outcome: HttpOutcome,
  repeats: number,
): number | null {
  if (repeats >= maxRepeats) return null;
  const backoffMs = firstPauseMs * 2 ** repeats;
  if ('failure' in outcome) {
    const harmless = brokeOff(outcome.failure) && (method === 'GET' || method === 'HEAD');
    return wasNotSent(outcome.failure) || harmless ? backoffMs : null;
  }
  if (!isNotNow(outcome)) return null;
  const pauseMs = askedMs(outcome) ?? backoffMs;
  return pauseMs > longestPauseMs ? null : pauseMs;
}

/** Whether a call without an answer may have reached the target all the same. */
export function mayHaveArrived(outcome: HttpOutcome): boolean {
  return 'failure' in outcome && !wasNotSent(outcome.failure);
}

/** Why no call is to be sent any more: the target asks to be left alone for longer than a run can wait. */
export function leaveAlone(outcome: HttpOutcome): string | null {
  const ms = askedMs(outcome) ?? 0;
  // What is locked or too early for long is a single thing.
  if (ms <= longestPauseMs || !('response' in outcome) || single.includes(outcome.response.status))
    return null;
  return `the target answered ${outcome.response.status} and asks not to be called for ${Math.round(ms / 1000)} s`;
}

/** What such an answer asks for by Retry-After (RFC 9110: seconds or a date); `undefined` when it asks nothing. */
function askedMs(outcome: HttpOutcome): number | undefined {
  if (!('response' in outcome) || !isNotNow(outcome)) return undefined;
  const asked = headerOf(outcome.response.headers, 'retry-after');
  if (asked === undefined || asked.trim() === '') return undefined;
  const seconds = Number(asked);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(asked) - Date.now();
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}

/** Why a call is sent again, what it met, and what was waited; with the access token that it gets then. */
export interface Resending extends Pick<Attempt, 'status' | 'because'> {
  readonly pauseMs: number;
  readonly what: string;
  readonly token?: string;
}

const words: Readonly<Record<Attempt['because'], (ms: number) => string>> = {
  'not-taken': (ms) => `sent again after ${ms} ms`,
  token: () => 'sent again with a renewed access token',
  early: (ms) => `asked again after ${ms} ms`,
  ended: (ms) => `asked again after ${ms} ms`,
};

/** The times of an attempt, with those before it. */
export function timingOf(
  startedAt: string,
  at: Interval,
  before: readonly Resending[],
): PlayedCall['timing'] {
  const attempts = before.map(({ status, because, pauseMs }) => ({
    status,
    because,
    waitedMs: Math.round(pauseMs),
  }));
  return {
    startedAt,
    durationMs: Math.round((at.endMs - at.startMs) * 100) / 100,
    retries: before.map(({ what, because, pauseMs }) => `${what}: ${words[because](Math.round(pauseMs))}`),
    ...(attempts.length > 0 ? { attempts } : {}),
  };
}

/** The status of an answer; 0 where there was none. */
export function statusOf(outcome: HttpOutcome): number {
  return 'response' in outcome ? outcome.response.status : 0;
}

/** Trouble that is not over by then is taken as lasting: from then on no call waits for it any more. */
const momentMs = 3_000;
/** The same where the target itself asks for time with 429 or 503. */
const longestAskedMs = 15_000;

export class Patience {
  #since: number | null = null;

  /** Takes note of what came of a call. */
  saw(outcome: HttpOutcome): void {
    const status = statusOf(outcome);
    if (status !== 0 && status !== 429 && status < 500) this.answered();
    else this.#since ??= performance.now();
  }

  /** Trouble is over: the target has answered, whatever its status says elsewhere. */
  answered(): void {
    this.#since = null;
  }

  /** Whether to make a call anew that met trouble. */
  get forAnother(): boolean {
    return this.#lastsMs() < momentMs;
  }

  /** Whether to send a call again that was answered with 429 or 503, or that nobody took. */
  get forRepeats(): boolean {
    return this.#lastsMs() < longestAskedMs;
  }

  #lastsMs(): number {
    return this.#since === null ? 0 : performance.now() - this.#since;
  }
}

/** Statuses that an unknown document token may have with types 1 to 3, for which none is shown. */
const refusals = new Set([400, 409, 422]);
/** The first pause; each is twice as long as the one before. */
const firstMs = 100;

/** A call, as far as it matters here. */
export interface Sent {
  readonly about: Pick<Exchange, 'operation' | 'template'>;
  readonly request: { readonly url: URL; readonly body: Buffer | null };
  /** How long the target may need until it knows what was made, or ended, a moment ago; in milliseconds. */
  readonly graceMs: number;
  /** What the call was made for is that something was ended: until then it is a success. */
  readonly ended: boolean;
  /** The answer to it, should it be a success, has to keep to the contract. */
  readonly validated: boolean;
  /** By `performance.now()`. */
  readonly startedMs: number;
}

/** How long answers may come too early: what a run learned of that once holds for all of its calls. */
export class Visibility {
  /** When ids were first given, by `performance.now()`. */
  readonly #given = new Map<string, number>();
  /** What has worked once, and what was waited for in vain before it ever did. */
  readonly #worked = new Set<string>();
  readonly #inVain = new Set<string>();

  gave({ documentToken, requestId, signatoryId }: Ids): void {
    const now = performance.now();
    for (const id of [documentToken, requestId, signatoryId]) {
      // The id of a request comes with each of its signatories again.
      if (id && !this.#given.has(id)) this.#given.set(id, now);
    }
  }

  /** The reason to ask again that an answer may have come too early. */
  early(sent: Sent, status: number, times: number): Resending | null {
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
    const isEarly = ended ? is2xx({ status }) : mayBeEarly(sent, status);
    if (!isEarly || this.#inVain.has(nameOf(sent))) return 0;
    const since = ended ? startedMs : (this.#youngest(sent) ?? (status === 404 ? startedMs : undefined));
    return since === undefined ? 0 : Math.max(0, graceMs - (performance.now() - since));
  }

  /** Takes note of the answer that counts. */
  ended(sent: Sent, status: number): void {
    const name = nameOf(sent);
    if (is2xx({ status })) {
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
