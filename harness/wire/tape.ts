/** Where the calls of a run are kept, or taken from when a recorded run is judged again. */
import { createHash } from 'node:crypto';
import type { Exchange, HeaderField, TransportFailure } from '../../record/exchange.ts';
import type { Interval } from '../../record/facts.ts';
import { headerValue } from '../untrusted/header.ts';
import { exactTextOf } from '../untrusted/text.ts';
import type { HttpOutcome, HttpRequest } from './http.ts';

/** Bytes of a body: as text, in base64, or in a file of the folder `bodies`. */
export type KeptBody = { readonly text: string } | { readonly base64: string } | { readonly file: string };

/** One call with what came of it. */
export interface KeptCall {
  readonly about: Pick<Exchange, 'operation' | 'purpose' | 'template' | 'check' | 'row'>;
  readonly method: string;
  readonly url: string;
  /** The Authorization header with labels in the place of tokens. */
  readonly authorization: string;
  /** The text that was sent, or the hash of what is no text; a multipart boundary is left out. */
  readonly sent: string;
  /** How many equal calls were made before. */
  readonly nth: number;
  /** The same call was made again by the run itself. */
  readonly again: boolean;
  readonly response: {
    readonly status: number;
    readonly reason: string;
    readonly headers: readonly HeaderField[];
    readonly body: KeptBody;
  } | null;
  readonly failure?: TransportFailure;
  readonly timing: Pick<Exchange, 'startedAt' | 'durationMs' | 'retries' | 'attempts'>;
  readonly at: Interval;
}

/** A call that is to be made. */
export interface AskedCall {
  readonly about: KeptCall['about'];
  readonly request: HttpRequest;
  /** The Authorization header with labels in the place of tokens. */
  readonly authorization: string;
}

/** What came of a call. */
export interface PlayedCall {
  readonly outcome: HttpOutcome;
  readonly timing: Pick<Exchange, 'startedAt' | 'durationMs' | 'retries' | 'attempts'>;
  /** By the monotonic clock. */
  readonly at: Interval;
  /** The run itself made the same call again afterwards. */
  readonly again: boolean;
}

export interface Tape {
  /** Takes note of a call; a replay does not. */
  keep(call: AskedCall & PlayedCall): void;
  /** What was recorded for a call; `null` in a run that calls its target itself. */
  readonly play: ((call: AskedCall) => Promise<PlayedCall>) | null;
}

/** What was sent, as far as it does not differ by chance: the text, or the hash of what is no text. */
export function sentBy({ headers, body }: HttpRequest): string {
  if (!body || body.length === 0) return '';
  const [, boundary] = /boundary="?([^";]+)/.exec(headerValue(headers, 'content-type') ?? '') ?? [];
  const text = exactTextOf(headers, body);
  if (text !== null) return boundary === undefined ? text : text.replaceAll(boundary, 'boundary');
  const latin = body.toString('latin1');
  const bytes = boundary === undefined ? latin : latin.replaceAll(boundary, 'boundary');
  return `sha256 ${createHash('sha256').update(bytes, 'latin1').digest('hex')}`;
}

/** By what a call is found: equal calls have equal keys. */
export function keyOf(
  { check = '', row = '', purpose, operation, template = '' }: KeptCall['about'],
  call: Pick<KeptCall, 'method' | 'url' | 'authorization' | 'sent'>,
): string {
  const { method, url, authorization, sent } = call;
  return JSON.stringify([check, row, purpose, operation, template, method, url, authorization, sent]);
}
