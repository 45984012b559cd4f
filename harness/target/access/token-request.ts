/** Sends a request for an access token and reads the answer: retries, and words for all that can go wrong. */

import { headerOf } from '../../../record/exchange.ts';
import { type Scope, scopeOf } from '../../untrusted/place.ts';
import { isPage, textOf } from '../../untrusted/text.ts';
import type { HttpOutcome, HttpRequest, HttpResponse } from '../../wire/http.ts';

/** Thrown when the target or its authorization server gives no token. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
}

/** How a request is sent: with the deadline, the certificates and the words for failures of all other calls. */
export type SendRequest = (request: HttpRequest) => Promise<HttpOutcome>;

/** Waits before the request is sent again, in milliseconds: asking twice for a token does no harm. */
const pausesMs = [200, 800];

const longestText = 400;

/**
 * The answer to a request for a token.
 * @param once the request must not be repeated, since it spends what it carries
 * @throws TokenError without an answer, or when it is not a success
 */
export async function tokenAnswer(
  request: HttpRequest,
  send: SendRequest,
  {
    hint,
    accept = [],
    once = false,
  }: { readonly hint: string; readonly accept?: readonly number[]; readonly once?: boolean },
): Promise<Scope> {
  let outcome = await send(request);
  for (const pauseMs of pausesMs) {
    if (!isPassing(outcome, once)) break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    outcome = await send(request);
  }
  if ('failure' in outcome) throw new TokenError(outcome.failure.message);
  const { response } = outcome;
  const { status } = response;
  const text = textOf(response.headers, response.body);
  const scope = scopeOf({ text, headers: response.headers });
  if (!(accept.length > 0 ? accept.includes(status) : status >= 200 && status < 300)) {
    throw new TokenError(refusal(response, scope.root, text, hint));
  }
  return scope;
}

/** Trouble that may be over in a moment. */
function isPassing(outcome: HttpOutcome, once: boolean): boolean {
  if ('response' in outcome) {
    const { status } = outcome.response;
    return once ? status === 429 || status === 503 : status >= 500 || status === 429;
  }
  const { code } = outcome.failure;
  if (code === 'ECONNREFUSED' || code === 'EAI_AGAIN') return true;
  return !once && ['ECONNRESET', 'EPIPE', 'TRUNCATED'].includes(code);
}

function refusal({ status, headers }: HttpResponse, json: unknown, text: string, hint: string): string {
  if (status >= 500 || status === 429) return `it was answered with ${status}`;
  const location = headerOf(headers, 'location');
  if (status >= 300 && status < 400) {
    const where = location && URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
    return `it was answered with ${status}, a redirect${where}; ${hint}`;
  }
  // Of RFC 6749, section 5.2.
  const { error, error_description: description } = (json ?? {}) as Record<string, unknown>;
  if (typeof error === 'string') {
    return `${status} ${error}${typeof description === 'string' ? ` (${description})` : ''}; ${hint}`;
  }
  return `it was answered with ${status}${saidIn(text)}; ${hint}`;
}

/** What an answer says, in few words. */
function saidIn(text: string): string {
  if (isPage(text)) return ' and a web page';
  const words = text.trim().replaceAll(/\s+/g, ' ');
  return words === '' ? '' : ` ${words.length <= longestText ? words : `${words.slice(0, longestText)}…`}`;
}
