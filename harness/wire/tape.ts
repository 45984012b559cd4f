/** Where the calls of a run are kept, or taken from when a recorded run is judged again. */
import { createHash } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { type Exchange, exchangeSchema, headerOf, headersSchema } from '../../record/exchange.ts';
import type { Interval } from '../../record/facts.ts';
import {
  closed,
  count,
  type DeepReadonly,
  httpUrl,
  object,
  optional,
  orNull,
  text,
} from '../../record/schema-parts.ts';
import { exactTextOf } from '../untrusted/text.ts';
import type { HttpOutcome, HttpRequest } from './http.ts';

/** Bytes of a body: as text, in base64, or in a file of the folder `bodies`, named by its hash. */
export const keptBodySchema = Type.Union([
  object({ text: text() }),
  object({ base64: text() }),
  object({ file: Type.String({ pattern: '^bodies/[0-9a-f]{32}$' }) }),
]);
export type KeptBody = DeepReadonly<Static<typeof keptBodySchema>>;

const timing = Type.Pick(exchangeSchema, ['startedAt', 'durationMs', 'retries', 'attempts'], closed);

/**
 * One recorded call and its outcome. `authorization`: the header with labels in place of tokens. `sent`: the body as
 * text, or its hash where it is no text, without a multipart boundary. `again`: the run itself made the same call
 * once more. `flow`: the flow for which a call of the profile was made. `nth` occurs only in recordings of version 1.
 * `at`: by the monotonic clock.
 */
export const keptCallSchema = object({
  about: Type.Pick(exchangeSchema, ['operation', 'purpose', 'template', 'check', 'row'], closed),
  method: exchangeSchema.properties.request.properties.method,
  url: httpUrl,
  authorization: text(),
  sent: text(),
  flow: optional(text()),
  nth: optional(count()),
  again: Type.Boolean(),
  response: orNull(
    object({
      status: Type.Integer({ minimum: 100, maximum: 999 }),
      reason: text(),
      headers: headersSchema,
      body: keptBodySchema,
    }),
  ),
  failure: exchangeSchema.properties.failure,
  timing,
  at: object({ startMs: Type.Number(), endMs: Type.Number() }),
});
export type KeptCall = DeepReadonly<Static<typeof keptCallSchema>>;

export interface AskedCall {
  readonly about: KeptCall['about'];
  /** The flow, or the check's row, that the call is made for. */
  readonly flow?: string;
  readonly request: HttpRequest;
  /** The Authorization header with labels in place of tokens. */
  readonly authorization: string;
}

/** Whether a call reads a mailbox: what it finds may be for the people of any flow. */
export const readsMailbox = ({ template = '' }: Pick<Exchange, 'template'>): boolean =>
  template.startsWith('outbox.');

export interface PlayedCall {
  readonly outcome: HttpOutcome;
  readonly timing: Pick<Exchange, 'startedAt' | 'durationMs' | 'retries' | 'attempts'>;
  /** By the monotonic clock. */
  readonly at: Interval;
  /** Whether the run itself made the same call once more afterwards. */
  readonly again: boolean;
}

export type MadeCall = AskedCall & PlayedCall;

export interface Tape {
  /** Records a call; a replay records nothing. */
  keep(call: MadeCall): void;
  /** Gives the recorded outcome of a call; `null` in a run that calls its target itself. */
  readonly play: ((call: AskedCall) => Promise<PlayedCall>) | null;
  /** Flows that were judged after the run could send nothing more. */
  readonly lost: Set<string>;
  /** Whether a call of a flow was not in the recording, whose run did something else then: what came says nothing. */
  lacks?(flow: string): boolean;
}

/** The body that was sent, without a multipart boundary, which is random: the text, or the hash where it is no text. */
export function sentBy({ headers, body }: HttpRequest): string {
  if (!body || body.length === 0) return '';
  const [, boundary] = /boundary="?([^";]+)/.exec(headerOf(headers, 'content-type') ?? '') ?? [];
  const text = exactTextOf(headers, body);
  if (text !== null) return boundary === undefined ? text : text.replaceAll(boundary, 'boundary');
  const latin = body.toString('latin1');
  const bytes = boundary === undefined ? latin : latin.replaceAll(boundary, 'boundary');
  return `sha256 ${createHash('sha256').update(bytes, 'latin1').digest('hex')}`;
}

/** The key by which a recorded call is found: equal calls have equal keys. */
export function keyOfCall(
  { check = '', row = '', purpose, operation, template = '' }: KeptCall['about'],
  call: Pick<KeptCall, 'method' | 'url' | 'authorization' | 'sent'>,
): string {
  const { method, url, authorization, sent } = call;
  // Earlier versions recorded `confirmation` in place of `cross-check`.
  const why = purpose === 'confirmation' ? 'cross-check' : purpose;
  return JSON.stringify([check, row, why, operation, template, method, url, authorization, sent]);
}
