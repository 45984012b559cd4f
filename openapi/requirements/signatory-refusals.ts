/** Requirements of endpoint 5: what is refused, and how. */
import { signed } from './needs.ts';
import { type Area, entriesFor } from './requirement.ts';

const under = entriesFor({ operation: 'addSignatory', check: 'signatory-refusals' });
const roles = under('Resources, SignatoryType values', { statusGap: 'errors.enumeration-status' });
const errors = under('Errors, Endpoints 4 and 5');
const body = under('Resources, Signatory', { statusGap: 'errors.wrong-type-status' });
const endpoint = under('Endpoints, 5. Add a signatory to a type 0 request', {
  statusGap: 'errors.content-type-status',
});
const optionalField = under('Resources, Signatory', {
  since: '0.2.0',
  statusGap: 'errors.wrong-type-optional',
});
const effects = under('Errors, Endpoints 4 and 5', { check: 'workflow', since: '0.2.0', needs: signed });
const access = under('Errors, Endpoints 4 and 5', { check: 'access' });

export const signatoryRefusals = {
  'signatory.role-values': roles.should('A SignatoryType other than 1, 2 and 3 is not accepted.'),
  'signatory.email-required': errors.must('A body without Email is refused with 400.'),
  'signatory.name-required': errors.must('A body without Name is refused with 400.'),
  'signatory.order-required': errors.must('A body without Order is refused with 400.'),
  'signatory.role-required': errors.must('A body without SignatoryType is refused with 400.'),
  'signatory.email-type': body.should('Email is a string: null or an object in its place is refused.'),
  'signatory.name-type': body.should('Name is a string: null or an object in its place is refused.'),
  'signatory.order-type': body.should('Order is an integer: null or an object in its place is refused.'),
  'signatory.role-type': body.should(
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
  'signatory.content-type': endpoint.should(
    'Content-Type must be application/json: a body sent as another type is not accepted.',
  ),
  'signatory.unknown-request': errors.must('A requestId that does not exist is answered with 404.'),
  'signatory.unknown-request-message': errors.must('The 404 for a requestId says "Request ID not found".'),
  'signatory.deleted-request': errors.must(
    'The requestId of a deleted request is answered with 404.',
    'a deletion',
  ),
  'signatory.refused-without-effect': effects.must(
    'Who was refused with 400 or 401 takes no part: the request completes without them, and they are not written to.',
    'callbacks',
  ),
  'signatory.token-missing': access.must('A call without an access token is answered with 401.'),
  'signatory.token-invalid': access.must('A call with an invalid access token is answered with 401.'),
  'signatory.token-expired': access.must(
    'A call with an expired access token is answered with 401.',
    'an expired token',
  ),
} satisfies Area;
