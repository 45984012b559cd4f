/** Requirements that could not run at some compliant services, and why. Any other could-not-run in a dialect run is a bug. */
import type { AnswerClass, ExcuseId } from '../../../record/finding.ts';

export interface Expected {
  /** The excuse, or the class of the answer, that the finding gives as its cause. */
  readonly cause?: ExcuseId | AnswerClass;
  /** Expected for these requirements only. */
  readonly requirements?: readonly string[];
  /** Expected only where the profile is empty. */
  readonly bare?: true;
  /** Not expected at the six sandboxes, whose full profiles say where all of it stands. */
  readonly short?: true;
  /** Expected in these rows only. */
  readonly rows?: readonly string[];
  readonly why: string;
}

export const expected: readonly Expected[] = [
  { cause: 'unreachable-url', why: 'the service calls public addresses only, and a test has none' },
  { cause: 'nothing-arrived', why: 'the service calls public addresses only, and a test has none' },
  { cause: 'refused-url', why: 'the service takes public URLs only, and a test has none' },
  {
    cause: 'not-accepted-either',
    requirements: ['skeleton.callback-types', 'skeleton.completed-documents-attached'],
    why: 'the service takes public URLs only, whatever stands beside them, and a test has none',
  },
  {
    cause: 'lacks',
    requirements: [
      'stamping.placed',
      'signing.cc-receives-copy',
      'signing.signer-views',
      'signing.message-shown',
    ],
    why: 'no id stands in the answer to an auto stamping creation, so that nobody can go on with the request',
  },
  {
    cause: 'stuck',
    requirements: [
      'stamping.placed',
      'signing.private-message',
      'signing.signer-views',
      'signing.cc-receives-copy',
    ],
    why: 'the answer to an auto stamping creation carries no signatoryId, or the request is not visible yet',
  },
  {
    cause: 'unproved',
    requirements: ['signatory.refused-without-effect'],
    rows: ['looked-at-after-a-try'],
    why: 'an attempt without a code ends the code of a person, who cannot complete the request then',
  },
  {
    cause: 'unread-file',
    short: true,
    why: 'links are followed only where the profile says that they are attachments',
  },
  { cause: 'unread', short: true, why: 'it does not stand in the e-mails, and the profile names no page' },
  {
    cause: 'unknown-outcome',
    requirements: ['otp.gates-signing', 'otp.email-and-sms-delivered'],
    why: 'two codes are asked for, and the call of the profile carries one',
  },
  {
    cause: 'no-documents',
    short: true,
    why: 'callbacks carry links or none came, and the profile names no other way to the documents',
  },
  { cause: 'no-direct-link', why: 'the final copy lies behind a login, or in an archive' },
  {
    cause: 'guess',
    rows: ['first-sandbox-queue', 'first-21'],
    why: 'type 3 travels in a form there, which the first profile does not say (create.field)',
  },
  {
    cause: 'not-accepted-either',
    rows: ['first-sandbox-queue', 'first-21'],
    why: 'the same: it is refused whatever is in it',
  },
  {
    cause: 'not-there',
    rows: ['first-sandbox-gateway'],
    why: 'a document token is good for 20 requests (limits.documentUses)',
  },
  { cause: 'lacks', rows: ['first-sandbox-gateway'], why: 'the same, where something else needed the call' },
  {
    cause: 'alone',
    rows: ['first-sandbox-gateway'],
    why: 'a request has room for 5 signatories (limits.signatories)',
  },
  {
    cause: 'unsent',
    rows: ['first-20'],
    why: 'the profile says that requests are sent by their creation, and they wait for a call',
  },
  {
    rows: ['first-20'],
    requirements: ['signatory.signatory-id-usable'],
    why: 'the same: nobody acts whose id could be used',
  },
  {
    cause: 'stuck',
    rows: ['first-19', 'first-20'],
    why: 'an approver has to approve by the call that signs; a request that was not sent lets nobody act',
  },
  {
    cause: 'misread',
    rows: ['first-20'],
    why: 'the same: nobody can act in a request that was not sent, and one call signs and approves',
  },
  {
    cause: 'undecided',
    rows: ['first-sandbox-forms', 'first-4', 'first-11'],
    why: 'each callback comes twice, so that nothing is said about their sequence',
  },
  { cause: 'stuck', rows: ['hiding-12'], why: 'a code ends with the first attempt without it, for good' },
  { cause: 'unproved', rows: ['hiding-12'], why: 'the same, where a person has tried without it before' },
  { cause: 'unproved', rows: ['hiding-18'], why: 'after three wrong codes none is taken from anybody' },
  { cause: 'stuck', rows: ['hiding-18'], why: 'the same: nobody who needs a code can act' },
  {
    cause: 'guess',
    bare: true,
    why: 'how files and bodies travel was tried, and none of the usual ways was taken',
  },
  { cause: 'not-accepted-either', bare: true, why: 'the same: it is refused whatever is in it' },
];
