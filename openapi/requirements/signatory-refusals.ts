/** Requirements of endpoint 5: what is refused, and how. */
import { signed } from './needs.ts';
import type { Area } from './requirement.ts';

const at = { operation: 'addSignatory', since: '0.1.0' } as const;
const endpoint = 'Endpoints, 5. Add a signatory to a type 0 request';
const body = 'Resources, Signatory';
const roles = 'Resources, SignatoryType values';
const errors = 'Errors, Endpoints 4 and 5';

export const signatoryRefusals = {
  'signatory.role-values': {
    ...at,
    section: roles,
    level: 'should',
    statement: 'A SignatoryType other than 1, 2 and 3 is not accepted.',
    check: 'signatory-refusals',
  },
  'signatory.email-required': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A body without Email is refused with 400.',
    check: 'signatory-refusals',
  },
  'signatory.name-required': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A body without Name is refused with 400.',
    check: 'signatory-refusals',
  },
  'signatory.order-required': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A body without Order is refused with 400.',
    check: 'signatory-refusals',
  },
  'signatory.role-required': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A body without SignatoryType is refused with 400.',
    check: 'signatory-refusals',
  },
  'signatory.email-type': {
    ...at,
    section: body,
    level: 'should',
    statement: 'Email is a string: null or an object in its place is refused.',
    check: 'signatory-refusals',
  },
  'signatory.name-type': {
    ...at,
    section: body,
    level: 'should',
    statement: 'Name is a string: null or an object in its place is refused.',
    check: 'signatory-refusals',
  },
  'signatory.order-type': {
    ...at,
    section: body,
    level: 'should',
    statement: 'Order is an integer: null or an object in its place is refused.',
    check: 'signatory-refusals',
  },
  'signatory.role-type': {
    ...at,
    section: body,
    level: 'should',
    statement: 'SignatoryType is an integer: null or an object in its place is refused.',
    check: 'signatory-refusals',
  },
  'signatory.private-message-type': {
    ...at,
    section: body,
    level: 'should',
    since: '0.2.0',
    statement: 'PrivateMessage is a string: an object in its place is refused.',
    check: 'signatory-refusals',
  },
  'signatory.color-type': {
    ...at,
    section: body,
    level: 'should',
    since: '0.2.0',
    statement: 'Color is a string: an object in its place is refused.',
    check: 'signatory-refusals',
  },
  'signatory.malformed': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A malformed body (not JSON, or truncated) is refused with 400.',
    check: 'signatory-refusals',
  },
  'signatory.body-object': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'The body is a JSON object: JSON of another kind in its place is refused.',
    check: 'signatory-refusals',
  },
  'signatory.content-type': {
    ...at,
    section: endpoint,
    level: 'should',
    statement: 'Content-Type must be application/json: a body sent as another type is not accepted.',
    check: 'signatory-refusals',
  },
  'signatory.unknown-request': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A requestId that does not exist is answered with 404.',
    check: 'signatory-refusals',
  },
  'signatory.unknown-request-message': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'The 404 for a requestId says "Request ID not found".',
    check: 'signatory-refusals',
  },
  'signatory.deleted-request': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'The requestId of a deleted request is answered with 404.',
    check: 'signatory-refusals',
    needs: ['a deletion'],
  },
  'signatory.refused-without-effect': {
    ...at,
    since: '0.2.0',
    section: errors,
    level: 'must',
    statement:
      'Who was refused with 400 or 401 takes no part: the request completes without them, and they are not written to.',
    needs: [...signed, 'callbacks'],
    check: 'workflow',
  },
  'signatory.token-missing': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A call without an access token is answered with 401.',
    check: 'access',
  },
  'signatory.token-invalid': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A call with an invalid access token is answered with 401.',
    check: 'access',
  },
  'signatory.token-expired': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A call with an expired access token is answered with 401.',
    check: 'access',
    needs: ['an expired token'],
  },
} as const satisfies Area;
