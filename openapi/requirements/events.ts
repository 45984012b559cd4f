/** Requirements about callbacks and what they carry. */
import { signed } from './needs.ts';
import { type Area, entriesFor } from './requirement.ts';

const under = entriesFor({
  operation: 'createSkeletonRequest',
  check: 'workflow',
  needs: [...signed, 'callbacks'],
});
const heading = under('Events');
const body = under('Resources, Signature request');

export const events = {
  'events.request-received': heading.must(
    'Event 1 (request received) is sent for a request that subscribed to it.',
  ),
  'events.signatory-completed': heading.must(
    'Event 2 is sent when a signatory completed their signature, for each of those who did.',
  ),
  'events.process-completed': heading.must('Event 3 is sent when the entire signing process completed.'),
  'events.all': heading.must('Code 0 in CallbackTypes is shorthand for all events.'),
  'events.only-subscribed': body.must(
    'CallbackTypes lists the events to be notified of: no others are sent.',
  ),
  'events.to-callback-url': heading.must(
    'Callbacks are sent to CallbackUrl as it was given, its query string included.',
  ),
  'events.optional': heading.must(
    'Callbacks are optional: a request without CallbackUrl works, and nothing is sent for it.',
  ),
  'events.signatory-completed-after-action': heading.must(
    'No event 2 is sent for a signatory who has not completed.',
  ),
  'events.process-completed-last': heading.must('Event 3 is not sent before the last signer completed.'),
  'events.received-before-signatures': heading.should('Event 1 is not delivered after event 2.'),
  'events.request-received-first': heading.should('Event 1 is not delivered after event 3.'),
  'events.signatures-before-completed': heading.should('Event 2 of a signer is not delivered after event 3.'),
  'events.none-for-cc': heading.must('No event 2 is sent for a CC, who has no signature to complete.'),
  'events.documents-attached': heading.must(
    'With CompletedDocumentsAttached true the final callback carries the signed PDFs, whole and all of them.',
  ),
  'events.documents-not-attached': body.should(
    'With CompletedDocumentsAttached false no callback carries signed PDFs.',
  ),
  'events.recommended': heading.notTestable(
    'Callbacks are recommended to follow status changes.',
    'advice to callers; it binds no service',
    'should',
  ),
  'events.public-url': body.notTestable(
    'CallbackUrl is publicly reachable.',
    'a condition on the caller; what a service does with another URL is not shown',
  ),
} satisfies Area;
