/** What a target does where the document is silent: nothing here is judged. */

import type { BoldRow } from '../../generators/bodies/bold.ts';
import { boldRequestRows } from '../../generators/bodies/bold-request.ts';
import { boldSignatoryRows } from '../../generators/bodies/bold-signatory.ts';
import { boldStampedRows } from '../../generators/bodies/bold-stamping.ts';
import { otpRows, silentSample } from '../../generators/bodies/otp.ts';
import type { DocumentSource } from '../../generators/documents/document.ts';
import { plainPdf } from '../../generators/documents/pdf.ts';
import { silentDocuments } from '../../generators/documents/rows.ts';
import { observePairs, observeUnmade, otherPaths } from '../../harness/judging/observed-calls.ts';
import { requestSchema } from '../../openapi/contract.ts';
import type { GapId } from '../../openapi/gaps/register.ts';
import { observes, test } from '../../running/fixtures.ts';

const named = (rows: typeof silentDocuments) => (source: DocumentSource) =>
  rows.map((row) => ({ ...row, input: () => row.input({ ...source, name: `observed ${row.title}` }) }));

/** The first row of each gap is enough to see what a target does; a run that explores sends them all. */
const firstOfGap = <Of extends { readonly gap: GapId }>(rows: readonly Of[]): readonly Of[] =>
  rows.filter((row, index) => rows.findIndex(({ gap }) => gap === row.gap) === index);

/** Gaps that only a run that explores looks into. */
const exploring: readonly GapId[] = [
  'limits.file-size',
  'limits.lengths',
  'limits.characters',
  'upload.file-name',
  'upload.encrypted-file',
  'errors.key-case',
  'errors.empty-strings',
  'errors.byte-order-mark',
  'errors.lenient-json',
  'otp.access-code-empty',
  'otp.access-code-form',
  'otp.mobile-format',
  'otp.roles',
  'signatory.color-form',
  'signatory.order-range',
  'signatory.email-form',
];
const inEveryRun = <Of extends { readonly gap: GapId }>(rows: readonly Of[]) =>
  firstOfGap(rows).filter(({ gap }) => !exploring.includes(gap));
const usual = inEveryRun(silentDocuments);
const later = silentDocuments.filter((document) => !usual.includes(document));

/** Rows with the operation in their titles: several operations try the same thing, and may answer differently. */
const labelled = (label: string, rows: readonly BoldRow[]) =>
  rows.map((row) => ({ ...row, title: `${label}: ${row.title}` }));

const signatories = (given: Parameters<typeof boldSignatoryRows>[0]['personOf'], mobileNumber: string) =>
  boldSignatoryRows({ personOf: given, mobileNumber, schema: requestSchema('addSignatory') });

test('unusual files are uploaded', observes(), async ({ upload }) => {
  await upload.observes(named(usual));
});

test('combinations of an OTP object are sent', observes(), async ({ signatory }) => {
  await signatory.observes((given) => silentSample(otpRows(given)));
});

test('unusual signatories are sent', observes(), async ({ signatory }) => {
  await signatory.observes(({ personOf }) =>
    inEveryRun(signatories(personOf, personOf('number').mobileNumber)),
  );
});

test('the Bearer scheme is sent in lower case', observes(), async ({ upload }) => {
  await upload.observes((source) => [
    {
      gap: 'auth.scheme-case',
      title: 'Authorization: bearer',
      outcome: 'silent',
      input: () => plainPdf(source),
      differs: { authorization: 'lower-case-scheme' },
    },
  ]);
});

test('other paths and headers are tried', observes('patient'), async ({ signatory }) => {
  await signatory.observes(otherPaths);
});

test('what is there already is sent once more', observes('patient'), async ({ session, facts }) => {
  await observePairs(session, facts);
});

test('creations that can create nothing are sent', observes(), async ({ session, facts }) => {
  await observeUnmade(session, facts);
});

test('every unusual file is uploaded', observes('explore'), async ({ upload }) => {
  await upload.observes(named(later));
});

test('every combination of an OTP object is sent', observes('explore'), async ({ signatory }) => {
  await signatory.observes((given) => otpRows(given).filter(({ outcome }) => outcome === 'silent'));
});

test('every unusual signatory is sent', observes('explore'), async ({ signatory }) => {
  await signatory.observes(({ personOf }) => signatories(personOf, personOf('number').mobileNumber));
});

test('unusual type 0 creations are sent', observes('explore'), async ({ skeleton }) => {
  await skeleton.observes((given) =>
    labelled('type 0', boldRequestRows(given, requestSchema('createSkeletonRequest'))),
  );
});

test('unusual auto stamping creations are sent', observes('explore'), async ({ stamping }) => {
  await stamping.observes((given) => labelled('type 3', boldStampedRows(given)));
});
