/** Which calls are sent again, and when: those surely not processed, and those that may have come too early; and for how long. */
import { type Attempt, type Exchange, headerOf, is2xx } from '../../../record/exchange.ts';
import type { Interval } from '../../../record/facts.ts';
import { percentDecoded } from '../../untrusted/text.ts';
import type { HttpOutcome, HttpRequest, HttpResponse } from '../../wire/http.ts';
import type { PlayedCall } from '../../wire/tape.ts';
import { brokeOff, wasNotSent } from '../../wire/transport-failure.ts';
import type { Ids } from '../call.ts';

/** How often a call is sent again. */
const maxRepeats = 3;
/** A target that asks for a longer pause than this is not waited for. */
const longestPauseMs = 20_000;
const firstPauseMs = 150;

/** Locked (RFC 4918: another call is at work on it), Too Early (RFC 8470), Too Many Requests, Service Unavailable: nothing was done. */
const notNow = [423, 425, 429, 503];
/** Statuses that concern a single object, and so hold back no other call. */
const single = [404, 409, 423, 425];
/** Words by which a refusal says that it passes: another call is at work on the same object. */
const passing =
  /\block(?:ed)?\b|\bin progress\b|\banother (?:call|request|operation)\b|\bconcurrent|\btry again\b/i;

/** Words by which a 404 says so: that of an unknown id may well ask for another try with a right one. */
const pending = /\b(?:being|still|in progress|not (?:\w+ )?yet)\b/i;

/** Whether a refusal has Retry-After, or says that it passes. */
export const saysItPasses = (headers: HttpResponse['headers'], text: string, words = passing): boolean =>
  headerOf(headers, 'retry-after') !== undefined || words.test(text.slice(0, 2_000));

function isNotNow({ response: { status, headers, body } }: { readonly response: HttpResponse }): boolean {
  if (notNow.includes(status)) return true;
  // A document that is still looked at may be unknown for so long.
  const words = status === 404 ? pending : status === 409 ? passing : undefined;
  return words !== undefined && saysItPasses(headers, body.subarray(0, 2_000).toString('utf8'), words);
}

/**
 * How long to wait before a call is sent again, or `null` when it is not. Repeating a creation that did arrive would
 * create twice. So calls are repeated only where nothing was done: connection refused, 423, 425, 429, 503, and 404 or 409 that
 * passes. A GET or HEAD that broke off is repeated in any case.
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
  // 409, 423 and 425 concern a single object, however long it is locked.
  if (ms <= longestPauseMs || !('response' in outcome) || single.includes(outcome.response.status))
    return null;
  return `the target answered ${outcome.response.status} and asks not to be called for ${Math.round(ms / 1000)} s`;
}

/** The pause that such an answer asks for by Retry-After (RFC 9110: seconds or a date); `undefined` when it asks for none. */
function askedMs(outcome: HttpOutcome): number | undefined {
  if (!('response' in outcome) || !isNotNow(outcome)) return undefined;
  const asked = headerOf(outcome.response.headers, 'retry-after');
  if (asked === undefined || asked.trim() === '') return undefined;
  const seconds = Number(asked);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(asked) - Date.now();
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}

/** A repetition of a call: why, what answer came before it, the pause, and the new access token if it gets one. */
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

/** The times of an attempt, together with those of the attempts before it. */
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

/** Trouble that lasts longer than this is taken as permanent: from then on no call waits for its end. */
const momentMs = 3_000;
/** The same where the target itself asks for time, with 429 or 503. */
const longestAskedMs = 15_000;

export class Patience {
  #since: number | null = null;

  /** Notes how a call ended. */
  saw(outcome: HttpOutcome): void {
    const status = statusOf(outcome);
    if (status !== 0 && status !== 429 && status < 500) this.answered();
    else this.#since ??= performance.now();
  }

  /** Notes that the trouble is over: the target has answered, even if the status is one of trouble elsewhere. */
  answered(): void {
    this.#since = null;
  }

  /** Whether a call that met trouble is made anew. */
  get forAnother(): boolean {
    return this.#lastsMs() < momentMs;
  }

  /** Whether a call is sent again that was answered with 429 or 503, or that reached nobody. */
  get forRepeats(): boolean {
    return this.#lastsMs() < longestAskedMs;
  }

  #lastsMs(): number {
    return this.#since === null ? 0 : performance.now() - this.#since;
  }
}

/** Statuses that may refuse an unknown document token with types 1 to 3, for which none is shown. */
const refusals = new Set([400, 409, 422]);
/** The first pause; each is twice as long as the one before. */
const firstMs = 100;

/** The facts about a call that decide whether its answer came too early. */
export interface Sent {
  readonly about: Pick<Exchange, 'operation' | 'template'>;
  readonly request: { readonly url: URL; readonly body: Buffer | null };
  /** How long the target may need to know of an object that was made or ended a moment ago, in milliseconds. */
  readonly graceMs: number;
  /** The call is to show that something was ended: while the target has not noticed that yet, the call succeeds. */
  readonly ended: boolean;
  /** Whether the answer, if it is a success, has to keep to the contract. */
  readonly validated: boolean;
  /** By `performance.now()`. */
  readonly startedMs: number;
}

/** Decides whether an answer came too early. What the run learned from one call holds for all calls of that kind. */
export class Visibility {
  /** When ids were first given, by `performance.now()`. */
  readonly #given = new Map<string, number>();
  /** Kinds of calls that worked once, and kinds that were waited for in vain before any worked. */
  readonly #worked = new Set<string>();
  readonly #inVain = new Set<string>();

  gave({ documentToken, requestId, signatoryId }: Ids): void {
    const now = performance.now();
    for (const id of [documentToken, requestId, signatoryId]) {
      // Adding a signatory answers with the id of its request once more; the first time counts.
      if (id && !this.#given.has(id)) this.#given.set(id, now);
    }
  }

  /** The reason to send a call again whose answer may have come too early; `null` when the answer counts. */
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
   * How long an answer may still be too early, in milliseconds; 0 when it counts. A call about an ended object is early
   * while it succeeds. Any other call is early while it is refused and names an id, or a document token in its body,
   * from within the grace. One operation may know an id before another one does.
   */
  #leftMs(sent: Sent, status: number): number {
    const { graceMs, ended, startedMs } = sent;
    const isEarly = ended ? is2xx({ status }) : mayBeEarly(sent, status);
    if (!isEarly || this.#inVain.has(nameOf(sent))) return 0;
    const since = ended ? startedMs : (this.#youngest(sent) ?? (status === 404 ? startedMs : undefined));
    return since === undefined ? 0 : Math.max(0, graceMs - (performance.now() - since));
  }

  /** Notes the answer that counts. */
  ended(sent: Sent, status: number): void {
    const name = nameOf(sent);
    if (is2xx({ status })) {
      this.#worked.add(name);
      this.#inVain.delete(name);
    } else if (sent.validated && sent.graceMs > 0 && mayBeEarly(sent, status) && !this.#worked.has(name)) {
      this.#inVain.add(name);
    }
  }

  /** When the newest of the ids that a call names was given. */
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
