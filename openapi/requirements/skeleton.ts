/** Requirements of endpoint 4: creating a type 0 (skeleton) request. */
import type { Area } from './requirement.ts';

const at = { operation: 'createSkeletonRequest', since: '0.1.0' } as const;
const endpoint = 'Endpoints, 4. Create a skeleton request (type 0)';
const body = 'Resources, Signature request';
const audit = 'Resources, AuditDetails';
const created = 'Resources, Created request';
const errors = 'Errors, Endpoints 4 and 5';

export const skeleton = {
  'skeleton.created': {
    ...at,
    section: endpoint,
    level: 'must',
    statement: 'A body with Title, Message, Documents and AuditDetails, and nothing else, creates a request.',
    check: 'skeleton',
  },
  'skeleton.response-json': {
    ...at,
    section: endpoint,
    level: 'must',
    statement: 'The answer to a successful creation is JSON.',
    check: 'skeleton',
  },
  'skeleton.request-id': {
    ...at,
    section: created,
    level: 'must',
    statement: 'The answer carries requestId, a string.',
    check: 'skeleton',
  },
  'skeleton.request-id-unique': {
    ...at,
    section: created,
    level: 'must',
    statement: 'requestId is unique: two requests have two ids.',
    check: 'skeleton',
  },
  'skeleton.request-id-usable': {
    ...at,
    section: created,
    level: 'must',
    statement:
      'requestId is the id by which later operations find the request, adding signatories among them.',
    check: 'skeleton',
  },
  'skeleton.several-documents': {
    ...at,
    section: 'What the service does',
    level: 'must',
    statement: 'A request may refer to more than one document token.',
    check: 'skeleton',
    needs: ['several documents'],
  },
  'skeleton.callback-url': {
    ...at,
    section: body,
    level: 'must',
    statement: 'CallbackUrl, an optional string, is accepted.',
    check: 'skeleton',
  },
  'skeleton.callback-types': {
    ...at,
    section: body,
    level: 'must',
    statement:
      'CallbackTypes, an optional array of integers, is accepted with each code from 0 to 3 and with several.',
    check: 'skeleton',
  },
  'skeleton.completed-documents-attached': {
    ...at,
    section: body,
    level: 'must',
    statement: 'CompletedDocumentsAttached, an optional boolean, is accepted as true and as false.',
    check: 'skeleton',
  },
  'skeleton.connections': {
    ...at,
    section: body,
    level: 'must',
    statement: 'Connections, an optional array, is accepted.',
    check: 'skeleton',
  },
  'skeleton.author-type': {
    ...at,
    section: audit,
    level: 'must',
    statement: 'AuthorType, an integer, is accepted as 1, an admin or system user.',
    notTestable:
      'part of every body that the checks send as valid (skeleton.created); other values are not shown',
  },
  'skeleton.author-ip-address': {
    ...at,
    section: audit,
    level: 'must',
    statement: 'AuthorIPAddress, a string, is the IP address of the user or system that starts the request.',
    notTestable: 'part of every valid body (skeleton.created); nothing shown reads it back',
  },
  'skeleton.author-ip-address-v6': {
    ...at,
    section: audit,
    level: 'should',
    since: '0.2.0',
    statement: 'AuthorIPAddress is accepted as an IPv6 address, which is an IP address too.',
    check: 'skeleton',
  },
  'skeleton.device': {
    ...at,
    section: audit,
    level: 'must',
    statement: 'Device, a string, describes device, operating system and browser for people to read.',
    notTestable: 'part of every valid body (skeleton.created); nothing shown reads it back',
  },
  'skeleton.connections-reserved': {
    ...at,
    section: body,
    level: 'must',
    statement:
      'Connections is metadata for audit trails and tracking, reserved for internal routing or grouping.',
    notTestable: 'what its elements look like and what they change is not shown',
  },
  'skeleton.no-signers-yet': {
    ...at,
    section: endpoint,
    level: 'must',
    statement: 'Right after its creation a request has no signers and no stamps.',
    notTestable: 'no operation is shown that reads a request back',
  },
  'skeleton.bad-request-message': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'The message of a 400 is "Bad Request".',
    notTestable:
      'it is the standard reason phrase of the status, which HTTP/2 does not carry and a service may detail',
  },
  'skeleton.unauthorized-message': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'The message of a 401 is "Unauthorized".',
    notTestable:
      'it is the standard reason phrase of the status, which HTTP/2 does not carry and a service may detail',
  },
} as const satisfies Area;
