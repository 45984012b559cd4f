/** Requirements of endpoint 5, adding signatories to a type 0 request: what is accepted, and what is refused and how. */
import { signed } from './needs.ts';
import { type Area, entriesFor } from './requirement.ts';

const under = entriesFor({ operation: 'addSignatory', check: 'signatory' });
const endpoint = under('Endpoints, 5. Add a signatory to a type 0 request');
const added = under('Resources, Added signatory');
const body = under('Resources, Signatory');
const roles = under('Resources, SignatoryType values');
const used = under('Resources, Added signatory', { check: 'workflow', needs: signed });

const refusing = entriesFor({ operation: 'addSignatory', check: 'signatory-refusals' });
const otherRoles = refusing('Resources, SignatoryType values', { statusGap: 'errors.enumeration-status' });
const errors = refusing('Errors, Endpoints 4 and 5');
const requiredField = refusing('Resources, Signatory', { statusGap: 'errors.wrong-type-status' });
const contentType = refusing('Endpoints, 5. Add a signatory to a type 0 request', {
  statusGap: 'errors.content-type-status',
});
const optionalField = refusing('Resources, Signatory', {
  since: '0.2.0',
  statusGap: 'errors.wrong-type-optional',
});
const effects = refusing('Errors, Endpoints 4 and 5', { check: 'workflow', since: '0.2.0', needs: signed });
const access = refusing('Errors, Endpoints 4 and 5', { check: 'access' });

export const signatory = {
  'signatory.added': endpoint.must(
    'A body with Email, Name, Order, SignatoryType and OTP adds a signatory to the request.',
  ),
  'signatory.response-json': endpoint.must('The answer to a successful call is JSON.'),
  'signatory.request-id-echoed': added.must(
    'The answer carries requestId, a string that equals the requestId in the path.',
  ),
  'signatory.signatory-id': added.must('The answer carries signatoryId, a string.'),
  'signatory.signatory-id-unique': added.must('signatoryId is unique: two signatories have two ids.'),
  'signatory.many': endpoint.must(
    'The operation can be called many times for one request, one call for each participant.',
  ),
  'signatory.sequential-orders': endpoint.must(
    'Participants of a sequential flow are accepted: each has an Order of their own.',
  ),
  'signatory.parallel-orders': body.must('Participants of a parallel flow are accepted: each has Order 1.'),
  'signatory.private-message': body.must('PrivateMessage, an optional string, is accepted.'),
  'signatory.color': body.must('Color, an optional string, is accepted as a hex color.'),
  'signatory.role-signer': roles.must('SignatoryType 1 adds a signer.'),
  'signatory.role-approver': roles.must('SignatoryType 2 adds an approver.'),
  'signatory.role-cc': roles.must('SignatoryType 3 adds a recipient of a copy (CC).'),
  'signatory.signatory-id-usable': used.must(
    'signatoryId is the id by which later calls find the signatory, as seen in the calls with which people act.',
    'acts by id',
  ),
  'signatory.bad-request-message': errors.notTestable(
    'The message of a 400 is "Bad Request".',
    'it is the standard reason phrase of the status, which HTTP/2 does not carry and a service may detail',
  ),
  'signatory.unauthorized-message': errors.notTestable(
    'The message of a 401 is "Unauthorized".',
    'it is the standard reason phrase of the status, which HTTP/2 does not carry and a service may detail',
  ),
} satisfies Area;

export const signatoryRefusals = {
  'signatory.role-values': otherRoles.should('A SignatoryType other than 1, 2 and 3 is not accepted.'),
  'signatory.email-required': errors.must('A body without Email is refused with 400.'),
  'signatory.name-required': errors.must('A body without Name is refused with 400.'),
  'signatory.order-required': errors.must('A body without Order is refused with 400.'),
  'signatory.role-required': errors.must('A body without SignatoryType is refused with 400.'),
  'signatory.email-type': requiredField.should(
    'Email is a string: null, an object or a list in its place is refused.',
  ),
  'signatory.name-type': requiredField.should(
    'Name is a string: null, an object or a list in its place is refused.',
  ),
  'signatory.order-type': requiredField.should(
    'Order is an integer: null or an object in its place is refused.',
  ),
  'signatory.role-type': requiredField.should(
    'SignatoryType is an integer: null or an object in its place is refused.',
  ),
  'signatory.private-message-type': optionalField.should(
    'PrivateMessage is a string: an object in its place is refused.',
  ),
  'signatory.color-type': optionalField.should('Color is a string: an object in its place is refused.'),
  'signatory.malformed': errors.must('A malformed body (not JSON, or truncated) is refused with 400.'),
  'signatory.body-object': errors.must(
    'The body is a JSON object: JSON of another kind in its place is refused.',
  ),
  'signatory.content-type': contentType.should(
    'Content-Type must be application/json: a body sent as another type is not accepted.',
  ),
  'signatory.unknown-request': errors.must('A requestId that does not exist is answered with 404.'),
  'signatory.unknown-request-message': errors.must('The 404 for a requestId says "Request ID not found".'),
  'signatory.deleted-request': errors.must(
    'The requestId of a deleted request is answered with 404.',
    'a deletion',
  ),
  'signatory.refused-without-effect': effects.must(
    'Somebody whose addition was refused with 400 or 401 takes no part: the request completes without them, they get no e-mail, and what others are shown and may do stays.',
    'callbacks',
  ),
  'signatory.token-missing': access.must('A call without an access token is answered with 401.'),
  'signatory.token-invalid': access.must('A call with an invalid access token is answered with 401.'),
  'signatory.token-expired': access.must(
    'A call with an expired access token is answered with 401.',
    'an expired token',
  ),
} satisfies Area;
