/** Where the calls of a run are kept, or taken from when a recorded run is judged again. */
import { createHash } from 'node:crypto';
import type { Interval } from '../callbacks/sequence/facts.ts';
import type { Exchange } from '../exchange.ts';
import { headerValue } from '../header.ts';
import type { HttpOutcome, HttpRequest } from '../http.ts';
import { exactTextOf } from '../text.ts';
import type { KeptCall } from './recording.ts';

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
  readonly timing: Pick<Exchange, 'startedAt' | 'durationMs' | 'retries'>;
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
