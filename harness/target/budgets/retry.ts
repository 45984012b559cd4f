/** Which calls are sent again because the target surely did not process them, when, and for how long. */
import { type Attempt, headerOf, is4xx } from '../../../record/exchange.ts';
import type { Interval } from '../../../record/facts.ts';
import type { HttpOutcome, HttpRequest, HttpResponse } from '../../wire/http.ts';
import type { PlayedCall } from '../../wire/tape.ts';
import { brokeOff, wasNotSent } from '../../wire/transport-failure.ts';

/** How often a call is sent again. */
const maxRepeats = 3;
/** A target that asks for a longer pause than this is not waited for. */
const longestPauseMs = 20_000;
const firstPauseMs = 150;

/** Locked (RFC 4918: another call is at work on it), Too Early (RFC 8470), Too Many Requests, Service Unavailable: nothing was done. */
const notNow = [423, 425, 429, 503];
/** Statuses by which a target says that another call is at work. */
export const locks: readonly number[] = [409, 423, 425];
/** Statuses that concern a single object, and so hold back no other call. */
const single = [404, ...locks];
/** Statuses by which a target asks all calls to wait, where they are temporary. */
export const forAll: readonly number[] = [403, 429, 503];
/** Words by which a refusal says that it is temporary, since another call is at work on the same object. */
const passing =
  /\block(?:ed)?\b|\bin progress\b|\banother (?:call|request|operation)\b|\bconcurrent|\btry again\b/i;

/** Words by which a 404 says that it is temporary: fewer, since that of an unknown id may ask to try a right one. */
const pending = /\b(?:being|still|in progress|not (?:\w+ )?yet)\b/i;

/** Words by which a refusal says that calls came too fast. */
export const tooFast = /\btoo many (?:requests|calls)\b|\brate[ -]?limit|\bthrottl/i;

/** Words by which a refusal of any status says that a document is still looked at, or that something is still made of it. */
export const underWay =
  /\b(?:still|being|currently)\b.{0,30}\b(?:process|scan|convert|check|prepar|analy[sz]|import)|\bnot (?:yet )?(?:ready|processed)\b/i;

/** Whether a refusal has Retry-After, or says that it is temporary. */
export const saysItPasses = (headers: HttpResponse['headers'], text: string, words = passing): boolean =>
  headerOf(headers, 'retry-after') !== undefined || words.test(text.slice(0, 2_000));

function isNotNow({ response: { status, headers, body } }: { readonly response: HttpResponse }): boolean {
  if (notNow.includes(status)) return true;
  const text = body.subarray(0, 2_000).toString('utf8');
  // A document that is still looked at may be unknown for so long.
  const words = status === 404 ? pending : status === 409 ? passing : status === 403 ? tooFast : undefined;
  return words ? saysItPasses(headers, text, words) : is4xx({ status }) && underWay.test(text);
}

/**
 * How long to wait before a call is sent again, or `null` when it is not. Repeating a creation that did arrive would
 * create twice. So calls are repeated only where nothing was done: connection refused, 423, 425, 429, 503, and another 4xx that
 * passes, such as 403 with Retry-After. A GET or HEAD that broke off is repeated in any case.
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

/** The pause that such an answer asks for by Retry-After (RFC 9110: seconds, or a date by the clock of the target); `undefined` when it asks for none. */
function askedMs(outcome: HttpOutcome): number | undefined {
  if (!('response' in outcome) || !isNotNow(outcome)) return undefined;
  const { headers } = outcome.response;
  const asked = headerOf(headers, 'retry-after');
  if (asked === undefined || asked.trim() === '') return undefined;
  const seconds = Number(asked);
  const nowMs = Date.parse(headerOf(headers, 'date') ?? '') || Date.now();
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(asked) - nowMs;
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
    attempts: attempts.length > 0 ? attempts : undefined,
  };
}

/** The status of an answer; 0 where there was none. */
export const statusOf = (outcome: HttpOutcome): number =>
  'response' in outcome ? outcome.response.status : 0;

/** Trouble that lasts longer than this is taken as permanent: from then on no call waits for its end. */
const momentMs = 3_000;
/** As `momentMs`, where the target itself asks for time, with 429 or 503. */
const longestAskedMs = 15_000;

export class Patience {
  #since: number | null = null;

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
