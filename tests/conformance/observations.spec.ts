/** What a target does where the document is silent: nothing here is judged. */

import type { BoldRow } from '../../generators/bodies/bold.ts';
import { boldRequestRows } from '../../generators/bodies/bold-request.ts';
import { boldSignatoryRows } from '../../generators/bodies/bold-signatory.ts';
import { boldStampedRows } from '../../generators/bodies/bold-stamping.ts';
import { otpRows, silentSample } from '../../generators/bodies/otp.ts';
import type { DocumentSource } from '../../generators/documents/document.ts';
import { silentDocuments } from '../../generators/documents/rows.ts';
import { requestSchema } from '../../openapi/contract.ts';
import { test } from '../fixtures.ts';
import { observes } from '../observes.ts';

/** The documents that are quick to send; the large one waits for a run that explores. */
const small = silentDocuments.filter(({ gap }) => gap !== 'limits.file-size');
const large = silentDocuments.filter(({ gap }) => gap === 'limits.file-size');

const named = (rows: typeof silentDocuments) => (source: DocumentSource) =>
  rows.map((row) => ({ ...row, input: () => row.input({ ...source, name: `observed ${row.title}` }) }));

/** One row for each gap is enough to see what a target does. */
const oneEach = (rows: readonly BoldRow[]) =>
  rows.filter((row, index) => rows.findIndex(({ gap }) => gap === row.gap) === index);

const signatories = (given: Parameters<typeof boldSignatoryRows>[0]['personOf'], mobileNumber: string) =>
  boldSignatoryRows({ personOf: given, mobileNumber, schema: requestSchema('addSignatory') });

test('unusual files are uploaded', observes(), async ({ upload }) => {
  await upload.observes(named(small));
});

test('combinations of an OTP object are sent', observes(), async ({ signatory }) => {
  await signatory.observes((given) => silentSample(otpRows(given)));
});

test('unusual signatories are sent', observes(), async ({ signatory }) => {
  await signatory.observes(({ personOf }) => oneEach(signatories(personOf, personOf('number').mobileNumber)));
});

test('the Bearer scheme is sent in lower case', observes(), async ({ upload }) => {
  await upload.observesAccess('auth.scheme-case', 'Authorization: bearer', 'lower-case-scheme');
});

test('a large file is uploaded', observes('explore'), async ({ upload }) => {
  await upload.observes(named(large));
});

test('every combination of an OTP object is sent', observes('explore'), async ({ signatory }) => {
  await signatory.observes((given) => otpRows(given).filter(({ outcome }) => outcome === 'silent'));
});

test('every unusual signatory is sent', observes('explore'), async ({ signatory }) => {
  await signatory.observes(({ personOf }) => signatories(personOf, personOf('number').mobileNumber));
});

test('unusual type 0 creations are sent', observes('explore'), async ({ skeleton }) => {
  await skeleton.observes((given) => boldRequestRows(given, requestSchema('createSkeletonRequest')));
});

test('unusual auto stamping creations are sent', observes('explore'), async ({ stamping }) => {
  await stamping.observes((given) => boldStampedRows(given));
});
