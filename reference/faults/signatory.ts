/** Faults of endpoint 5, the OTP object aside. */
import type { FaultEntries } from './fault.ts';
import { instead, ofId, ofJson, ofOptionalType, required } from './kinds.ts';

export const signatoryFaults = {
  'signatory.added/private-message-demanded': 'a body without PrivateMessage is refused',
  'signatory.added/color-demanded': 'a body without Color is refused',
  'signatory.added/500': 'every call of endpoint 5 is answered with 500',
  ...ofJson('signatory.response-json'),
  'signatory.request-id-echoed/other': 'the answer carries the requestId of no request',
  'signatory.request-id-echoed/second-other': 'only the answer to a first signatory carries the requestId',
  'signatory.request-id-echoed/missing': 'the answer carries no requestId',
  'signatory.request-id-echoed/signatory-id': 'the answer carries the signatoryId as requestId',
  ...ofId('signatory.signatory-id', 'signatoryId'),
  'signatory.signatory-id-unique/same': 'all signatories of a request have the same signatoryId',
  'signatory.signatory-id-usable/third-unknown': 'later calls do not find the third signatory of a request',
  'signatory.signatory-id-usable/fifth-not-stored':
    'the answer to a fifth signatory is right, and nothing is stored',
  'signatory.many/second-refused': 'a second signatory is refused',
  'signatory.many/fourth-refused': 'a fourth signatory is refused',
  'signatory.many/approver-beside-others-refused': 'an approver is refused beside somebody else',
  'signatory.many/cc-beside-others-refused': 'a CC is refused beside somebody else',
  'signatory.many/signer-beside-cc-refused': 'a signer is refused beside a CC',
  'signatory.sequential-orders/lower-later-refused': 'an Order below one that was added is refused',
  'signatory.sequential-orders/refused': 'an Order above 1 is refused',
  'signatory.parallel-orders/refused': 'a second signatory with the same Order is refused',
  'signatory.private-message/refused': 'a body with PrivateMessage is refused',
  'signatory.color/refused': 'a body with Color is refused',
  'signatory.color/names-only': 'only names of colors are accepted',
  'signatory.role-signer/refused': 'SignatoryType 1 is refused',
  'signatory.role-approver/refused': 'SignatoryType 2 is refused',
  'signatory.role-cc/refused': 'SignatoryType 3 is refused',
  'signatory.role-values/below-accepted': 'a SignatoryType below 1 is accepted',
  'signatory.role-values/above-accepted': 'a SignatoryType above 3 is accepted',
  'signatory.role-values/500': 'a SignatoryType other than 1, 2 and 3 is answered with 500',
  ...required('signatory.email', 'an Email'),
  ...required('signatory.name', 'a Name'),
  ...required('signatory.order', 'an Order'),
  ...required('signatory.role', 'a SignatoryType'),
  ...instead('signatory.unknown-request', 'a requestId that does not exist', 'accepted', 400, 500),
  'signatory.unknown-request/longer-accepted': 'a requestId with characters more is taken for the request',
  'signatory.unknown-request/shorter-accepted':
    'a requestId with one character less is taken for the request',
  'signatory.unknown-request-message/other': 'the 404 for a requestId has another message',
  'signatory.unknown-request-message/of-document': 'the 404 for a requestId speaks of a document token',
  ...instead('signatory.deleted-request', 'the requestId of a deleted request', 'accepted', 410),
  ...ofOptionalType('signatory.private-message-type', 'a PrivateMessage'),
  ...ofOptionalType('signatory.color-type', 'a Color'),
  'signatory.refused-without-effect/added':
    'who was refused for a missing MobileNumber is added all the same',
  'signatory.refused-without-effect/added-without-token':
    'who was refused for a missing access token is added all the same',
  'signatory.refused-without-effect/written-to': 'who was refused is written to',
} as const satisfies FaultEntries;
