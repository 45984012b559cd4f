/** What happens after a creation: judged from the flows of the run, each a request from upload to completion. */
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { covers, coversInFlows, test } from '../../running/fixtures.ts';

/** Requirements that no flow may violate and at least one has to fulfil, each with the title of its check. */
const judged: readonly (readonly [RequirementId, string])[] = [
  ['events.request-received', 'event 1 arrives where it is subscribed to'],
  ['events.signatory-completed', 'event 2 arrives for every signer who completed'],
  ['events.process-completed', 'event 3 arrives when everybody has completed'],
  ['events.all', 'code 0 brings all events'],
  ['events.only-subscribed', 'no event arrives that was not subscribed to'],
  ['events.to-callback-url', 'callbacks go to CallbackUrl with its query string'],
  ['events.optional', 'a request without CallbackUrl works, and nothing is sent for it'],
  ['events.signatory-completed-after-action', 'no event 2 arrives before its signatory acted'],
  ['events.process-completed-last', 'event 3 does not arrive before the last signatory acted'],
  ['events.received-before-signatures', 'event 1 arrives before event 2'],
  ['events.signatures-before-completed', 'event 2 of every signer arrives before event 3'],
  ['events.request-received-first', 'event 1 arrives before event 3'],
  ['events.none-for-cc', 'no event 2 arrives for a CC'],
  ['events.documents-attached', 'the final callback carries the signed PDFs'],
  ['events.documents-not-attached', 'no callback carries PDFs that were not asked for'],
  ['otp.gates-signing', 'a code is demanded where it is required'],
  ['otp.not-asked', 'no code is demanded where it is not required'],
  ['otp.email-delivered', 'the code of Type 1 comes by e-mail'],
  ['otp.sms-delivered', 'the code of Type 2 comes by SMS'],
  ['otp.access-code-asked', 'the AccessCode of Type 3 is the code'],
  ['otp.email-and-sms-delivered', 'the codes of Type 4 come by e-mail and SMS'],
  ['signing.lower-order-first', 'a lower order signs first'],
  ['signing.parallel', 'signatories with Order 1 sign in parallel'],
  ['signing.signer-views', 'a signer views the document'],
  ['signing.signer-signs', 'a signer signs'],
  ['signing.approver-approves', 'an approver approves'],
  ['signing.approver-cannot-sign', 'an approver cannot sign'],
  ['signing.cc-receives-copy', 'a CC receives the final copy'],
  ['signing.cc-cannot-act', 'a CC cannot act, and is not waited for'],
  ['signatory.signatory-id-usable', 'later calls find each signatory by signatoryId'],
  ['signatory.refused-without-effect', 'who was refused takes no part'],
  ['skeleton.refused-without-effect', 'a creation that was refused is notified of nowhere'],
  ['stamping.refused-without-effect', 'who stands in a creation that was refused is not written to'],
  ['signing.title-shown', 'the signing page shows Title'],
  ['signing.title-mailed', 'the e-mail names Title'],
  ['signing.message-shown', 'the signing page shows Message'],
  ['signing.private-message', 'PrivateMessage is shown to its signatory alone'],
  ['signing.email-used', 'signatories are written to at Email'],
  ['signing.name-shown', 'the signing page shows Name'],
  ['signing.color-no-effect', 'Color is not seen in the completed document'],
  ['stamping.placed', 'stamps are placed where and as large as they were given'],
];

/** Requirements with checks of their own that the calls of flows may violate as well. */
const kept = [
  ['signatory.many', 'everybody is added beside others with other roles, Orders and codes'],
  ['signatory.added', 'people are added to each request'],
  ['signatory.role-approver', 'an approver with a code is added'],
  ['skeleton.callback-types', 'each of several codes counts'],
  ['signatory.deleted-request', 'a deleted request that was sent takes nobody'],
] as const;

for (const [id, title] of kept) {
  test(title, coversInFlows(id), async ({ evidence }) => {
    await evidence.isKept();
  });
}

for (const [id, title] of judged) {
  test(title, covers(id), async ({ evidence }) => {
    await evidence.holds();
  });
}
