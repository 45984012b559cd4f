/** Requirements of endpoint 4: creating a type 0 (skeleton) request. */
import { type Area, entriesFor } from './requirement.ts';

const under = entriesFor({ operation: 'createSkeletonRequest', check: 'skeleton' });
const endpoint = under('Endpoints, 4. Create a skeleton request (type 0)');
const created = under('Resources, Created request');
const body = under('Resources, Signature request');
const audit = under('Resources, AuditDetails');
const errors = under('Errors, Endpoints 4 and 5');
const laterAudit = under('Resources, AuditDetails', { since: '0.2.0' });

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
    'AuthorType, an integer, is accepted as 1, an admin or system user.',
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
