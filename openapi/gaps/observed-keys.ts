/** The keys of observations by gap. Reports are compared by these keys, so none is ever renamed. */
import type { Stability } from '../observation.ts';
import { type GapId, gap } from './register.ts';

interface ObservedKey {
  /** The key, with the parts that differ in braces: an operation, a row, a type, a number. */
  readonly key: string;
  readonly stability: Stability;
  readonly says: string;
}

const stable = (key: string, says: string): ObservedKey => ({ key, stability: 'stable', says });
const volatile = (key: string, says: string): ObservedKey => ({ key, stability: 'volatile', says });

/** The outcome of a row that was sent: its title is the key. */
const row = [stable('{row}', '`accepted` or `refused`, and the status')];

/** The outcome of a creation with an unknown document token, which shows it without creating anything. */
const unmade = stable(
  '{row}, with an unknown document token',
  '`taken` where only the token was refused, else `refused` with the status',
);

const shape = 'media type and the fields at the top';
const fields = 'the names of such header fields, or `none`';
const form = [
  stable('form', 'the narrowest class of characters that all of them keep to'),
  volatile('lengths', 'their lengths'),
];
const operation = (name: string) => [
  stable(`calls.${name}`, `status, ${shape} of the answer to this call of the profile`),
];

/** The gaps that have other keys than `row`, or further ones. */
const others: Readonly<Partial<Record<GapId, readonly ObservedKey[]>>> = {
  'service.base-url': [stable('path of the base URL', 'the path before those of the document, or `none`')],
  'service.states': [
    stable('states of a request, as it went through them', 'their names, in the words of the target'),
  ],
  'service.transitions': [
    stable('state {moment}', 'the state before and after sending, and after each action'),
  ],
  'service.read-after-write': [
    volatile('{operation}: {what} is taken', '`at once`, or `after a moment`'),
    volatile('{operation}: longest wait ms', 'the longest time until a fresh id was taken'),
  ],
  'service.answer-times': [
    volatile('{operation} median ms', 'the median of the answer times'),
    volatile('{operation} p95 ms', 'their 95th percentile'),
  ],
  'service.answer-media-type': [
    stable('{operation}, accepted', 'the Content-Type of accepted calls whose answer is JSON'),
    stable('{operation}, refused', 'the Content-Type of refused calls whose answer is JSON'),
  ],
  'service.answer-fields': [
    stable('{operation}', 'fields beyond those of the document, as lines; `no others` where there are none'),
  ],
  'service.correlation-id': [stable('header fields', fields)],
  'operations.stamps': operation('stamps'),
  'operations.send': operation('send'),
  'operations.track': operation('status'),
  'operations.delete': operation('deleteRequest'),
  'operations.completed-documents': operation('completedDocuments'),
  'versioning.negotiation': [stable('header fields', fields)],
  'versioning.deprecation': [stable('header fields', fields)],
  'signing.signature-kind': [
    stable('digital signature of attached PDFs', 'SubFilter of the signature (ISO 32000-2), or `none`'),
  ],
  'signing.audit-trail': [
    stable('attached PDFs that show none of the uploaded documents', 'how many of the first final callback'),
    stable('one of them names everybody', 'whether one shows the Name of each signatory'),
  ],
  'signing.cc-copy': [stable('the copy comes', '`as a file` or `as a link`, by e-mail')],
  'auth.lifetime': [
    stable('stated lifetime in seconds', 'what token answers stated'),
    volatile('refused after seconds', 'the age at which a token was refused that had been taken before'),
  ],
  'auth.rejection-status': [
    stable('{operation}, token {missing, invalid or expired}', 'the status of such a call'),
  ],
  'auth.challenge': [
    stable('{operation}', 'scheme and parameter names of WWW-Authenticate of answers with 401'),
  ],
  'upload.encoding': [stable('accepted as', '`multipart`, `raw` or `json`')],
  'upload.field-name': [stable('accepted as', 'the field of the form that carries the file')],
  'upload.token-place': [
    stable('answer', `${shape} of the answers to accepted uploads`),
    stable('place of the token', 'JSON Pointer in the body, the body itself, or a header'),
  ],
  'upload.success-status': [stable('status', 'the status')],
  'upload.error-status': [stable('token {missing, invalid or expired}', 'the status of such an upload')],
  'upload.token-missing-message': [volatile('text', 'the body of the answer, as it is')],
  'upload.equal-documents': [stable('one file uploaded twice', '`one token` or `two tokens`')],
  'upload.token-format': form,
  'upload.token-validity': [
    ...operation('invalidateDocument'),
    volatile('seconds after which a token was still taken', 'the largest age in this run'),
  ],
  'upload.token-reuse': [
    stable('one document token in several requests', '`accepted`'),
    stable('type 0: {row}', '`accepted` or `refused`, and the status'),
  ],
  'create.encoding': [stable('type {type}', 'the Content-Type with which such a creation was accepted')],
  'create.response-body': [stable('type {type}', `${shape} of the answer`)],
  'create.type-missing': [unmade],
  'create.type-unknown': [unmade],
  'create.type-elsewhere': [unmade],
  'create.two-paths': [stable('the two paths answer', '`alike` in status and shape, or `differently`')],
  'stamping.response-body': [stable('answer', `${shape} of the answer`)],
  'stamping.sent': [stable('sent by', '`its creation` or `calls.send`')],
  'stamping.unit': [stable('points for one unit of X_offset', 'measured in a completed document'), ...row],
  'stamping.origin': [
    stable('Y_offset counts', '`upwards` or `downwards`'),
    stable('X_offset counts', '`to the right` or `to the left`'),
    ...row,
  ],
  'skeleton.success-status': [stable('status', 'the status')],
  'skeleton.connections-elements': [unmade, ...row],
  'skeleton.author-type-values': [unmade, ...row],
  'skeleton.audit-details-subfields': [unmade, ...row],
  'skeleton.author-ip-format': [unmade, ...row],
  'skeleton.request-id-format': form,
  'skeleton.callback-url-without-types': [unmade, ...row],
  'skeleton.callback-types-empty': [unmade, ...row],
  'skeleton.callback-types-without-url': [unmade, ...row],
  'skeleton.callback-types-unknown': [unmade, ...row],
  'skeleton.completed-documents-left-out': [
    stable('signed PDFs attached', 'whether the final callback carried PDFs'),
  ],
  'skeleton.callback-url-form': [unmade, ...row],
  'signatory.success-status': [stable('status', 'the status')],
  'signatory.id-format': form,
  'events.payload': [
    stable('method', 'the request method of callbacks'),
    stable('media type', 'their media type'),
    stable('fields of event {event}', 'the fields of the payload, as lines'),
    stable('place of the requestId', 'JSON Pointer of the id that the creation answered'),
    stable('place of the signatoryId', 'JSON Pointer of the id that adding the signatory answered'),
    stable('header fields of its own', 'header fields beside those that HTTP clients send, or `none`'),
  ],
  'events.authenticity': [stable('header fields that may prove the origin', fields)],
  'events.retries': [
    stable('repeated after a failed delivery', 'whether a delivery that was answered with 503 came again'),
    volatile('milliseconds between attempts', 'the waits'),
  ],
  'events.request-received-when': [
    stable('event 1', '`before the request is sent`, or `once the request is sent`'),
  ],
  'events.signatory-completed-roles': [stable('event 2 for an approver', 'whether there was one')],
  'events.final-callback': [
    stable('events with PDFs', 'codes of the events that carried PDFs'),
    stable('type 0: {row}', '`accepted` or `refused`, and the status'),
  ],
  'events.attachment-form': [stable('places of PDFs', 'JSON Pointer and form of each place, as lines')],
  'events.attachment-count': [
    stable('PDFs for {number} documents', 'how many PDFs the final callback carried'),
    stable('other files', 'how many other files it carried'),
  ],
  'events.order': [
    volatile('event 1 to the first event 2', 'which came first'),
    volatile('deliveries overlap', 'whether one began before another one ended'),
    volatile('events 2 in the order of signing', 'whether they came in that order'),
    volatile('milliseconds from the last signature to event 3', 'the time'),
  ],
  'events.repeated': [
    volatile('repeated events', 'how many'),
    stable('repeated with the same delivery id', 'whether repetitions can be told by an id'),
  ],
  'events.declined': [
    stable('callbacks after a signer declined', '`none`, or the events that they tell of, as lines'),
  ],
  'events.all-with-others': [unmade, ...row],
  'errors.body-shape': [
    stable('{operation} {status}', `${shape} of such refusals`),
    stable('fields with a code for programs', 'their JSON Pointers, or `none`'),
  ],
  'errors.message-place': [
    stable('{message}', 'where it stands: JSON Pointer in the body, a header, the reason phrase'),
  ],
  'errors.precedence': [stable('{two mistakes}', 'the status')],
  'errors.content-type-status': [stable('{operation}', 'what became of a body sent as text/plain')],
  'errors.wrong-type-status': [stable('{operation}', 'what became of values of the wrong type')],
  'errors.empty-documents-status': [stable('{operation}', 'what became of an empty list')],
  'errors.create': [stable('{operation}, statuses', 'all statuses with which such creations were refused')],
  'limits.documents': [volatile('documents in one accepted request', 'the most in this run')],
  'limits.signatories': [volatile('signatories added to one request', 'the most in this run')],
  'limits.rate': [stable('header fields', fields), volatile('calls answered with 429', 'how many')],
};

/** The keys of a gap; none where a run does not observe it. */
export function keysOf(id: GapId): readonly ObservedKey[] {
  return others[id] ?? (gap(id).observed === undefined ? [] : row);
}

/** The declaration of a key; `undefined` for one that the gap does not have. Fixed keys come before patterns. */
export function declarationOf(id: GapId, key: string): ObservedKey | undefined {
  const declared = keysOf(id);
  return declared.find((each) => each.key === key) ?? declared.find((each) => patternOf(each.key).test(key));
}

function patternOf(key: string): RegExp {
  const parts = key.split(/\{[^}]+\}/).map((part) => part.replaceAll(/[\\^$.*+?()[\]|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`);
}
