/** Requirements about roles, order and what the people who sign are shown. */
import { signed } from './needs.ts';
import { type Area, entriesFor } from './requirement.ts';

const under = entriesFor({ operation: null, check: 'workflow' });
const roles = under('Resources, SignatoryType values');
const body = under('Resources, Signature request');
const person = under('Resources, Signatory');

export const signing = {
  'signing.lower-order-first': person.must('Order is the signing sequence: a lower order signs first.', {
    needs: signed,
  }),
  'signing.parallel': person.must('Signatories who all have Order 1 sign in parallel.', { needs: signed }),
  'signing.signer-views': roles.must('A signer views the document.', {
    needs: [...signed, 'the signing page', 'the document on the page'],
  }),
  'signing.signer-signs': roles.must('A signer applies a signature.', { needs: signed }),
  'signing.approver-approves': roles.must('An approver can approve.', {
    needs: [...signed, 'a way to approve'],
  }),
  'signing.approver-cannot-sign': roles.must('An approver cannot sign.', {
    needs: [...signed, 'a way to approve', 'acts apart'],
  }),
  'signing.cc-receives-copy': roles.must('A CC receives the final signed copy.', {
    needs: [...signed, 'e-mails'],
  }),
  'signing.cc-cannot-act': roles.must('A CC cannot act: the request completes without one.', {
    needs: [...signed, 'acts apart'],
  }),
  'signing.title-shown': body.must('Title appears in the signing page.', {
    needs: [...signed, 'the signing page'],
  }),
  'signing.title-mailed': body.must('Title appears in the e-mail to a signatory.', {
    needs: [...signed, 'e-mails'],
  }),
  'signing.message-shown': body.must('Message is shown to the signers.', {
    needs: [...signed, 'the signing page or e-mails'],
  }),
  'signing.private-message': person.must('PrivateMessage is visible to its signatory and to nobody else.', {
    needs: [...signed, 'the signing page or e-mails'],
  }),
  'signing.email-used': person.must('Email is where a signatory is written to and gets access for signing.', {
    needs: [...signed, 'e-mails'],
  }),
  'signing.name-shown': person.must('Name is shown in the signing page.', {
    needs: [...signed, 'the signing page'],
  }),
  'signing.name-in-audit-trail': person.must('Name is shown in the audit trail.', {
    notTestable:
      'where and in what form an audit trail is to be had is not shown; that Name is shown elsewhere is proved by signing.name-shown',
  }),
  'signing.color-in-ui': person.must('Color labels the user in the user interface.', {
    notTestable: 'which part of which page carries the color is not shown',
  }),
  'signing.color-no-effect': person.must(
    'The final document looks the same whatever Color its signatories have.',
    {
      needs: [...signed, 'completed documents or callbacks'],
    },
  ),
  'signing.access-code-usually-empty': under('Resources, OTP object').must(
    'AccessCode is a passcode of the caller, usually left empty.',
    {
      notTestable: 'a remark about use; that it may be absent is part of every valid body (signatory.added)',
    },
  ),
} satisfies Area;
