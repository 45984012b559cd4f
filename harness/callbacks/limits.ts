/** What the listener takes at most, and the names under which it refuses more. */

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

/**
 * Why a delivery is not stored: the status that it is answered with, `null` where nobody is left to be answered, what is
 * told of it, with `#` for the limit, and the limit that was reached.
 */
const refusals = {
  'body-size': [413, 'the body is larger than # bytes', 'bodyBytes'],
  'header-size': [431, 'the header fields are larger than # bytes', 'headerBytes'],
  'deliveries-per-check': [429, 'this address already took # deliveries', 'deliveriesPerCheck'],
  deliveries: [429, 'the listener already took # deliveries', 'deliveries'],
  bytes: [413, 'the bodies of all deliveries are larger than # bytes', 'bytes'],
  held: [429, '# deliveries already wait for their request ids to be known', 'held'],
  'arrival-time': [408, 'the delivery did not arrive whole within # ms', 'arrivalMs'],
  incomplete: [null, 'the sender closed the connection before the body was complete', null],
  malformed: [400, 'the delivery is no HTTP message', null],
  storage: [503, 'the body could not be written to disk', null],
} as const satisfies Readonly<Record<string, readonly [number | null, string, keyof ListenerLimits | null]>>;

export type RefusalReason = keyof typeof refusals;

export function refusalStatus(reason: RefusalReason): number | null {
  return refusals[reason][0];
}

/** The sentence that tells a refusal, with the limit that was reached. */
export function refusalMessage(reason: RefusalReason, limits: ListenerLimits): string {
  const [, told, limit] = refusals[reason];
  return limit === null ? told : `${told.replace('#', String(limits[limit]))} (callbacks.limits.${limit})`;
}
