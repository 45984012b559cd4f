/** Requirements about callbacks and what they carry. */
import { signed } from './needs.ts';
import type { Area } from './requirement.ts';

const at = { operation: 'createSkeletonRequest', since: '0.1.0' } as const;
const section = 'Events';
const needs = [...signed, 'callbacks'] as const;
const body = 'Resources, Signature request';

export const events = {
  'events.request-received': {
    ...at,
    section,
    level: 'must',
    statement: 'Event 1 (request received) is sent to a request that subscribed to it.',
    check: 'workflow',
    needs,
  },
  'events.signatory-completed': {
    ...at,
    section,
    level: 'must',
    statement: 'Event 2 is sent when a signatory completed their signature, for each of those who did.',
    check: 'workflow',
    needs,
  },
  'events.process-completed': {
    ...at,
    section,
    level: 'must',
    statement: 'Event 3 is sent when the entire signing process completed.',
    check: 'workflow',
    needs,
  },
  'events.all': {
    ...at,
    section,
    level: 'must',
    statement: 'Code 0 in CallbackTypes is shorthand for all events.',
    check: 'workflow',
    needs,
  },
  'events.only-subscribed': {
    ...at,
    section: body,
    level: 'must',
    statement: 'CallbackTypes lists the events to be notified of: no others are sent.',
    check: 'workflow',
    needs,
  },
  'events.to-callback-url': {
    ...at,
    section,
    level: 'must',
    statement: 'Callbacks are sent to CallbackUrl as it was given, its query string included.',
    check: 'workflow',
    needs,
  },
  'events.optional': {
    ...at,
    section,
    level: 'must',
    statement: 'Callbacks are optional: a request without CallbackUrl works, and nothing is sent for it.',
    check: 'workflow',
    needs,
  },
  'events.signatory-completed-after-action': {
    ...at,
    section,
    level: 'must',
    statement: 'No event 2 is sent for a signatory who has not completed.',
    check: 'workflow',
    needs,
  },
  'events.process-completed-last': {
    ...at,
    section,
    level: 'must',
    statement: 'Event 3 is not sent before the last signatory completed.',
    check: 'workflow',
    needs,
  },
  'events.received-before-signatures': {
    ...at,
    section,
    level: 'should',
    statement: 'Event 1 is not delivered after event 2.',
    check: 'workflow',
    needs,
  },
  'events.request-received-first': {
    ...at,
    section,
    level: 'should',
    statement: 'Event 1 is not delivered after event 3.',
    check: 'workflow',
    needs,
  },
  'events.signatures-before-completed': {
    ...at,
    section,
    level: 'should',
    statement: 'Event 2 of a signer is not delivered after event 3.',
    check: 'workflow',
    needs,
  },
  'events.none-for-cc': {
    ...at,
    section,
    level: 'must',
    statement: 'No event 2 is sent for a CC, who has no signature to complete.',
    check: 'workflow',
    needs,
  },
  'events.documents-attached': {
    ...at,
    section,
    level: 'must',
    statement:
      'With CompletedDocumentsAttached true the final callback carries the signed PDFs, whole and all of them.',
    check: 'workflow',
    needs,
  },
  'events.documents-not-attached': {
    ...at,
    section: body,
    level: 'should',
    statement: 'Signed PDFs are attached only when CompletedDocumentsAttached is true.',
    check: 'workflow',
    needs,
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
