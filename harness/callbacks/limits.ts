/** The reasons for which the listener refuses deliveries, with status and words. */
import type { ListenerLimits } from '../profile/callback-settings.ts';

/** Why a delivery is not stored: the status (`null`: the sender is gone), the words (`#`: the limit), the limit's name. */
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

export const refusalStatus = (reason: RefusalReason): number | null => refusals[reason][0];

export function refusalMessage(reason: RefusalReason, limits: ListenerLimits): string {
  const [, told, limit] = refusals[reason];
  return limit === null ? told : `${told.replace('#', String(limits[limit]))} (callbacks.limits.${limit})`;
}
