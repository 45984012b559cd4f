/** Requirements of endpoint 4: what is refused, and how. */
import type { Area } from './requirement.ts';

const at = { operation: 'createSkeletonRequest', since: '0.1.0' } as const;
const endpoint = 'Endpoints, 4. Create a skeleton request (type 0)';
const body = 'Resources, Signature request';
const errors = 'Errors, Endpoints 4 and 5';

export const skeletonRefusals = {
  'skeleton.title-required': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A body without Title is refused with 400.',
    check: 'skeleton-refusals',
  },
  'skeleton.message-required': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A body without Message is refused with 400.',
    check: 'skeleton-refusals',
  },
  'skeleton.documents-required': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A body without Documents is refused with 400.',
    check: 'skeleton-refusals',
  },
  'skeleton.audit-details-required': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A body without AuditDetails is refused with 400.',
    check: 'skeleton-refusals',
  },
  'skeleton.documents-not-empty': {
    ...at,
    section: 'Limits',
    level: 'should',
    statement: 'Documents holds at least one token: an empty list is refused.',
    check: 'skeleton-refusals',
  },
  'skeleton.title-type': {
    ...at,
    section: body,
    level: 'should',
    statement: 'Title is a string: null or an object in its place is refused.',
    check: 'skeleton-refusals',
  },
  'skeleton.message-type': {
    ...at,
    section: body,
    level: 'should',
    statement: 'Message is a string: null or an object in its place is refused.',
    check: 'skeleton-refusals',
  },
  'skeleton.documents-type': {
    ...at,
    section: body,
    level: 'should',
    statement:
      'Documents is an array of strings: null, an object or an array of objects in its place is refused.',
    check: 'skeleton-refusals',
  },
  'skeleton.audit-details-type': {
    ...at,
    section: body,
    level: 'should',
    statement: 'AuditDetails is an object: null or a text in its place is refused.',
    check: 'skeleton-refusals',
  },
  'skeleton.malformed': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A malformed body (not JSON, or truncated) is refused with 400.',
    check: 'skeleton-refusals',
  },
  'skeleton.body-object': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'The body is a JSON object: JSON of another kind in its place is refused.',
    check: 'skeleton-refusals',
  },
  'skeleton.content-type': {
    ...at,
    section: endpoint,
    level: 'should',
    statement: 'Content-Type must be application/json: a body sent as another type is not accepted.',
    check: 'skeleton-refusals',
  },
  'skeleton.unknown-document': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A document token that does not exist is answered with 404.',
    check: 'skeleton-refusals',
  },
  'skeleton.unknown-document-message': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'The 404 for a document token says "Document Token Not Found".',
    check: 'skeleton-refusals',
  },
  'skeleton.invalidated-document': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A document token that is no longer valid is answered with 404.',
    check: 'skeleton-refusals',
  },
  'skeleton.token-missing': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A creation without an access token is answered with 401.',
    check: 'skeleton-auth',
  },
  'skeleton.token-invalid': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A creation with an invalid access token is answered with 401.',
    check: 'skeleton-auth',
  },
  'skeleton.token-expired': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'A creation with an expired access token is answered with 401.',
    check: 'skeleton-auth',
  },
} as const satisfies Area;
