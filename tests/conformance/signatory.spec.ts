/** Endpoint 5: what is accepted, and the answer. */
import {
  companyRows,
  laterFirstRows,
  manyRows,
  parallelRows,
  type SignatoryRow,
  sequentialRows,
  signatoryRows,
} from '../../generators/bodies/signatory.ts';
import type { PersonOf } from '../../generators/people.ts';
import { withApprover, withOrder, withRequiredOtp } from '../../harness/judging/alternatives.ts';
import { differ, echoesRequestId, hasField, isJson } from '../../harness/judging/answers.ts';
import { covers, test } from '../running/fixtures.ts';

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
    await signatory.succeeds('the required fields and OTP', 'skeleton', undefined, [
      withRequiredOtp,
      withApprover,
    ]);
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

test('many signatories are added to one request', covers('signatory.many'), async ({ signatory, facts }) => {
  // Somebody else of the same role, in a place that is free or in parallel: only the number is left.
  await signatory.acceptsTogether(({ personOf }) => manyRows(personOf).slice(0, facts.limits.signatories), {
    rows: (given, time) => [withOrder(given, 1), withOrder(given, 100 + time)],
    blames: 'unless-accepted',
  });
  // The same alone: that it is accepted there is a requirement of its own.
  await signatory.acceptsTogether(
    ({ personOf }) => companyRows(personOf).slice(0, facts.limits.signatories),
    {
      rows: ({ personOf }, _, index) => companyRows(personOf).slice(index, index + 1),
      apart: true,
      blames: 'if-accepted',
    },
  );
});

test(
  'signatories one after the other are accepted',
  covers('signatory.sequential-orders'),
  async ({ signatory }) => {
    await signatory.acceptsTogether(({ personOf }) => sequentialRows(personOf), {
      rows: (given) => [withOrder(given, 1)],
      blames: 'if-accepted',
    });
    await signatory.acceptsTogether(({ personOf }) => laterFirstRows(personOf), {
      rows: (given) => [withOrder(given, 4)],
      blames: 'if-accepted',
    });
  },
);

test('signatories in parallel are accepted', covers('signatory.parallel-orders'), async ({ signatory }) => {
  await signatory.acceptsTogether(({ personOf }) => parallelRows(personOf), {
    rows: (given, time) => [withOrder(given, 1 + time)],
    blames: 'if-accepted',
  });
});

test('PrivateMessage is accepted', covers('signatory.private-message'), async ({ signatory }) => {
  await signatory.accepts(about('PrivateMessage'));
});

test('Color is accepted', covers('signatory.color'), async ({ signatory }) => {
  await signatory.accepts(about('Color'));
});

test('a signer is accepted', covers('signatory.role-signer'), async ({ signatory }) => {
  await signatory.acceptsRatherThan('a signer with the required fields', withApprover);
});

test('an approver is accepted', covers('signatory.role-approver'), async ({ signatory }) => {
  await signatory.accepts(titled('an approver'));
});

test('a CC is accepted', covers('signatory.role-cc'), async ({ signatory }) => {
  await signatory.accepts(titled('a CC'));
});
