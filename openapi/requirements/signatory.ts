/** Requirements of endpoint 5: adding signatories to a type 0 request. */
import { signed } from './needs.ts';
import { type Area, entriesFor } from './requirement.ts';

const under = entriesFor({ operation: 'addSignatory', check: 'signatory' });
const endpoint = under('Endpoints, 5. Add a signatory to a type 0 request');
const added = under('Resources, Added signatory');
const body = under('Resources, Signatory');
const roles = under('Resources, SignatoryType values');
const errors = under('Errors, Endpoints 4 and 5');
const used = under('Resources, Added signatory', { check: 'workflow', needs: signed });

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
    'Participants of a sequential flow are accepted: Order 1, 2, 3.',
  ),
  'signatory.parallel-orders': body.must('Participants of a parallel flow are accepted: each has Order 1.'),
  'signatory.private-message': body.must('PrivateMessage, an optional string, is accepted.'),
  'signatory.color': body.must('Color, an optional string, is accepted as a hex color.'),
  'signatory.role-signer': roles.must('SignatoryType 1 adds a signer.'),
  'signatory.role-approver': roles.must('SignatoryType 2 adds an approver.'),
  'signatory.role-cc': roles.must('SignatoryType 3 adds a recipient of a copy (CC).'),
  'signatory.signatory-id-usable': used.must(
    'signatoryId is the id by which stamps are assigned and positioned and progress is tracked.',
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
