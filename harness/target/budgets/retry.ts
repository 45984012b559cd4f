/** How long trouble is borne, and which calls are sent again: only those that surely did not arrive, or change nothing. */
import { type Attempt, headerOf } from '../../../record/exchange.ts';
import type { Interval } from '../../../record/facts.ts';
import type { HttpOutcome, HttpRequest } from '../../wire/http.ts';
import type { PlayedCall } from '../../wire/tape.ts';
import { brokeOff, wasNotSent } from '../../wire/transport-failure.ts';

/** How often a call is sent again. */
const maxRepeats = 3;
/** A target that asks for more time than this is not waited for. */
const longestPauseMs = 20_000;
const firstPauseMs = 150;

/**
 * How long to wait before a call is sent again, or `null` when it is not. A creation that did arrive would be
 * made twice, so only what surely was not taken up is repeated: connection refused, 429, 503; and, whatever
 * became of it, a GET or HEAD that broke off.
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
  const { status } = outcome.response;
  if (status !== 429 && status !== 503) return null;
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
  if (ms <= longestPauseMs || !('response' in outcome)) return null;
  return `the target answered ${outcome.response.status} and asks not to be called for ${Math.round(ms / 1000)} s`;
}

/** What a 429 or 503 asks for by Retry-After (RFC 9110: seconds or a date); `undefined` when it asks nothing. */
function askedMs(outcome: HttpOutcome): number | undefined {
  if (!('response' in outcome) || ![429, 503].includes(outcome.response.status)) return undefined;
  const asked = headerOf(outcome.response.headers, 'retry-after');
  if (asked === undefined || asked.trim() === '') return undefined;
  const seconds = Number(asked);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(asked) - Date.now();
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}

/** Why a call is sent again, what it met, and what was waited; with the access token that it gets then. */
export interface Again extends Pick<Attempt, 'status' | 'because'> {
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
export function timingOf(startedAt: string, at: Interval, before: readonly Again[]): PlayedCall['timing'] {
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
    if (status !== 0 && status !== 429 && status < 500) this.#since = null;
    else this.#since ??= performance.now();
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
