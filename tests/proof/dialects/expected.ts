/** What cannot run at some compliant services, and why: any other could-not-run of a dialect run is a mistake. */
import type { AnswerClass, ExcuseId } from '../../../record/finding.ts';

export interface Expected {
  /** The excuse, or the class of the answer, that the finding gives as its cause. */
  readonly cause?: ExcuseId | AnswerClass;
  /** What is lacking, where the finding has that in words only (`needs`), or what a service of ours answered. */
  readonly says?: RegExp;
  /** Only of these. */
  readonly requirements?: readonly string[];
  /** Only where the profile is empty. */
  readonly bare?: true;
  /** Only at these. */
  readonly rows?: readonly string[];
  readonly why: string;
}

export const expected: readonly Expected[] = [
  {
    cause: 'unreachable-url',
    why: 'the service calls public addresses only, and a test has none',
  },
  {
    says: /nothing shows that the target reaches/,
    why: 'the service calls public addresses only, and a test has none',
  },
  {
    says: /with its CallbackUrl it was refused/,
    why: 'the service takes public URLs only, and a test has none',
  },
  {
    cause: 'not-accepted-either',
    requirements: ['skeleton.callback-types', 'skeleton.completed-documents-attached'],
    why: 'the service takes public URLs only, whatever stands beside them, and a test has none',
  },
  {
    says: /api\/Requests\?type=3 \(exchange \d+\) was answered with 200 \(empty body\)/,
    why: 'no id stands in the answer to an auto stamping creation, so that nobody can go on with the request',
  },
  {
    says: /calls\.sign (was answered with 404|names the signatory, for whom the target gave no id)/,
    why: 'the answer to an auto stamping creation carries no signatoryId, or the request is not visible yet',
  },
  {
    says: /is a link; if signed PDFs are attached that way|no PDF is among them/,
    why: 'links are followed only where the profile says that they are attachments',
  },
  {
    says: /may be on what cannot be read: the signing page/,
    why: 'it does not stand in the e-mails, and the profile names no page',
  },
  {
    says: /the call has no place for the code that came by/,
    why: 'two codes are asked for, and the call of the profile carries one',
  },
  {
    says: /no completed documents to look at: the profile has no calls\.completedDocuments/,
    why: 'callbacks carry links or none came, and the profile names no other way to the documents',
  },
  {
    says: /no link in the e-mails to the CC leads straight to a PDF/,
    rows: ['first-foreign-gateway'],
    why: 'the final copy lies behind a login',
  },
  {
    cause: 'guess',
    rows: ['first-sandbox-queue'],
    why: 'type 3 travels in a form there, which the first profile does not say (create.field)',
  },
  {
    cause: 'not-accepted-either',
    rows: ['first-sandbox-queue'],
    why: 'the same: it is refused whatever is in it',
  },
  {
    cause: 'not-there',
    rows: ['first-sandbox-gateway'],
    why: 'a document token is good for 20 requests (limits.documentUses)',
  },
  {
    says: /was answered with 404 \(empty body\)/,
    rows: ['first-sandbox-gateway'],
    why: 'the same, where something else needed the call',
  },
  {
    cause: 'two-minds',
    rows: ['first-sandbox-gateway'],
    why: 'a request has room for 5 signatories (limits.signatories)',
  },
  {
    says: /what would decide it did not happen/,
    rows: ['first-sandbox-forms', 'first-4', 'first-11'],
    why: 'each callback comes twice, so that nothing is said about their sequence',
  },
  {
    says: /cannot be read: nothing of the request is on it/,
    why: 'what the profile calls the signing page is the answer to another question',
  },
  {
    cause: 'guess',
    bare: true,
    why: 'how files and bodies travel was tried, and none of the usual ways was taken',
  },
  {
    cause: 'not-accepted-either',
    bare: true,
    why: 'the same: it is refused whatever is in it',
  },
  {
    says: /the body is not multipart\/form-data/i,
    bare: true,
    why: 'a body that travels in a form is refused as plain JSON, whatever is in it',
  },
  {
    says: /by guess: say where it stands/,
    bare: true,
    why: 'the document token was guessed among several candidates',
  },
];
