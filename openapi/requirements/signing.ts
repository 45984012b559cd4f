/** Requirements about roles, order and what the people who sign are shown. */
import type { Area } from './requirement.ts';

const at = { operation: null, since: '0.1.0' } as const;
const roles = 'Resources, SignatoryType values';
const body = 'Resources, Signature request';
const person = 'Resources, Signatory';
const needs = 'needs a signatory who signs';

export const signing = {
  'signing.lower-order-first': {
    ...at,
    section: person,
    level: 'must',
    statement: 'Order is the signing sequence: a lower order signs first.',
    pending: needs,
  },
  'signing.parallel': {
    ...at,
    section: person,
    level: 'must',
    statement: 'Signatories who all have Order 1 sign in parallel.',
    pending: needs,
  },
  'signing.signer-views': {
    ...at,
    section: roles,
    level: 'must',
    statement: 'A signer views the document.',
    pending: needs,
  },
  'signing.signer-signs': {
    ...at,
    section: roles,
    level: 'must',
    statement: 'A signer applies a signature.',
    pending: needs,
  },
  'signing.approver-approves': {
    ...at,
    section: roles,
    level: 'must',
    statement: 'An approver reviews and approves.',
    pending: needs,
  },
  'signing.approver-cannot-sign': {
    ...at,
    section: roles,
    level: 'must',
    statement: 'An approver cannot sign.',
    pending: needs,
  },
  'signing.cc-receives-copy': {
    ...at,
    section: roles,
    level: 'must',
    statement: 'A CC receives the final signed copy.',
    pending: 'needs an outbox to read',
  },
  'signing.cc-cannot-act': {
    ...at,
    section: roles,
    level: 'must',
    statement: 'A CC cannot act: the request completes without one.',
    pending: needs,
  },
  'signing.title-shown': {
    ...at,
    section: body,
    level: 'must',
    statement: 'Title appears in the signing page.',
    pending: 'needs a signing page to look at',
  },
  'signing.title-mailed': {
    ...at,
    section: body,
    level: 'must',
    statement: 'Title appears in the e-mail to a signatory.',
    pending: 'needs an outbox to read',
  },
  'signing.message-shown': {
    ...at,
    section: body,
    level: 'must',
    statement: 'Message is shown to the signers.',
    pending: 'needs a signing page to look at',
  },
  'signing.private-message': {
    ...at,
    section: person,
    level: 'must',
    statement: 'PrivateMessage is visible to its signatory and to nobody else.',
    pending: 'needs a signing page to look at',
  },
  'signing.email-used': {
    ...at,
    section: person,
    level: 'must',
    statement: 'Email is where a signatory is written to and gets access for signing.',
    pending: 'needs an outbox to read',
  },
  'signing.name-shown': {
    ...at,
    section: person,
    level: 'must',
    statement: 'Name is shown in the signing page.',
    pending: 'needs a signing page to look at',
  },
  'signing.name-in-audit-trail': {
    ...at,
    section: person,
    level: 'must',
    statement: 'Name is shown in the audit trail.',
    notTestable: 'where and in what form an audit trail is to be had is not shown',
  },
  'signing.color-in-ui': {
    ...at,
    section: person,
    level: 'must',
    statement: 'Color labels the user in the user interface.',
    notTestable: 'which part of which page carries the color is not shown',
  },
  'signing.color-no-effect': {
    ...at,
    section: person,
    level: 'must',
    statement: 'Color has no effect on the final document.',
    pending: 'needs a completed document',
  },
  'signing.access-code-usually-empty': {
    ...at,
    section: 'Resources, OTP object',
    level: 'must',
    statement: 'AccessCode is a passcode of the caller, usually left empty.',
    notTestable: 'a remark about use; that it may be absent is part of every valid body (signatory.added)',
  },
} as const satisfies Area;
