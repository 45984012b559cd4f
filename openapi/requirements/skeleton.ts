/** Requirements of endpoint 4, creating a type 0 (skeleton) request: what is accepted, and what is refused and how. */
import { signed } from './needs.ts';
import { type Area, entriesFor } from './requirement.ts';

const under = entriesFor({ operation: 'createSkeletonRequest', check: 'skeleton' });
const endpoint = under('Endpoints, 4. Create a skeleton request (type 0)');
const created = under('Resources, Created request');
const body = under('Resources, Signature request');
const audit = under('Resources, AuditDetails');
const laterAudit = under('Resources, AuditDetails', { since: '0.2.0' });

const refusing = entriesFor({ operation: 'createSkeletonRequest', check: 'skeleton-refusals' });
const errors = refusing('Errors, Endpoints 4 and 5');
const requiredField = refusing('Resources, Signature request', { statusGap: 'errors.wrong-type-status' });
const contentType = refusing('Endpoints, 4. Create a skeleton request (type 0)', {
  statusGap: 'errors.content-type-status',
});
const limits = refusing('Limits', { statusGap: 'errors.empty-documents-status' });
const optional = { since: '0.2.0', statusGap: 'errors.wrong-type-optional' } as const;
const optionalField = refusing('Resources, Signature request', optional);
const auditField = refusing('Resources, AuditDetails', optional);
const effects = refusing('Errors, Endpoints 4 and 5', { check: 'workflow', since: '0.2.0', needs: signed });
const access = refusing('Errors, Endpoints 4 and 5', { check: 'access' });

export const skeleton = {
  'skeleton.created': endpoint.must(
    'A body with Title, Message, Documents and AuditDetails, and nothing else, creates a request.',
  ),
  'skeleton.response-json': endpoint.must('The answer to a successful creation is JSON.'),
  'skeleton.request-id': created.must('The answer carries requestId, a string.'),
  'skeleton.request-id-unique': created.must('requestId is unique: two requests have two ids.'),
  'skeleton.request-id-usable': created.must(
    'requestId is the id by which later operations find the request, adding signatories among them.',
  ),
  'skeleton.several-documents': under('What the service does').must(
    'A request may refer to more than one document token.',
    'several documents',
  ),
  'skeleton.callback-url': body.must('CallbackUrl, an optional string, is accepted.'),
  'skeleton.callback-types': body.must(
    'CallbackTypes, an optional array of integers, is accepted with each code from 0 to 3 and with several.',
  ),
  'skeleton.completed-documents-attached': body.must(
    'CompletedDocumentsAttached, an optional boolean, is accepted as true and as false.',
  ),
  'skeleton.connections': body.must('Connections, an optional array, is accepted.'),
  'skeleton.author-type': audit.notTestable(
    'AuthorType 1, an integer that means an admin or system user, is accepted.',
    'part of every body that the checks send as valid (skeleton.created); other values are not shown',
  ),
  'skeleton.author-ip-address': audit.notTestable(
    'AuthorIPAddress, a string, is the address from which the author makes the request.',
    'part of every valid body (skeleton.created); nothing shown reads it back',
  ),
  'skeleton.author-ip-address-v6': laterAudit.should(
    'AuthorIPAddress is accepted as an IPv6 address, which is an IP address too.',
  ),
  'skeleton.device': audit.notTestable(
    'Device, a string, describes device, operating system and browser for people to read.',
    'part of every valid body (skeleton.created); nothing shown reads it back',
  ),
  'skeleton.connections-reserved': body.notTestable(
    'Connections is metadata for audit trails and tracking, reserved for internal routing or grouping.',
    'what its elements look like and what they change is not shown',
  ),
  'skeleton.no-signers-yet': endpoint.notTestable(
    'Right after its creation a request has no signers and no stamps.',
    'no operation is shown that reads a request back',
  ),
  'skeleton.bad-request-message': errors.notTestable(
    'The message of a 400 is "Bad Request".',
    'it is the standard reason phrase of the status, which HTTP/2 does not carry and a service may detail',
  ),
  'skeleton.unauthorized-message': errors.notTestable(
    'The message of a 401 is "Unauthorized".',
    'it is the standard reason phrase of the status, which HTTP/2 does not carry and a service may detail',
  ),
} satisfies Area;

export const skeletonRefusals = {
  'skeleton.title-required': errors.must('A body without Title is refused with 400.'),
  'skeleton.message-required': errors.must('A body without Message is refused with 400.'),
  'skeleton.documents-required': errors.must('A body without Documents is refused with 400.'),
  'skeleton.audit-details-required': errors.must('A body without AuditDetails is refused with 400.'),
  'skeleton.documents-not-empty': limits.should(
    'Documents holds at least one token: an empty list is refused.',
  ),
  'skeleton.title-type': requiredField.should(
    'Title is a string: null, an object or a list in its place is refused.',
  ),
  'skeleton.message-type': requiredField.should(
    'Message is a string: null, an object or a list in its place is refused.',
  ),
  'skeleton.documents-type': requiredField.should(
    'Documents is an array of strings: null, an object, or an array with null, an object or a list is refused.',
  ),
  'skeleton.audit-details-type': requiredField.should(
    'AuditDetails is an object: null, a text or a list in its place is refused.',
  ),
  'skeleton.callback-url-type': optionalField.should(
    'CallbackUrl is a string: an object in its place is refused.',
  ),
  'skeleton.callback-types-type': optionalField.should(
    'CallbackTypes is an array of integers: an object, or an object among its elements, is refused.',
  ),
  'skeleton.completed-documents-attached-type': optionalField.should(
    'CompletedDocumentsAttached is a boolean: an object in its place is refused.',
  ),
  'skeleton.connections-type': optionalField.should(
    'Connections is an array: an object in its place is refused.',
  ),
  'skeleton.author-type-type': auditField.should(
    'AuthorType is an integer: an object in its place is refused.',
  ),
  'skeleton.author-ip-address-type': auditField.should(
    'AuthorIPAddress is a string: an object in its place is refused.',
  ),
  'skeleton.device-type': auditField.should('Device is a string: an object in its place is refused.'),
  'skeleton.malformed': errors.must('A malformed body (not JSON, or truncated) is refused with 400.'),
  'skeleton.body-object': errors.must(
    'The body is a JSON object: JSON of another kind in its place is refused.',
  ),
  'skeleton.content-type': contentType.should(
    'Content-Type must be application/json: a body sent as another type is not accepted.',
  ),
  'skeleton.unknown-document': errors.must('A document token that does not exist is answered with 404.'),
  'skeleton.unknown-document-message': errors.must(
    'The 404 for a document token says "Document Token Not Found".',
  ),
  'skeleton.invalidated-document': errors.must(
    'A document token that is no longer valid is answered with 404.',
    'an invalidation',
  ),
  'skeleton.refused-without-effect': effects.must(
    'A creation that is refused creates no request: no callback comes for it.',
    'callbacks',
  ),
  'skeleton.token-missing': access.must('A creation without an access token is answered with 401.'),
  'skeleton.token-invalid': access.must('A creation with an invalid access token is answered with 401.'),
  'skeleton.token-expired': access.must(
    'A creation with an expired access token is answered with 401.',
    'an expired token',
  ),
} satisfies Area;
