/** Deliveries: one call of the target to a callback address, as it came and as run.json carries it. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type Static, Type } from '@sinclair/typebox';
import type { Moment } from './clock.ts';
import { bodySchema, fieldsOfRaw, type HeaderField, headersSchema } from './exchange.ts';
import { type DeepReadonly, list, object, optional, orNull, text, time } from './schema-parts.ts';

/** The bytes of a body: small ones in memory, large ones in a file. Plain JSON, so that it crosses processes. */
export type StoredBody = {
  readonly size: number;
  /** SHA-256 of the bytes, hexadecimal. */
  readonly sha256: string;
} & ({ readonly base64: string } | { readonly file: string });

/** What the sender was answered. `abandoned`: it closed the connection before the answer was complete. */
export type Answered = { readonly kind: 'status'; readonly status: number } | { readonly kind: 'abandoned' };

/** One delivery that arrived whole. Nothing in it is interpreted or redacted. */
export interface Delivery {
  /** Number among all deliveries of the listener, from 0, in the order in which they began. */
  readonly index: number;
  /** The name of the address that it was sent to: usually that of a flow. */
  readonly check: string;
  readonly method: string;
  /** The request target as received: path and query. */
  readonly target: string;
  /** The whole URL, with the host that the sender named. */
  readonly url: string;
  /** Header fields in their order and spelling; repeated ones stand apart. */
  readonly headers: readonly HeaderField[];
  readonly body: StoredBody;
  /** The address that the connection came from, and the one that a proxy names as its client. */
  readonly from?: string;
  readonly started: Moment;
  /** When the last byte of the body was there. */
  readonly arrived: Moment;
  /** When the answer was out, or the connection ended. */
  readonly finished: Moment;
  readonly answered: Answered;
}

/** What decoding and authenticity look at: a delivery with its bytes at hand. */
export interface Message extends Pick<Delivery, 'method' | 'target' | 'url' | 'headers'> {
  readonly body: Uint8Array;
}

export async function bytesOf(body: StoredBody): Promise<Buffer> {
  return 'file' in body ? readFile(body.file) : Buffer.from(body.base64, 'base64');
}

export async function messageOf(
  delivery: Pick<Delivery, 'method' | 'target' | 'url' | 'headers' | 'body'>,
): Promise<Message & { readonly body: Buffer }> {
  const { method, target, url, headers } = delivery;
  return { method, target, url, headers, body: await bytesOf(delivery.body) };
}

/** The names in the query of a URL or of a request target. */
export function queryNames(url: string): readonly string[] {
  return [...new URLSearchParams(url.split('?')[1]).keys()];
}

/** Value of a query parameter of a request target; the first one where it is repeated. */
export function queryOf(target: string, name: string): string | undefined {
  const start = target.indexOf('?');
  return start < 0 ? undefined : (new URLSearchParams(target.slice(start)).get(name) ?? undefined);
}

/** A delivery of which the address and the answer are not known yet. */
export type Recorded = Omit<Delivery, 'check' | 'answered' | 'finished'>;

export function recordOf(
  index: number,
  request: IncomingMessage,
  started: Moment,
  { body, arrived }: { readonly body: StoredBody; readonly arrived: Moment },
): Recorded {
  const { method = '', url: target = '/' } = request;
  const host = request.headers.host ?? 'unknown';
  const headers = fieldsOfRaw(request.rawHeaders);
  const url = /^https?:\/\//i.test(target) ? target : `http://${host}${target}`;
  const from = senderOf(request);
  return { index, method, target, url, headers, body, from, started, arrived };
}

/** `192.0.2.7`, or `127.0.0.1 for 192.0.2.7` behind a proxy that says so (X-Forwarded-For). */
export function senderOf({
  socket,
  headers,
}: Pick<IncomingMessage, 'socket' | 'headers'>): string | undefined {
  const { remoteAddress } = socket;
  const [origin = ''] = String(headers['x-forwarded-for'] ?? '').split(',', 1);
  // A zone (`fe80::1%eth0`) may be any text of any length.
  const isAddress = isIP(origin.trim()) > 0 && !origin.includes('%');
  return remoteAddress && isAddress ? `${remoteAddress} for ${origin.trim()}` : remoteAddress;
}

/** What came to the listener and was no callback of the run, counted by kind; also in run.json. */
export const unattributedSchema = object({
  kind: text(
    "`unknown-request`: names a request that the run did not create; `unknown-address`: went to nobody's address; `connections`: dropped, since too many were open; else the limit that was reached.",
  ),
  count: Type.Integer({ minimum: 1 }),
  first: time,
  last: time,
  from: list(text(), 'Addresses that it came from, ten at most.'),
});

export type Unattributed = DeepReadonly<Static<typeof unattributedSchema>>;

/** A delivery in run.json: redacted, and without the documents that it brought. */
export const deliverySchema = object({
  id: text(),
  check: optional(text()),
  event: optional(Type.Integer({ description: 'Event code, when the payload could be read.' })),
  unknownRequest: optional(text('The request that it names, where the run did not create that.')),
  from: optional(text('Address of the sender.')),
  receivedAt: object({ start: time, end: time }, 'First and last byte.'),
  method: text(),
  url: text(),
  headers: headersSchema,
  body: orNull(bodySchema),
  answered: orNull(Type.Integer(), 'Status of our answer; null when the connection had ended before.'),
});

export type RecordedDelivery = DeepReadonly<Static<typeof deliverySchema>>;
