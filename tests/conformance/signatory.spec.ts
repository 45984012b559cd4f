/** Endpoint 5: what is accepted, and the answer. */
import {
  parallelRows,
  type SignatoryRow,
  sequentialRows,
  signatoryRows,
} from '../../generators/bodies/signatory.ts';
import type { PersonOf } from '../../generators/people.ts';
import { withRequiredOtp } from '../alternatives.ts';
import { differ, echoesRequestId, hasField, isJson } from '../answers.ts';
import { covers } from '../covers.ts';
import { test } from '../fixtures.ts';

type Given = { personOf: PersonOf };

const about =
  (field: SignatoryRow['field']) =>
  ({ personOf }: Given) =>
    signatoryRows(personOf).filter((row) => row.field === field);

const titled = (title: string) => (given: Given) =>
  about('SignatoryType')(given).filter((row) => row.title === title);

test(
  'a body with the required fields and OTP adds a signatory',
  covers('signatory.added'),
  async ({ signatory }) => {
    await signatory.succeeds('the required fields and OTP', 'skeleton', undefined, [withRequiredOtp]);
  },
);

test('the answer to an addition is JSON', covers('signatory.response-json'), async ({ signatory }) => {
  await signatory.answers('the answer to the required fields', isJson);
});

test(
  'the answer carries the requestId of the path',
  covers('signatory.request-id-echoed'),
  async ({ signatory }) => {
    await signatory.answers('the answer to the required fields', echoesRequestId);
  },
);

test('the answer carries signatoryId', covers('signatory.signatory-id'), async ({ signatory }) => {
  await signatory.answers('the answer to the required fields', hasField('signatoryId'));
});

test('two signatories have two ids', covers('signatory.signatory-id-unique'), async ({ signatory }) => {
  await signatory.answersTwice('two signatories', differ('signatoryId'));
});

test('many signatories are added to one request', covers('signatory.many'), async ({ signatory }) => {
  await signatory.acceptsTogether(({ personOf }) => signatoryRows(personOf).slice(0, 3));
});

test(
  'signatories one after the other are accepted',
  covers('signatory.sequential-orders'),
  async ({ signatory }) => {
    await signatory.acceptsTogether(({ personOf }) => sequentialRows(personOf));
  },
);

test('signatories in parallel are accepted', covers('signatory.parallel-orders'), async ({ signatory }) => {
  await signatory.acceptsTogether(({ personOf }) => parallelRows(personOf));
});

test('PrivateMessage is accepted', covers('signatory.private-message'), async ({ signatory }) => {
  await signatory.accepts(about('PrivateMessage'));
});

test('Color is accepted', covers('signatory.color'), async ({ signatory }) => {
  await signatory.accepts(about('Color'));
});

test('a signer is accepted', covers('signatory.role-signer'), async ({ signatory }) => {
  await signatory.accepts(titled('a signer'));
});

test('an approver is accepted', covers('signatory.role-approver'), async ({ signatory }) => {
  await signatory.accepts(titled('an approver'));
});

test('a CC is accepted', covers('signatory.role-cc'), async ({ signatory }) => {
  await signatory.accepts(titled('a CC'));
});
