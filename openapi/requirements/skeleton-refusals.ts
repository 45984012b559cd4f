/** Requirements of endpoint 4: what is refused, and how. */
import { signed } from './needs.ts';
import { type Area, entriesFor } from './requirement.ts';

const under = entriesFor({ operation: 'createSkeletonRequest', check: 'skeleton-refusals' });
const errors = under('Errors, Endpoints 4 and 5');
const body = under('Resources, Signature request', { statusGap: 'errors.wrong-type-status' });
const endpoint = under('Endpoints, 4. Create a skeleton request (type 0)', {
  statusGap: 'errors.content-type-status',
});
const limits = under('Limits', { statusGap: 'errors.empty-documents-status' });
const optional = { since: '0.2.0', statusGap: 'errors.wrong-type-optional' } as const;
const optionalField = under('Resources, Signature request', optional);
const auditField = under('Resources, AuditDetails', optional);
const effects = under('Errors, Endpoints 4 and 5', { check: 'workflow', since: '0.2.0', needs: signed });
const access = under('Errors, Endpoints 4 and 5', { check: 'access' });

export const skeletonRefusals = {
  'skeleton.title-required': errors.must('A body without Title is refused with 400.'),
  'skeleton.message-required': errors.must('A body without Message is refused with 400.'),
  'skeleton.documents-required': errors.must('A body without Documents is refused with 400.'),
  'skeleton.audit-details-required': errors.must('A body without AuditDetails is refused with 400.'),
  'skeleton.documents-not-empty': limits.should(
    'Documents holds at least one token: an empty list is refused.',
  ),
  'skeleton.title-type': body.should('Title is a string: null or an object in its place is refused.'),
  'skeleton.message-type': body.should('Message is a string: null or an object in its place is refused.'),
  'skeleton.documents-type': body.should(
    'Documents is an array of strings: null, an object or an array of objects in its place is refused.',
  ),
  'skeleton.audit-details-type': body.should(
    'AuditDetails is an object: null or a text in its place is refused.',
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
    'Connections is an array: a text in its place is refused.',
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
  'skeleton.content-type': endpoint.should(
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
    'What was refused with 400 or 401 creates no request: no callback comes for it.',
    'callbacks',
  ),
  'skeleton.token-missing': access.must('A creation without an access token is answered with 401.'),
  'skeleton.token-invalid': access.must('A creation with an invalid access token is answered with 401.'),
  'skeleton.token-expired': access.must(
    'A creation with an expired access token is answered with 401.',
    'an expired token',
  ),
} satisfies Area;
