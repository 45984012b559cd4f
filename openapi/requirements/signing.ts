/** Requirements about roles, order and what the people who sign are shown. */
import { signed } from './needs.ts';
import { type Area, entriesFor } from './requirement.ts';

const under = entriesFor({ operation: null, check: 'workflow', needs: signed });
const person = under('Resources, Signatory');
const roles = under('Resources, SignatoryType values');
const laterRoles = under('Resources, SignatoryType values', { since: '0.2.0' });
const body = under('Resources, Signature request');

export const signing = {
  'signing.lower-order-first': person.must('Order is the signing sequence: a lower order signs first.'),
  'signing.parallel': person.must('Signatories who all have Order 1 sign in parallel.'),
  'signing.signer-views': roles.must(
    'A signer views the document.',
    'the signing page',
    'the document on the page',
  ),
  'signing.signer-signs': roles.must('A signer applies a signature.'),
  'signing.approver-approves': roles.must('An approver can approve.', 'a way to approve'),
  'signing.approver-reviews': laterRoles.notTestable(
    'An approver reviews before they approve.',
    'what they are shown for that is not shown; that they approve is proved by signing.approver-approves',
  ),
  'signing.approver-cannot-sign': roles.must('An approver cannot sign.', 'a way to approve', 'acts apart'),
  'signing.cc-receives-copy': roles.must('A CC receives the final signed copy.', 'e-mails'),
  'signing.cc-cannot-act': roles.must(
    'A CC cannot act, and the request completes without their acting.',
    'acts apart',
  ),
  'signing.title-shown': body.must('Title appears on the signing page.', 'the signing page'),
  'signing.title-mailed': body.must('Title appears in the e-mail to a signatory.', 'e-mails'),
  'signing.message-shown': body.must('Message is shown to the signers.', 'the signing page or e-mails'),
  'signing.private-message': person.must(
    'PrivateMessage is visible to its signatory and to nobody else.',
    'the signing page or e-mails',
  ),
  'signing.email-used': person.must(
    'Email is where a signatory is written to and gets access for signing.',
    'e-mails',
  ),
  // The document does not show which part of the UI it means.
  'signing.name-shown': person.should('Name is shown in the UI, on the signing page.', 'the signing page'),
  'signing.name-in-audit-trail': person.notTestable(
    'Name is shown in the audit trail.',
    'where and in what form an audit trail is to be had is not shown; a PDF beside the signed ones is looked through for the Names (gap signing.audit-trail), and that Name is shown elsewhere is proved by signing.name-shown',
  ),
  'signing.color-in-ui': person.notTestable(
    'Color labels the user in the user interface.',
    'which part of which page carries the color is not shown',
  ),
  'signing.color-no-effect': person.must(
    'The final document looks the same whatever Color its signatories have.',
    'completed documents or callbacks',
  ),
  'signing.access-code-usually-empty': under('Resources, OTP object').notTestable(
    'AccessCode is a passcode of the caller, usually left empty.',
    'a remark about use; that it may be absent is part of every valid body (signatory.added)',
  ),
} satisfies Area;
