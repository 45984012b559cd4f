/** Endpoint 5: what is accepted, and the answer. */

import { withApprover, withOrder, withRequiredOtp } from '../../generators/bodies/alternatives.ts';
import { otherSignatory } from '../../generators/bodies/otp.ts';
import {
  companyRows,
  companySize,
  laterFirstRows,
  parallelRows,
  type SignatoryRow,
  signatoryRows,
} from '../../generators/bodies/signatory.ts';
import type { PersonOf } from '../../generators/people.ts';
import { differ, echoesRequestId, hasField, isJson } from '../../harness/judging/readings.ts';
import { covers, everyOne, test } from '../../running/fixtures.ts';

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

const answers = [
  ['signatory.response-json', 'the answer to an addition is JSON', isJson],
  ['signatory.request-id-echoed', 'the answer carries the requestId of the path', echoesRequestId],
  ['signatory.signatory-id', 'the answer carries signatoryId', hasField('signatoryId')],
] as const;

for (const [id, title, reading] of answers) {
  test(title, covers(id), async ({ signatory }) => {
    await signatory.answers('the answer to the required fields', reading);
  });
}

test('two signatories have two ids', covers('signatory.signatory-id-unique'), async ({ signatory }) => {
  await signatory.answersTwice('two signatories', differ('signatoryId'));
});

test('many signatories are added to one request', covers('signatory.many'), async ({ signatory, facts }) => {
  // A second one tells only where there may be a first, which of two in one request only one is.
  const taken = await Promise.all([
    signatory.as('signatory.role-cc').takes(titled('a CC')),
    signatory.as('signatory.private-message').takes(otherSignatory('of a CC')),
  ]);
  const size = taken.includes(true) ? undefined : companySize;
  const isFifth = (index: number) => index >= companySize;
  await signatory.acceptsTogether(
    ({ personOf }) => companyRows(personOf).slice(0, size).slice(0, facts.limits.signatories),
    {
      // The same alone: that it is accepted there is a requirement of its own. How many there may be, another fifth tells.
      rows: (given, _, index) =>
        isFifth(index) ? [withOrder(given, index + 1)] : companyRows(given.personOf).slice(index, index + 1),
      apart: (index) => !isFifth(index),
      optional: isFifth,
      blames: 'if-accepted',
    },
  );
});

test(
  'signatories one after the other are accepted',
  covers('signatory.sequential-orders'),
  async ({ signatory, facts }) => {
    // Who refuses 4 after 2 may want 3 before, and none of a higher Order either.
    const others = [[], [1], [5], [5, 1]];
    await signatory.acceptsTogether(
      ({ personOf }) => laterFirstRows(personOf).slice(0, facts.limits.signatories),
      {
        // Nor is it the Order where an approver is taken in the place of a second signer.
        rows: (given, _, index) => [
          ...(others[index] ?? []).map((order) => withOrder(given, order)),
          ...(index === 1 ? [withApprover(given)] : []),
        ],
        blames: 'if-accepted',
      },
    );
  },
);

test(
  'signatories in parallel are accepted',
  covers('signatory.parallel-orders'),
  async ({ signatory, facts }) => {
    await signatory.acceptsTogether(
      ({ personOf }) => parallelRows(personOf).slice(0, facts.limits.signatories),
      {
        // With another Order: that the role is accepted beside others is a requirement of its own.
        rows: ({ personOf }, _, index) => companyRows(personOf).slice(index, index + 1),
        blames: 'if-accepted',
      },
    );
  },
);

test('a signer is accepted', covers('signatory.role-signer'), async ({ signatory }) => {
  await signatory.acceptsRatherThan('a signer with the required fields', withApprover);
});

/** That people of a role are taken beside others is a requirement of its own. */
const nobodyLikeThem = { rows: () => [], blames: 'unless-accepted' } as const;

const optional = [
  ['signatory.private-message', 'PrivateMessage'],
  ['signatory.color', 'Color'],
] as const;

for (const [id, field] of optional) {
  test(`${field} is accepted`, covers(id), async ({ signatory }) => {
    const ofOthers = (['of a CC', 'of an approver'] as const).map((whose) => () => {
      // Without it, what else they have is in order.
      const others = { rows: otherSignatory(whose, field), blames: 'if-accepted', optional: true } as const;
      return signatory.as('signatory.private-message').accepts(otherSignatory(whose), others);
    });
    await everyOne([() => signatory.accepts(about(field)), ...ofOthers], (accepts) => accepts());
  });
}

const accepted = [
  ['signatory.role-approver', 'an approver', titled('an approver')],
  ['signatory.role-cc', 'a CC', titled('a CC')],
] as const;

for (const [id, what, rows] of accepted) {
  test(`${what} is accepted`, covers(id), async ({ signatory }) => {
    await signatory.as(id).accepts(rows, nobodyLikeThem);
  });
}
