/** Requirements about callbacks and what they carry. */
import type { Area } from './requirement.ts';

const at = { operation: 'createSkeletonRequest', since: '0.1.0' } as const;
const section = 'Events';
const body = 'Resources, Signature request';
const needs = 'needs a listener for callbacks';

export const events = {
  'events.request-received': {
    ...at,
    section,
    level: 'must',
    statement: 'Event 1 (request received) is sent to a request that subscribed to it.',
    pending: needs,
  },
  'events.signatory-completed': {
    ...at,
    section,
    level: 'must',
    statement: 'Event 2 is sent when a signatory completed their signature, for each of those who did.',
    pending: needs,
  },
  'events.process-completed': {
    ...at,
    section,
    level: 'must',
    statement: 'Event 3 is sent when the entire signing process completed.',
    pending: needs,
  },
  'events.all': {
    ...at,
    section,
    level: 'must',
    statement: 'Code 0 in CallbackTypes is shorthand for all events.',
    pending: needs,
  },
  'events.only-subscribed': {
    ...at,
    section: body,
    level: 'must',
    statement: 'CallbackTypes lists the events to be notified of: no others are sent.',
    pending: needs,
  },
  'events.to-callback-url': {
    ...at,
    section,
    level: 'must',
    statement: 'Callbacks are sent to CallbackUrl as it was given, its query string included.',
    pending: needs,
  },
  'events.optional': {
    ...at,
    section,
    level: 'must',
    statement: 'Callbacks are optional: a request without CallbackUrl works, and nothing is sent for it.',
    pending: needs,
  },
  'events.signatory-completed-after-action': {
    ...at,
    section,
    level: 'must',
    statement: 'No event 2 is sent for a signatory who has not completed.',
    pending: needs,
  },
  'events.process-completed-last': {
    ...at,
    section,
    level: 'must',
    statement: 'Event 3 is not sent before the last signatory completed.',
    pending: needs,
  },
  'events.request-received-first': {
    ...at,
    section,
    level: 'must',
    statement: 'Event 1 is not sent after the process completed.',
    pending: needs,
  },
  'events.none-for-cc': {
    ...at,
    section,
    level: 'must',
    statement: 'No event 2 is sent for a CC, who has no signature to complete.',
    pending: needs,
  },
  'events.documents-attached': {
    ...at,
    section,
    level: 'must',
    statement:
      'With CompletedDocumentsAttached true the final callback carries the signed PDFs, whole and all of them.',
    pending: needs,
  },
  'events.documents-not-attached': {
    ...at,
    section: body,
    level: 'must',
    statement: 'Signed PDFs are attached only when CompletedDocumentsAttached is true.',
    pending: needs,
  },
  'events.recommended': {
    ...at,
    section,
    level: 'should',
    statement: 'Callbacks are recommended to follow status changes.',
    notTestable: 'advice to callers; it binds no service',
  },
  'events.public-url': {
    ...at,
    section: body,
    level: 'must',
    statement: 'CallbackUrl is publicly reachable.',
    notTestable: 'a condition on the caller; what a service does with another URL is not shown',
  },
} as const satisfies Area;
