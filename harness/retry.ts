/** Decides whether a call is sent again: only one that surely did not arrive, or one that changes nothing. */
import { headerValue } from './header.ts';
import type { HttpOutcome, HttpRequest } from './http.ts';

/** How often a call is sent again. */
export const maxRepeats = 3;
/** Longest wait that a Retry-After is granted. */
const longestPauseMs = 5_000;
const firstPauseMs = 150;

/** Failures before a connection stood: nothing of the request was sent. */
const notArrived = new Set(['ECONNREFUSED', 'EAI_AGAIN']);
const brokenOff = new Set(['ECONNRESET', 'EPIPE', 'TRUNCATED']);

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
    const { code } = outcome.failure;
    const harmless = brokenOff.has(code) && (method === 'GET' || method === 'HEAD');
    return notArrived.has(code) || harmless ? backoffMs : null;
  }
  const { status, headers } = outcome.response;
  if (status !== 429 && status !== 503) return null;
  return askedMs(headerValue(headers, 'retry-after')) ?? backoffMs;
}

/** What a Retry-After asks for (RFC 9110: seconds or a date), within bounds; `undefined` when it asks nothing. */
function askedMs(asked: string | undefined): number | undefined {
  if (asked === undefined || asked.trim() === '') return undefined;
  const seconds = Number(asked);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(asked) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestPauseMs) : undefined;
}

/** The outcome in a word or a sentence, for the list of retries. */
export function inWords(outcome: HttpOutcome): string {
  return 'response' in outcome ? String(outcome.response.status) : outcome.failure.message;
}
