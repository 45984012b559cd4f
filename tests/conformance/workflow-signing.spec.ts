/** Roles, order, and what people are shown and written: judged from the flows of the run. */
import { covers } from '../running/covers.ts';
import { test } from '../running/fixtures.ts';

test('a lower order signs first', covers('signing.lower-order-first'), async ({ evidence }) => {
  await evidence.holds();
});

test('signatories with Order 1 sign in parallel', covers('signing.parallel'), async ({ evidence }) => {
  await evidence.holds();
});

test('a signer views the document', covers('signing.signer-views'), async ({ evidence }) => {
  await evidence.holds();
});

test('a signer signs', covers('signing.signer-signs'), async ({ evidence }) => {
  await evidence.holds();
});

test('an approver approves', covers('signing.approver-approves'), async ({ evidence }) => {
  await evidence.holds();
});

test('an approver cannot sign', covers('signing.approver-cannot-sign'), async ({ evidence }) => {
  await evidence.holds();
});

test('a CC receives the final copy', covers('signing.cc-receives-copy'), async ({ evidence }) => {
  await evidence.holds();
});

test('a CC cannot act, and is not waited for', covers('signing.cc-cannot-act'), async ({ evidence }) => {
  await evidence.holds();
});

test(
  'later calls find each signatory by signatoryId',
  covers('signatory.signatory-id-usable'),
  async ({ evidence }) => {
    await evidence.holds();
  },
);

test('who was refused takes no part', covers('signatory.refused-without-effect'), async ({ evidence }) => {
  await evidence.holds();
});

test(
  'a creation that was refused is notified of nowhere',
  covers('skeleton.refused-without-effect'),
  async ({ evidence }) => {
    await evidence.holds();
  },
);

test(
  'who stands in a creation that was refused is not written to',
  covers('stamping.refused-without-effect'),
  async ({ evidence }) => {
    await evidence.holds();
  },
);

test('the signing page shows Title', covers('signing.title-shown'), async ({ evidence }) => {
  await evidence.holds();
});

test('the e-mail names Title', covers('signing.title-mailed'), async ({ evidence }) => {
  await evidence.holds();
});

test('the signing page shows Message', covers('signing.message-shown'), async ({ evidence }) => {
  await evidence.holds();
});

test(
  'PrivateMessage is shown to its signatory alone',
  covers('signing.private-message'),
  async ({ evidence }) => {
    await evidence.holds();
  },
);

test('signatories are written to at Email', covers('signing.email-used'), async ({ evidence }) => {
  await evidence.holds();
});

test('the signing page shows Name', covers('signing.name-shown'), async ({ evidence }) => {
  await evidence.holds();
});

test(
  'Color is not seen in the completed document',
  covers('signing.color-no-effect'),
  async ({ evidence }) => {
    await evidence.holds();
  },
);
