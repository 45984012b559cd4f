/** Calls and answers in a few words, for messages; redacted, since they are made from the record. */
import { type Exchange, saidIn } from './exchange.ts';

/** The parts of an exchange that words are made from. */
export type Shown = Pick<Exchange, 'index' | 'request' | 'response' | 'failure' | 'template' | 'attempts'>;

const longestBody = 160;

/** `POST …/signatories (exchange 17) was answered with 400 {"error":"…"}` */
export function shortAnswer({ exchange }: { readonly exchange: Shown }): string {
  return `${callLine(exchange)} ${came(exchange)}`;
}

/** `(exchange 17) was answered with 400 {"error":"…"}` */
export function came(exchange: Omit<Shown, 'request'>): string {
  return `(exchange ${exchange.index}) ${exchange.response ? 'was answered with' : 'had no answer:'} ${received(exchange)}`;
}

/** `POST …/signatories`: method and the end of the path. */
export function callLine(exchange: Pick<Exchange, 'request'>): string {
  const url = URL.canParse(exchange.request.url) ? new URL(exchange.request.url) : null;
  const parts = (url?.pathname ?? exchange.request.url).split('/').filter(Boolean);
  const end = `${parts.length > 2 ? '…' : ''}/${parts.slice(-2).join('/')}`;
  return `${exchange.request.method} ${end}${url?.search ?? ''}`;
}

/** `200 {"requestId":"…"}`, or why no answer arrived. */
export function received(exchange: Pick<Exchange, 'response' | 'failure'>): string {
  if (!exchange.response) return exchange.failure?.message ?? 'no answer';
  const { status, body } = exchange.response;
  const text =
    body?.text ?? (body ? `(${body.size} bytes of ${body.mediaType || 'unknown type'})` : '(empty body)');
  return `${status} ${clip(saidIn(text).replaceAll(/\s+/g, ' '))}`.trimEnd();
}

const clip = (text: string): string => (text.length <= longestBody ? text : `${text.slice(0, longestBody)}…`);
