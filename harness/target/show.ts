/** Answers and calls in a few words, for messages; redacted, since they are made from the record. */

import type { Exchange } from '../../record/exchange.ts';
import type { Answer } from './call.ts';

const longestBody = 160;

/** `exchange 17 was answered with 400 {"error":"…"}` */
export function shortAnswer(answer: Answer): string {
  const { exchange } = answer;
  return `${callLine(exchange)} (exchange ${exchange.index}) ${exchange.response ? 'was answered with' : 'had no answer:'} ${received(exchange)}`;
}

/** `POST …/signatories`: method and the end of the path. */
export function callLine(exchange: Exchange): string {
  const url = URL.canParse(exchange.request.url) ? new URL(exchange.request.url) : null;
  const parts = (url?.pathname ?? exchange.request.url).split('/');
  return `${exchange.request.method} …/${parts.slice(-2).join('/')}${url?.search ?? ''}`;
}

/** `200 {"requestId":"…"}`, or why no answer arrived. */
export function received(exchange: Exchange): string {
  if (!exchange.response) return exchange.failure?.message ?? 'no answer';
  const { status, body } = exchange.response;
  const text =
    body?.text ?? (body ? `(${body.size} bytes of ${body.mediaType || 'unknown type'})` : '(empty body)');
  return `${status} ${clip(text.replaceAll(/\s+/g, ' '))}`;
}

/** The body of a request in a line. */
export function sent(exchange: Exchange): string {
  const { body } = exchange.request;
  if (!body) return 'no body';
  return body.text === undefined
    ? `(${body.size} bytes of ${body.mediaType})`
    : clip(body.text.replaceAll(/\s+/g, ' '));
}

function clip(text: string): string {
  return text.length <= longestBody ? text : `${text.slice(0, longestBody)}…`;
}
