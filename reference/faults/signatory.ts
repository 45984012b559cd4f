/** Faults of endpoint 5, the OTP object aside. */
import { type FaultEntries, instead, ofId, ofJson, ofOptionalType, required } from './kinds.ts';

export const signatoryFaults = {
  'signatory.added/private-message-demanded': 'a body without PrivateMessage is refused',
  'signatory.added/500': 'every call of endpoint 5 is answered with 500',
  'signatory.added/three-documents-refused': 'nobody can be added to a request with three documents',
  'signatory.added/attached-refused': 'nobody can be added where documents are to be attached',
  'signatory.added/docx-refused': 'nobody can be added to a request with a DOCX',
  'signatory.added/heard-coded-refused': 'who has to enter a code is refused in a request with CallbackUrl',
  ...ofJson('signatory.response-json'),
  'signatory.request-id-echoed/exchanged':
    'the answer has signatoryId as requestId, and requestId as signatoryId',
  'signatory.request-id-echoed/other': 'the answer carries the requestId of no request',
  'signatory.request-id-echoed/second-other': 'only the answer to a first signatory carries the requestId',
  'signatory.request-id-echoed/missing': 'the answer carries no requestId',
  ...ofId('signatory.signatory-id', 'signatoryId'),
  'signatory.signatory-id-unique/same': 'all signatories of a request have the same signatoryId',
  'signatory.signatory-id-usable/lost-beside-another':
    'of people who are added to a request at the same time only the last one stays',
  'signatory.signatory-id-usable/third-unknown': 'later calls do not find the third signatory of a request',
  'signatory.signatory-id-usable/third-not-stored': 'the third signatory is answered and not stored',
  'signatory.signatory-id-usable/second-not-stored': 'the second signatory is answered and not stored',
  'signatory.signatory-id-usable/with-message-not-stored':
    'who has a PrivateMessage is answered and not stored',
  'signatory.signatory-id-usable/fifth-not-stored':
    'the answer to a fifth signatory who has to act is right, and nothing is stored',
  'signatory.many/second-refused': 'a second signatory is refused',
  'signatory.many/fourth-refused': 'a fourth signatory is refused',
  'signatory.many/coded-beside-others-refused': 'who has to enter a code is refused beside others',
  'signatory.many/third-500': 'a third signatory is answered with 500',
  'signatory.many/second-code-refused': 'a second person who needs a code is refused',
  'signatory.many/forgotten': 'a request is not found any more once somebody was added',
  'signatory.many/notified-third-refused': 'an Order above 2 is refused in a request with CallbackUrl',
  'signatory.many/later-approver-refused': 'an approver with an Order above 1 is refused',
  'signatory.many/second-approver-refused': 'a second approver of a request is refused',
  'signatory.many/second-cc-refused': 'a second CC of a request is refused',
  'signatory.many/cc-beside-others-refused': 'a CC is refused beside somebody else',
  'signatory.many/signer-beside-cc-refused': 'a signer is refused beside a CC',
  'signatory.sequential-orders/lower-later-refused': 'an Order below one that was added is refused',
  'signatory.sequential-orders/lower-later-409': 'an Order below one that was added is answered with 409',
  'signatory.sequential-orders/refused': 'an Order above 1 is refused',
  'signatory.sequential-orders/even-above-2-refused': 'an even Order above 2 is refused',
  'signatory.sequential-orders/odd-refused': 'an odd Order above 1 is refused',
  'signatory.sequential-orders/second-signer-refused': 'a second signer of a request is refused',
  'signatory.parallel-orders/roles-refused': 'the same Order is refused to people with different roles',
  'signatory.parallel-orders/cc-first-refused': 'a CC is refused where nobody else was added before',
  'signatory.parallel-orders/refused': 'a second signatory with the same Order is refused',
  'signatory.parallel-orders/500': 'a second signatory with the same Order is answered with 500',
  'signatory.parallel-orders/409': 'a second signatory with the same Order is answered with 409',
  'signatory.parallel-orders/second-approver-refused':
    'beside a signer, a second approver with the same Order is refused',
  'signatory.private-message/of-approver-refused': 'an approver with PrivateMessage is refused',
  'signatory.color/of-cc-refused': 'a CC with Color is refused',
  'signatory.private-message/of-cc-refused': 'a CC with PrivateMessage is refused',
  'signatory.private-message/refused': 'a body with PrivateMessage is refused',
  'signatory.color/refused': 'a body with Color is refused',
  'signatory.color/500': 'a body with Color is answered with 500',
  'signatory.role-signer/refused': 'SignatoryType 1 is refused',
  'signatory.role-approver/coded-refused': 'an approver who has to enter a code is refused',
  'signatory.role-approver/coded-first-refused':
    'an approver with Order 1 who has to enter a code is refused',
  'signatory.role-approver/refused': 'SignatoryType 2 is refused',
  'signatory.role-approver/first-order-refused': 'an approver with Order 1 is refused',
  'signatory.role-cc/refused': 'SignatoryType 3 is refused',
  'signatory.role-cc/first-order-refused': 'a CC with Order 1 is refused',
  'signatory.role-values/below-accepted': 'a SignatoryType below 1 is accepted',
  'signatory.role-values/above-accepted': 'a SignatoryType above 3 is accepted',
  'signatory.role-values/500': 'a SignatoryType other than 1, 2 and 3 is answered with 500',
  ...required('signatory.email', 'an Email'),
  ...required('signatory.name', 'a Name'),
  'signatory.email-required/of-approver': 'an approver is accepted without Email',
  'signatory.email-required/of-cc': 'a CC is accepted without Email',
  'signatory.email-required/of-second': 'whoever is not the first of a request is accepted without Email',
  'signatory.email-required/second-422':
    'a body without Email is answered with 422 for whoever is not the first of a request',
  'signatory.color/second-refused': 'Color is refused to whoever is not the first of a request',
  'signatory.color/second-500': 'Color of whoever is not the first of a request is answered with 500',
  'signatory.email-required/with-private-message': 'who has a PrivateMessage is accepted without Email',
  'signatory.name-required/of-approver': 'an approver is accepted without Name',
  'signatory.name-required/of-cc': 'a CC is accepted without Name',
  'signatory.order-required/of-cc': 'a CC is accepted without Order',
  'signatory.order-required/with-otp': 'who has an OTP that is required is accepted without Order',
  'signatory.role-required/later-order': 'who has an Order above 1 is accepted without SignatoryType',
  'signatory.deleted-request/sent': 'a deleted request goes on taking signatories where it was sent',
  'signatory.deleted-request/with-people': 'a deleted request goes on taking signatories where it has some',
  'signatory.deleted-request/empty': 'a deleted request goes on taking signatories where it has none',
  'signatory.name-type/list-accepted': 'a list of texts as Name is accepted',
  'signatory.email-type/of-cc-accepted': 'what is no string is accepted as Email of a CC',
  'signatory.email-type/of-approver-accepted': 'what is no string is accepted as Email of an approver',
  ...required('signatory.order', 'an Order'),
  ...required('signatory.role', 'a SignatoryType'),
  ...instead('signatory.unknown-request', 'a requestId that does not exist', 'accepted', 400, 500),
  'signatory.unknown-request/or-deleted-refused':
    'a requestId that does not exist, or was deleted, is answered with 400',
  'signatory.unknown-request/of-a-document-accepted': 'a document token is taken for the id of a request',
  'signatory.unknown-request/of-a-signatory-accepted': 'a signatoryId is taken for the id of its request',
  'signatory.unknown-request/first-sign-ignored': 'the first character of a requestId is not compared',
  'signatory.unknown-request/last-sign-ignored': 'the last character of a requestId is not compared',
  'signatory.unknown-request/longer-accepted': 'a requestId with characters more is taken for the request',
  'signatory.unknown-request/shorter-accepted':
    'a requestId with one character less is taken for the request',
  'signatory.unknown-request/of-a-cc-accepted': 'a requestId that does not exist is accepted for a CC',
  'signatory.unknown-request/with-otp-accepted':
    'a requestId that does not exist is accepted for who has an OTP that is required',
  'signatory.unknown-request/of-a-cc-400': 'a requestId that does not exist is answered with 400 for a CC',
  'signatory.unknown-request-message/of-approver':
    'the 404 for a requestId has another message in answer to an approver',
  'signatory.unknown-request-message/of-deleted-cc':
    'the 404 for a deleted request has another message in answer to a CC',
  'signatory.unknown-request-message/of-deleted': 'the 404 for a deleted request has another message',
  'signatory.unknown-request-message/other': 'the 404 for a requestId has another message',
  ...instead('signatory.deleted-request', 'the requestId of a deleted request', 'accepted', 410),
  'signatory.deleted-request/of-an-approver-400': 'a deleted request is answered with 400 for an approver',
  'signatory.deleted-request/of-an-approver-accepted': 'a deleted request goes on taking approvers',
  ...ofOptionalType('signatory.private-message-type', 'a PrivateMessage'),
  ...ofOptionalType('signatory.color-type', 'a Color'),
  'signatory.refused-without-effect/added':
    'who was refused for a missing MobileNumber is added all the same',
  'signatory.refused-without-effect/added-invalid-number':
    'who was refused for a MobileNumber that is no valid number is added all the same',
  'signatory.refused-without-effect/added-without-token':
    'who was refused for a missing access token is added all the same',
  'signatory.refused-without-effect/added-invalid-token':
    'who was refused for an invalid access token is added all the same',
  'signatory.refused-without-effect/added-expired-token':
    'who was refused for an expired access token is added all the same',
  'signatory.refused-without-effect/added-without-order':
    'who was refused for a missing Order is added all the same',
  'signatory.refused-without-effect/added-without-role':
    'who was refused for a missing SignatoryType is added all the same, as a CC',
  'signatory.refused-without-effect/added-without-name':
    'who was refused for a missing Name is added all the same',
  'signatory.refused-without-effect/added-cut-off':
    'who stands in a body that is cut off is added all the same',
  'signatory.refused-without-effect/added-without-otp-fields':
    'who was refused for an OTP object without fields is added all the same',
  'signatory.refused-without-effect/never-again': 'who was refused can be added no more',
  'signatory.refused-without-effect/becomes-cc':
    'who was added becomes a CC when another addition of theirs is refused',
  'signatory.refused-without-effect/takes-back': 'a refused addition takes back the one before',
  'signatory.refused-without-effect/added-approver': 'an approver who was refused is added all the same',
  'signatory.refused-without-effect/added-cc': 'a CC who was refused is added all the same',
  'signatory.refused-without-effect/added-to-others':
    'who was refused for an unknown requestId is added to every request that is not sent yet',
  'signatory.refused-without-effect/locks': 'after a refused addition nobody else can be added',
  'signatory.refused-without-effect/deletes': 'a refused addition deletes the request',
  'signatory.refused-without-effect/stops': 'after a refused addition the request cannot be sent',
  'signatory.refused-without-effect/written-to': 'who was refused is written to',
  'signatory.refused-without-effect/emails-replaced':
    'what is written to those who are there goes to who was refused',
  'signatory.refused-without-effect/names-lost': 'a refused addition changes the Name of everybody',
  'signatory.refused-without-effect/private-messages-lost':
    'after a refused addition nobody of the request is shown their PrivateMessage',
  'signatory.refused-without-effect/codes-lost':
    'after a refused addition nobody of the request is asked for a code',
  'signatory.refused-without-effect/order-raised':
    'a refused addition of somebody who was added before raises their Order',
  'signatory.refused-without-effect/orders-reset':
    'a refused addition gives everybody of the request Order 1',
  'signatory.refused-without-effect/callbacks-lost':
    'after a refused addition no callback of the request is sent',
  'signatory.refused-without-effect/nothing-attached':
    'after a refused addition no documents are attached to the final callback',
  'signatory.refused-without-effect/message-changed': 'a refused addition empties Message of the request',
} as const satisfies FaultEntries;
