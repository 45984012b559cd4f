/** Requirements about roles, order and what the people who sign are shown. */
import { signed } from './needs.ts';
import type { Area } from './requirement.ts';

const at = { operation: null, since: '0.1.0' } as const;
const roles = 'Resources, SignatoryType values';
const body = 'Resources, Signature request';
const person = 'Resources, Signatory';

export const signing = {
  'signing.lower-order-first': {
    ...at,
    section: person,
    level: 'must',
    statement: 'Order is the signing sequence: a lower order signs first.',
    check: 'workflow',
    needs: [...signed],
  },
  'signing.parallel': {
    ...at,
    section: person,
    level: 'must',
    statement: 'Signatories who all have Order 1 sign in parallel.',
    check: 'workflow',
    needs: [...signed],
  },
  'signing.signer-views': {
    ...at,
    section: roles,
    level: 'must',
    statement: 'A signer views the document.',
    check: 'workflow',
    needs: [...signed, 'the signing page', 'the document on the page'],
  },
  'signing.signer-signs': {
    ...at,
    section: roles,
    level: 'must',
    statement: 'A signer applies a signature.',
    check: 'workflow',
    needs: [...signed],
  },
  'signing.approver-approves': {
    ...at,
    section: roles,
    level: 'must',
    statement: 'An approver reviews and approves.',
    check: 'workflow',
    needs: [...signed, 'a way to approve'],
  },
  'signing.approver-cannot-sign': {
    ...at,
    section: roles,
    level: 'must',
    statement: 'An approver cannot sign.',
    check: 'workflow',
    needs: [...signed, 'a way to approve', 'acts apart'],
  },
  'signing.cc-receives-copy': {
    ...at,
    section: roles,
    level: 'must',
    statement: 'A CC receives the final signed copy.',
    check: 'workflow',
    needs: [...signed, 'e-mails'],
  },
  'signing.cc-cannot-act': {
    ...at,
    section: roles,
    level: 'must',
    statement: 'A CC cannot act: the request completes without one.',
    check: 'workflow',
    needs: [...signed, 'acts apart'],
  },
  'signing.title-shown': {
    ...at,
    section: body,
    level: 'must',
    statement: 'Title appears in the signing page.',
    check: 'workflow',
    needs: [...signed, 'the signing page'],
  },
  'signing.title-mailed': {
    ...at,
    section: body,
    level: 'must',
    statement: 'Title appears in the e-mail to a signatory.',
    check: 'workflow',
    needs: [...signed, 'e-mails'],
  },
  'signing.message-shown': {
    ...at,
    section: body,
    level: 'must',
    statement: 'Message is shown to the signers.',
    check: 'workflow',
    needs: [...signed, 'the signing page or e-mails'],
  },
  'signing.private-message': {
    ...at,
    section: person,
    level: 'must',
    statement: 'PrivateMessage is visible to its signatory and to nobody else.',
    check: 'workflow',
    needs: [...signed, 'the signing page or e-mails'],
  },
  'signing.email-used': {
    ...at,
    section: person,
    level: 'must',
    statement: 'Email is where a signatory is written to and gets access for signing.',
    check: 'workflow',
    needs: [...signed, 'e-mails'],
  },
  'signing.name-shown': {
    ...at,
    section: person,
    level: 'must',
    statement: 'Name is shown in the signing page.',
    check: 'workflow',
    needs: [...signed, 'the signing page'],
  },
  'signing.name-in-audit-trail': {
    ...at,
    section: person,
    level: 'must',
    statement: 'Name is shown in the audit trail.',
    notTestable:
      'where and in what form an audit trail is to be had is not shown; that Name is shown elsewhere is proved by signing.name-shown',
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
    check: 'workflow',
    needs: [...signed, 'completed documents or callbacks'],
  },
  'signing.access-code-usually-empty': {
    ...at,
    section: 'Resources, OTP object',
    level: 'must',
    statement: 'AccessCode is a passcode of the caller, usually left empty.',
    notTestable: 'a remark about use; that it may be absent is part of every valid body (signatory.added)',
  },
} as const satisfies Area;
