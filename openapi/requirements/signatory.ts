/** Requirements of endpoint 5: adding signatories to a type 0 request. */
import { signed } from './needs.ts';
import type { Area } from './requirement.ts';

const at = { operation: 'addSignatory', since: '0.1.0' } as const;
const endpoint = 'Endpoints, 5. Add a signatory to a type 0 request';
const body = 'Resources, Signatory';
const roles = 'Resources, SignatoryType values';
const added = 'Resources, Added signatory';
const errors = 'Errors, Endpoints 4 and 5';

export const signatory = {
  'signatory.added': {
    ...at,
    section: endpoint,
    level: 'must',
    statement: 'A body with Email, Name, Order, SignatoryType and OTP adds a signatory to the request.',
    check: 'signatory',
  },
  'signatory.response-json': {
    ...at,
    section: endpoint,
    level: 'must',
    statement: 'The answer to a successful call is JSON.',
    check: 'signatory',
  },
  'signatory.request-id-echoed': {
    ...at,
    section: added,
    level: 'must',
    statement: 'The answer carries requestId, a string that equals the requestId in the path.',
    check: 'signatory',
  },
  'signatory.signatory-id': {
    ...at,
    section: added,
    level: 'must',
    statement: 'The answer carries signatoryId, a string.',
    check: 'signatory',
  },
  'signatory.signatory-id-unique': {
    ...at,
    section: added,
    level: 'must',
    statement: 'signatoryId is unique: two signatories have two ids.',
    check: 'signatory',
  },
  'signatory.many': {
    ...at,
    section: endpoint,
    level: 'must',
    statement: 'The operation can be called many times for one request, one call for each participant.',
    check: 'signatory',
  },
  'signatory.sequential-orders': {
    ...at,
    section: endpoint,
    level: 'must',
    statement: 'Participants of a sequential flow are accepted: Order 1, 2, 3.',
    check: 'signatory',
  },
  'signatory.parallel-orders': {
    ...at,
    section: body,
    level: 'must',
    statement: 'Participants of a parallel flow are accepted: each has Order 1.',
    check: 'signatory',
  },
  'signatory.private-message': {
    ...at,
    section: body,
    level: 'must',
    statement: 'PrivateMessage, an optional string, is accepted.',
    check: 'signatory',
  },
  'signatory.color': {
    ...at,
    section: body,
    level: 'must',
    statement: 'Color, an optional string, is accepted as a hex color.',
    check: 'signatory',
  },
  'signatory.role-signer': {
    ...at,
    section: roles,
    level: 'must',
    statement: 'SignatoryType 1 adds a signer.',
    check: 'signatory',
  },
  'signatory.role-approver': {
    ...at,
    section: roles,
    level: 'must',
    statement: 'SignatoryType 2 adds an approver.',
    check: 'signatory',
  },
  'signatory.role-cc': {
    ...at,
    section: roles,
    level: 'must',
    statement: 'SignatoryType 3 adds a recipient of a copy (CC).',
    check: 'signatory',
  },
  'signatory.signatory-id-usable': {
    ...at,
    section: added,
    level: 'must',
    statement: 'signatoryId is the id by which stamps are assigned and positioned and progress is tracked.',
    needs: [...signed, 'acts by id'],
    check: 'workflow',
  },
  'signatory.bad-request-message': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'The message of a 400 is "Bad Request".',
    notTestable:
      'it is the standard reason phrase of the status, which HTTP/2 does not carry and a service may detail',
  },
  'signatory.unauthorized-message': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'The message of a 401 is "Unauthorized".',
    notTestable:
      'it is the standard reason phrase of the status, which HTTP/2 does not carry and a service may detail',
  },
} as const satisfies Area;
