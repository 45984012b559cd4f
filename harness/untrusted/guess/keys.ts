/** Names under which services put the facts of a callback, and how the key of a leaf is found. */
import { type Leaf, plainKey } from '../payload/tree.ts';

/** Keys that name an event, the surest first; those of the last group only close to the root. */
export const eventKeys: readonly (readonly string[])[] = [
  [
    ...['callbacktype', 'callbackcode', 'callbackevent', 'callbackeventtype'],
    ...['eventcode', 'eventtype', 'eventname', 'notificationtype'],
    ...['webhookevent', 'webhookeventtype', 'webhooktype'],
  ],
  ['event', 'callback', 'notification', 'eventid'],
  ['type', 'code', 'action'],
];

/** Objects that only wrap the facts of the event. */
const wrappers = [
  ...['event', 'callback', 'notification', 'webhook', 'data', 'payload'],
  ...['message', 'body', 'detail', 'header', 'meta', 'metadata'],
];

export const eventHeaders = ['x-callback-type', 'x-event-type', 'x-event', 'x-webhook-event', 'ce-type'];

export const requestKeys = ['requestid', 'signaturerequestid', 'signrequestid', 'signingrequestid'];
export const requestParents = ['request', 'signaturerequest', 'signrequest', 'signingrequest'];

/** Keys of the one person whom the event is about. */
export const actorKeys = [
  ...['signatory', 'signatoryid', 'signatoryemail', 'signatoryname'],
  ...['signer', 'signerid', 'signeremail', 'signername'],
  ...['participant', 'participantid', 'participantemail'],
  ...['recipient', 'recipientid', 'recipientemail'],
  ...['completedby', 'signedby', 'actor'],
];

/** Keys of other people in a payload than the one who completed. */
export const keysOfOthers =
  /next|pending|remaining|current|previous|sender|author|owner|creator|createdby|initiator|requester|^ccs?$|carboncopy/;

export const timeKeys = [
  ...['eventtime', 'eventtimestamp', 'eventdate', 'occurredat', 'callbacktime'],
  ...['timestamp', 'time', 'datetime', 'date'],
];

/** x-webhook-id and the like are left out: they often name the subscription, which all deliveries share. */
export const deliveryHeaders = ['webhook-id', 'x-delivery-id', 'x-event-id', 'idempotency-key', 'ce-id'];
export const deliveryKeys = ['deliveryid', 'notificationid', 'messageid', 'eventid'];

/** The key that names a leaf: the text of an XML element with attributes (`#text`) takes the name of the element. */
export const keyOf = (leaf: Leaf): string => plainKey(nameAt(leaf.path, leaf.path.length - 1) ?? '');

/** The key of the object around a leaf; empty at the root. */
export function parentOf(leaf: Leaf): string {
  const own = leaf.path.at(-1) === '#text' ? 3 : 2;
  return plainKey(leaf.path.at(-own) ?? '');
}

/** Whether only wrapping objects stand between the root and a leaf. */
export function isNearRoot(leaf: Leaf): boolean {
  const own = leaf.path.at(-1) === '#text' ? 2 : 1;
  return leaf.path.slice(0, -own).every((key) => wrappers.includes(plainKey(key)));
}

function nameAt(path: readonly string[], index: number): string | undefined {
  const key = path[index];
  return (key === '#text' || key === '') && index > 0 ? path[index - 1] : key;
}
