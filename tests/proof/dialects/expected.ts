/** Requirements that could not run at some compliant services, and why. Any other could-not-run in a dialect run is a bug. */
import type { AnswerClass, ExcuseId } from '../../../record/finding.ts';

export interface Expected {
  readonly why: string;
  /** The excuses, or classes of answers, of which the finding gives one as its cause; without any, it gives none. */
  readonly causes: readonly (ExcuseId | AnswerClass)[];
  /** Expected for these requirements only. */
  readonly requirements?: readonly string[];
  /** Expected in these rows only. */
  readonly rows?: readonly string[];
  /** Expected only where the profile is empty; or not at the six sandboxes, whose full profiles say where all of it stands. */
  readonly profile?: 'empty' | 'short';
}

export const expected: readonly Expected[] = [
  {
    why: 'the service calls or takes public URLs only, and a test has none',
    causes: ['unreachable-url', 'nothing-arrived', 'refused-url'],
  },
  {
    why: 'the same, whatever stands beside them',
    causes: ['not-accepted-either'],
    requirements: ['skeleton.callback-types', 'skeleton.completed-documents-attached'],
  },
  {
    why: 'no id stands in the answer to an auto stamping creation, so that nobody can go on with the request',
    causes: ['lacks'],
    requirements: [
      'stamping.placed',
      'signing.cc-receives-copy',
      'signing.signer-views',
      'signing.message-shown',
    ],
  },
  {
    why: 'the answer to an auto stamping creation carries no signatoryId, or the request is not visible yet',
    causes: ['stuck'],
    requirements: [
      'stamping.placed',
      'signing.private-message',
      'signing.signer-views',
      'signing.cc-receives-copy',
    ],
  },
  {
    why: 'an attempt without a code ends the code of a person, who cannot complete the request then',
    causes: ['unproved'],
    requirements: ['signatory.refused-without-effect'],
    rows: ['looked-at-after-a-try'],
  },
  {
    why: 'links are followed only where the profile says that they are attachments',
    causes: ['unread-file'],
    profile: 'short',
  },
  { why: 'no e-mail shows it, and the profile names no page', causes: ['unread'], profile: 'short' },
  {
    why: 'two codes are asked for, and the call of the profile carries one',
    causes: ['unknown-outcome'],
    requirements: ['otp.gates-signing', 'otp.email-and-sms-delivered'],
  },
  {
    why: 'callbacks carry links or none came, and the profile names no other way to the documents',
    causes: ['no-documents'],
    profile: 'short',
  },
  { why: 'the final copy lies behind a login, or in an archive', causes: ['no-direct-link'] },
  {
    why: 'type 3 travels in a form, which the first profile does not say (create.field), and is refused whatever is in it',
    causes: ['guess', 'not-accepted-either'],
    rows: ['first-sandbox-queue', 'first-21'],
  },
  {
    why: 'a document token is good for 20 requests (limits.documentUses), and a request for 5 signatories (limits.signatories)',
    causes: ['not-there', 'lacks', 'alone'],
    rows: ['first-sandbox-gateway'],
  },
  {
    why: 'the profile says that requests are sent by their creation, and they wait for a call: nobody can act',
    causes: ['unsent', 'stuck', 'misread'],
    rows: ['first-20'],
  },
  {
    why: 'the same: nobody acts whose id could be used',
    causes: [],
    requirements: ['signatory.signatory-id-usable'],
    rows: ['first-20'],
  },
  { why: 'an approver has to approve by the call that signs', causes: ['stuck'], rows: ['first-19'] },
  {
    why: 'each callback comes twice, so that nothing is said about their sequence',
    causes: ['undecided'],
    rows: ['first-sandbox-forms', 'first-4', 'first-11'],
  },
  {
    why: 'a code ends with an attempt without it, for good',
    causes: ['stuck', 'unproved'],
    rows: ['hiding-12'],
  },
  {
    why: 'after three wrong codes none is taken, nor sent',
    causes: ['stuck', 'unproved', 'unread-messages'],
    rows: ['hiding-18'],
  },
  {
    why: 'none of the usual ways in which files and bodies travel was taken, and all is refused whatever is in it',
    causes: ['guess', 'not-accepted-either'],
    profile: 'empty',
  },
];
