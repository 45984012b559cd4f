/** What the listener takes at most, and the names under which it refuses more. */
import type { Moment } from '../../record/clock.ts';

export interface ListenerLimits {
  /** Bytes of one body. */
  readonly bodyBytes: number;
  /** Bytes of all header fields of one delivery. */
  readonly headerBytes: number;
  /** Deliveries to one address. */
  readonly deliveriesPerCheck: number;
  /** Deliveries to all addresses together. */
  readonly deliveries: number;
  /** Bytes of all bodies together, those that are just arriving included. */
  readonly bytes: number;
  /** Milliseconds that one delivery may take to arrive. */
  readonly arrivalMs: number;
  /** Connections that are open at the same time. */
  readonly connections: number;
  /** Milliseconds for which a delivery to the one fixed URL waits for somebody to claim its request id. */
  readonly heldMs: number;
  /** Deliveries that wait like this at the same time. */
  readonly held: number;
}

export const limitDefaults: ListenerLimits = {
  // Three documents of 16 MB in base64: more than the receivers that integrators lost files on.
  bodyBytes: 64 * 1024 * 1024,
  // What common servers take.
  headerBytes: 16 * 1024,
  // A check causes about ten events; a target that repeats each of them ten times still fits.
  deliveriesPerCheck: 200,
  // Some hundred requests, each with the former.
  deliveries: 20_000,
  bytes: 1024 * 1024 * 1024,
  // 64 MiB over a line of 10 Mbit/s.
  arrivalMs: 60_000,
  connections: 1_000,
  // A creation is answered long before; event 1 may overtake that answer.
  heldMs: 60_000,
  // As many requests as a run creates at the same time, and foreign ones beside them.
  held: 200,
};

/** Why a delivery was not stored. */
export type RefusalReason =
  | 'body-size'
  | 'header-size'
  | 'deliveries-per-check'
  | 'deliveries'
  | 'bytes'
  | 'held'
  | 'arrival-time'
  | 'incomplete'
  | 'malformed'
  | 'storage';

/** The status that names each reason; `null` where nobody is left to be answered. */
export const refusalStatus: Readonly<Record<RefusalReason, number | null>> = {
  'body-size': 413,
  'header-size': 431,
  'deliveries-per-check': 429,
  deliveries: 429,
  bytes: 413,
  held: 429,
  'arrival-time': 408,
  incomplete: null,
  malformed: 400,
  storage: 503,
};

/** A delivery that was refused: counted and named, its body not stored. */
export interface Refusal {
  readonly reason: RefusalReason;
  /** One sentence for people. */
  readonly message: string;
  readonly status: number | null;
  readonly method: string;
  readonly target: string;
  readonly at: Moment;
}

/** The sentence that tells a refusal, with the limit that was reached. */
export function refusalMessage(reason: RefusalReason, limits: ListenerLimits): string {
  switch (reason) {
    case 'body-size':
      return `the body is larger than ${limits.bodyBytes} bytes (callbacks.limits.bodyBytes)`;
    case 'header-size':
      return `the header fields are larger than ${limits.headerBytes} bytes (callbacks.limits.headerBytes)`;
    case 'deliveries-per-check':
      return `this address already took ${limits.deliveriesPerCheck} deliveries (callbacks.limits.deliveriesPerCheck)`;
    case 'deliveries':
      return `the listener already took ${limits.deliveries} deliveries (callbacks.limits.deliveries)`;
    case 'bytes':
      return `the bodies of all deliveries are larger than ${limits.bytes} bytes (callbacks.limits.bytes)`;
    case 'held':
      return `${limits.held} deliveries already wait for their request ids to be known (callbacks.limits.held)`;
    case 'arrival-time':
      return `the delivery did not arrive whole within ${limits.arrivalMs} ms (callbacks.limits.arrivalMs)`;
    case 'incomplete':
      return 'the sender closed the connection before the body was complete';
    case 'malformed':
      return 'the delivery is no HTTP message';
    case 'storage':
      return 'the body could not be written to disk';
  }
}
