/** Faults of endpoint 4. */
import { type FaultEntries, instead, ofId, ofJson, ofOptionalType, required } from './kinds.ts';

export const skeletonFaults = {
  'skeleton.created/callback-url-demanded': 'a body without CallbackUrl is refused',
  'skeleton.created/500': 'every creation of type 0 is answered with 500',
  'service.signatories-added-after/demanded-at-creation':
    'a creation of type 0 without Signatories is refused',
  ...ofJson('skeleton.response-json'),
  ...ofId('skeleton.request-id', 'requestId'),
  'skeleton.request-id-unique/same': 'every request has the same requestId',
  'skeleton.request-id-unique/third': 'every request but the first two has the same requestId',
  'skeleton.refused-without-effect/notified': 'a creation that is refused with 400 is notified as event 1',
  'skeleton.refused-without-effect/notified-without-message':
    'a creation that is refused for its Message is notified as event 1',
  'skeleton.refused-without-effect/notified-without-documents':
    'a creation that is refused for its list of Documents is notified as event 1',
  'skeleton.refused-without-effect/notified-without-audit-details':
    'a creation that is refused for missing AuditDetails is notified as event 1',
  'skeleton.refused-without-effect/notified-expired-token':
    'a creation that is refused for an expired access token is notified as event 1',
  'skeleton.refused-without-effect/notified-without-token':
    'a creation that is refused for a missing or invalid access token is notified as event 1',
  'skeleton.refused-without-effect/notified-cut-off':
    'a creation whose body is cut off is notified as event 1',
  'skeleton.refused-without-effect/notified-plain-text':
    'a creation that is refused for its Content-Type is notified as event 1',
  'skeleton.refused-without-effect/notified-unknown-document':
    'a creation that is refused for an unknown document token is notified as event 1',
  'skeleton.request-id-usable/other': 'requestId is not the id of the request',
  'skeleton.request-id-usable/with-documents':
    'requestId is not the id of the request where it has several documents',
  ...instead('skeleton.several-documents', 'more than one document token', 'refused', 500),
  'skeleton.several-documents/with-callback-url-refused':
    'more than one document token is refused in a body with CallbackUrl',
  'skeleton.several-documents/docx-first-refused': 'a DOCX is refused before documents of other formats',
  'skeleton.callback-url/refused': 'a body with CallbackUrl is refused',
  'skeleton.callback-types/0-refused': 'code 0 in CallbackTypes is refused',
  'skeleton.callback-types/1-refused': 'code 1 in CallbackTypes is refused',
  'skeleton.callback-types/2-refused': 'code 2 in CallbackTypes is refused',
  'skeleton.callback-types/3-refused': 'code 3 in CallbackTypes is refused',
  'skeleton.callback-types/first-alone-counts': 'of several codes in CallbackTypes only the first counts',
  'skeleton.callback-types/last-alone-counts': 'of several codes in CallbackTypes only the last counts',
  'skeleton.callback-types/3-alone-refused': 'code 3 alone in CallbackTypes is refused',
  'skeleton.callback-types/unsorted-refused': 'codes in CallbackTypes that do not ascend are refused',
  'skeleton.completed-documents-attached/true-refused': 'CompletedDocumentsAttached true is refused',
  'skeleton.completed-documents-attached/several-true-refused':
    'CompletedDocumentsAttached true is refused beside several documents',
  'skeleton.completed-documents-attached/false-refused': 'CompletedDocumentsAttached false is refused',
  'skeleton.connections/refused': 'Connections is refused',
  'skeleton.connections/several-documents-refused': 'Connections is refused beside several documents',
  ...required('skeleton.title', 'a Title'),
  'skeleton.title-required/with-callback-url': 'a body with CallbackUrl is accepted without Title',
  'skeleton.message-required/with-two-documents': 'a body with two documents is accepted without Message',
  'skeleton.audit-details-required/with-attached':
    'a body with CompletedDocumentsAttached is accepted without AuditDetails',
  'skeleton.callback-url/query-refused': 'a CallbackUrl with a query is refused',
  'skeleton.callback-types/first-two-refused': 'codes 1 and 2 alone in CallbackTypes are refused',
  'skeleton.audit-details-type/list-accepted': 'a list of texts as AuditDetails is accepted',
  'skeleton.title-type/list-accepted': 'a list of texts as Title is accepted',
  ...required('skeleton.message', 'a Message'),
  ...required('skeleton.documents', 'Documents'),
  ...required('skeleton.audit-details', 'AuditDetails', { other: 'a text' }),
  ...instead('skeleton.documents-not-empty', 'an empty list of Documents', 'accepted', 500),
  'skeleton.documents-not-empty/with-callback-url-accepted':
    'an empty list of Documents is accepted in a body with CallbackUrl',
  'skeleton.documents-type/second-item-accepted': 'what is no string is left out of Documents after a token',
  'skeleton.title-type/with-callback-url-accepted':
    'what is no string is accepted as Title in a body with CallbackUrl',
  'skeleton.message-type/with-attached-accepted':
    'what is no string is accepted as Message where documents are to be attached',
  'skeleton.documents-type/null-left-out': 'null is left out of Documents',
  'skeleton.documents-required/with-connections': 'a body with Connections is accepted without Documents',
  'skeleton.documents-type/items-accepted': 'an array of objects as Documents is accepted',
  ...instead('skeleton.unknown-document', 'a document token that does not exist', 'accepted', 400, 500),
  'skeleton.unknown-document/or-invalidated-refused':
    'a document token that does not exist, or is no longer valid, is answered with 400',
  'skeleton.unknown-document/second-accepted': 'only the first token of Documents is looked up',
  'skeleton.unknown-document/first-accepted': 'only the last token of Documents is looked up',
  'skeleton.unknown-document/middle-accepted': 'only the first and the last token of Documents are looked up',
  'skeleton.unknown-document/third-accepted': 'the first two tokens of Documents are looked up',
  'skeleton.unknown-document/first-sign-ignored': 'the first character of a document token is not compared',
  'skeleton.unknown-document/longer-accepted': 'a document token with characters more is taken for the token',
  'skeleton.unknown-document/shorter-accepted':
    'a document token with one character less is taken for the token',
  'skeleton.unknown-document/last-sign-ignored': 'the last character of a document token is not compared',
  'skeleton.unknown-document/of-a-request-accepted': 'the id of a request is taken for a document token',
  'skeleton.unknown-document/with-callback-url-accepted':
    'a document token that does not exist is accepted in a body with CallbackUrl',
  'skeleton.unknown-document/with-callback-url-400':
    'a document token that does not exist is answered with 400 in a body with CallbackUrl',
  'skeleton.unknown-document-message/with-callback-url-other':
    'the 404 for a document token has another message in answer to a body with CallbackUrl',
  'skeleton.unknown-document-message/of-invalidated-second':
    'the 404 for the second of two document tokens, no longer valid, has another message',
  'skeleton.unknown-document-message/of-invalidated':
    'the 404 for a document token that is no longer valid has another message',
  'skeleton.unknown-document-message/other': 'the 404 for a document token has another message',
  'skeleton.unknown-document-message/second-other':
    'the 404 for the second of two document tokens has another message',
  ...instead('skeleton.invalidated-document', 'a document token that is no longer valid', 'accepted', 410),
  'skeleton.invalidated-document/second-accepted':
    'a document token that is no longer valid is accepted after a valid one',
  'skeleton.invalidated-document/middle-accepted':
    'a document token that is no longer valid is accepted between two valid ones',
  'skeleton.invalidated-document/docx-accepted': 'the token of a DOCX that is no longer valid is accepted',
  'skeleton.invalidated-document/used-accepted':
    'a document token that is no longer valid is accepted where a request was created with it before',
  'skeleton.invalidated-document/with-callback-url-accepted':
    'a document token that is no longer valid is accepted in a body with CallbackUrl',
  ...ofOptionalType('skeleton.callback-url-type', 'a CallbackUrl'),
  ...ofOptionalType('skeleton.callback-types-type', 'CallbackTypes'),
  'skeleton.callback-types-type/second-item-accepted':
    'what is no integer is left out of CallbackTypes after an integer',
  ...ofOptionalType('skeleton.completed-documents-attached-type', 'CompletedDocumentsAttached'),
  ...ofOptionalType('skeleton.connections-type', 'Connections'),
  ...ofOptionalType('skeleton.author-type-type', 'an AuthorType'),
  ...ofOptionalType('skeleton.author-ip-address-type', 'an AuthorIPAddress'),
  ...ofOptionalType('skeleton.device-type', 'a Device'),
  'skeleton.author-ip-address-v6/refused': 'an IPv6 address is refused',
} as const satisfies FaultEntries;
