/** Faults of callbacks and of what they carry. */
import type { FaultEntries } from './kinds.ts';

export const eventFaults = {
  'events.request-received/lost': 'event 1 is not sent',
  'events.request-received/as-2': 'event 1 is sent as event 2',
  'events.request-received/as-3': 'event 1 is sent as event 3',
  'events.signatory-completed/as-1': 'event 2 is sent as event 1',
  'events.signatory-completed/as-3': 'event 2 is sent as event 3',
  'events.process-completed/as-2': 'event 3 is sent as event 2',
  'events.request-received/attached-as-2': 'event 1 is sent as event 2 where documents are to be attached',
  'events.signatory-completed/coded-as-1': 'event 2 is sent as event 1 for who entered a code',
  'events.signatory-completed/second-as-3': 'event 2 is sent as event 3 for the second who acts',
  'events.process-completed/alone-as-1': 'event 3 is sent as event 1 where nobody takes part but one',
  'events.request-received/beside-another': 'event 1 is not sent where two codes are subscribed to',
  'events.signatory-completed/lost': 'event 2 is not sent',
  'events.request-received/alone-lost': 'event 1 is not sent where it alone is subscribed to',
  'events.request-received/with-code': 'event 1 is not sent where somebody has to enter a code',
  'events.request-received/behind-higher':
    'event 1 is not sent where a higher code comes first in CallbackTypes',
  'events.signatory-completed/first-only': 'event 2 is sent for the first signatory only',
  'events.signatory-completed/last-lost': 'event 2 is not sent for the last signatory',
  'events.signatory-completed/codes-of-url':
    'a request with the CallbackUrl of a later one is notified of the codes of that one',
  'events.signatory-completed-after-action/refused-act':
    'event 2 is sent when somebody tries to sign or approve, and is refused',
  'events.process-completed/never-with-code': 'a request in which somebody enters a code does not complete',
  'events.process-completed-last/two-enough': 'a request is over when two have acted',
  'events.signatory-completed/otp-lost': 'event 2 is not sent for a signatory who entered a code',
  'events.process-completed/lost': 'event 3 is not sent',
  'events.process-completed/beside-cc': 'event 3 is not sent where a CC takes part',
  'events.process-completed/approver-last': 'event 3 is not sent where an approver is the last to act',
  'events.all/as-none': 'code 0 subscribes to nothing',
  'events.all/without-1': 'code 0 does not include event 1',
  'events.all/without-2': 'code 0 does not include event 2',
  'events.all/without-3': 'code 0 does not include event 3',
  'events.all/first-only': 'code 0 includes event 2 of the first signatory only',
  'events.only-subscribed/ignored': 'every event is sent, whatever CallbackTypes lists',
  'events.only-subscribed/2-of-later':
    'event 2 is sent for all but the first to act, whatever CallbackTypes lists',
  'events.only-subscribed/2-of-approver': 'event 2 is sent for approvers, whatever CallbackTypes lists',
  'events.only-subscribed/3-beside-1-and-2': 'with codes 1 and 2 event 3 is sent, too',
  'events.only-subscribed/1-as-all': 'code 1 alone in CallbackTypes stands for all',
  'events.only-subscribed/two-as-all': 'two codes in CallbackTypes stand for all',
  'events.to-callback-url/query-dropped': 'the query string of CallbackUrl is dropped',
  'events.to-callback-url/empty-dropped': 'query parameters of CallbackUrl that are empty are dropped',
  'events.to-callback-url/repeated-dropped':
    'of query parameters of CallbackUrl with the same name only the last is kept',
  'events.to-callback-url/path-cut': 'the last segment of the path of CallbackUrl is dropped',
  'events.to-callback-url/slash-added': 'a slash is added to the path of CallbackUrl',
  'events.to-callback-url/decoded': 'what is percent-encoded in CallbackUrl is decoded',
  'events.to-callback-url/other-request': 'every callback goes to the CallbackUrl of the latest request',
  'events.optional/demanded': 'a request without CallbackUrl is not sent',
  'events.optional/demanded-409': 'sending a request without CallbackUrl is answered with 409',
  'events.optional/cannot-sign': 'nobody can sign a request without CallbackUrl',
  'events.optional/never-completes': 'a request without CallbackUrl does not complete',
  'events.optional/notified': 'a request without CallbackUrl notifies the CallbackUrl of an earlier one',
  'events.signatory-completed-after-action/at-once': 'event 2 is sent when a signatory is invited',
  'events.signatory-completed-after-action/wrong-code': 'event 2 is sent when somebody enters a wrong code',
  'events.signatory-completed-after-action/names-next':
    'event 2 names the signer who is to act next, where there is one',
  'events.signatory-completed-after-action/names-first': 'event 2 always names the first signatory',
  'events.signatory-completed-after-action/names-stranger':
    'event 2 names somebody of another request under way, where there is one',
  'events.signatory-completed-after-action/signs-both':
    'who signs one of two requests signs the other one as well',
  'events.signatory-completed-after-action/same-person':
    'event 2 is sent for every request of the signatory under way, when they sign one of them',
  'events.process-completed-last/after-first-order':
    'a request of type 0 is over when everybody with the lowest Order has acted',
  'events.process-completed-last/first-signature': 'event 3 is sent after the first signature',
  'events.process-completed-last/for-all-of-order': 'who acts counts as all who have the same Order',
  'events.process-completed-last/before-last-2':
    'event 3 is sent before the last event 2, when its signatory is asked',
  'events.received-before-signatures/late': 'event 1 is sent after event 2 of the first signatory',
  'events.signatures-before-completed/late': 'event 2 of the last signer is sent after event 3',
  'events.request-received-first/late': 'event 1 is sent after event 3',
  'events.none-for-cc/sent': 'event 2 is sent for a CC',
  'events.none-for-cc/named-for-others': 'event 2 names a CC, where there is one, whoever has acted',
  'events.documents-attached/none': 'the final callback carries no document',
  'events.documents-attached/not-with-0': 'the final callback carries no document where CallbackTypes is 0',
  'events.documents-attached/not-with-codes':
    'the final callback carries no document where somebody entered a code',
  'events.documents-attached/not-in-parallel':
    'the final callback carries no document where people act in parallel',
  'events.documents-attached/cut': 'the attached PDFs are cut in the middle',
  'events.documents-attached/foreign': 'the attached PDFs are those of somebody else',
  'events.documents-attached/of-another-too': 'a document of another request is attached, too',
  'events.documents-attached/uploaded-beside-trail':
    'the attached PDFs are those that were uploaded, beside an audit trail',
  'events.documents-attached/docx-as-uploaded': 'of a DOCX the uploaded file is attached',
  'events.documents-attached/last-uploaded':
    'of several documents the last one is attached as it was uploaded',
  'events.documents-attached/ten-pages': 'of each document ten pages are attached at most',
  'events.documents-attached/first-page': 'of each document the first page is attached',
  'events.documents-attached/first-page-of-several':
    'of each of several documents the first page is attached',
  'events.documents-attached/trail-for-last-page':
    'of each document an audit trail is attached in the place of the last page',
  'events.documents-attached/pages-swapped': 'of each document the second page is attached before the first',
  'events.documents-attached/blank-second-page': 'of each document the second page is attached empty',
  'events.documents-attached/page-twice':
    'of each document the first page is attached in the place of the second',
  'events.documents-attached/page-of-another':
    'a page of a document of another request follows those of each document that has several',
  'events.documents-attached/same-name': 'of documents with the same name the latest one is attached',
  'events.documents-attached/second-twice':
    'of three documents the second is attached twice, and the third is not',
  'events.documents-attached/doc-missing': 'a DOC is not attached',
  'events.documents-attached/one-of-several': 'only the first of several documents is attached',
  'events.documents-not-attached/several-attached':
    'several documents are attached although that was not asked for',
  'events.documents-not-attached/as-others':
    'documents are attached where another request with the same CallbackUrl asked for that',
  'events.documents-not-attached/attached': 'documents are attached although that was not asked for',
} as const satisfies FaultEntries;
