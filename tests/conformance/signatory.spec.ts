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
  await signatory.comparesAnswers('two signatories', differ('signatoryId'));
});

test('many signatories are added to one request', covers('signatory.many'), async ({ signatory, facts }) => {
  // The fifth person is a second CC, who tells something only where CCs are accepted at all, as one of these two is then.
  const taken = await Promise.all([
    signatory.as('signatory.role-cc').takes(titled('a CC')),
    signatory.as('signatory.private-message').takes(otherSignatory('of a CC')),
  ]);
  const size = taken.includes(true) ? undefined : companySize;
  // Where approvers and signers of that Order are accepted, an approver of that Order is.
  const approves = await signatory.as('signatory.role-approver').takes(titled('an approver'));
  const isFifth = (index: number) => index >= companySize;
  await signatory.acceptsTogether(
    ({ personOf }) => companyRows(personOf).slice(0, size).slice(0, facts.limits.signatories),
    {
      // The same person alone, which is a requirement of its own. Whether there may be five at all shows with a plain fifth one.
      rows: (given, _, index) => [
        ...(isFifth(index) ? [] : companyRows(given.personOf).slice(index, index + 1)),
        ...(isFifth(index) || (approves && index === 3) ? [withOrder(given, index + 1)] : []),
      ],
      // The first has nobody beside them.
      apart: (index) => index > 0 && !isFifth(index),
      optional: isFifth,
      blames: 'if-accepted',
    },
    'full',
  );
});

test(
  'signatories one after the other are accepted',
  covers('signatory.sequential-orders'),
  async ({ signatory, facts }) => {
    // A service that refuses Order 4 after 2 may ask for 3 first; such a service refuses a higher Order as well.
    const others = [[], [1], [5], [5, 1]];
    await signatory.acceptsTogether(
      ({ personOf }) => laterFirstRows(personOf).slice(0, facts.limits.signatories),
      {
        // Where an approver is accepted in place of a second signer, the Order is not the reason.
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
    // In which sequence people are added is up to the caller. That a CC is accepted at all is a requirement of its own.
    const ccFirst = await signatory.as('signatory.role-cc').takes(titled('a CC'));
    const approves = await signatory.as('signatory.role-approver').takes(titled('an approver'));
    // The same with another Order: that the role is accepted beside others is a requirement of its own. Of a first CC the next person.
    const instead = ccFirst ? [0, 3, 2, 3] : [0, undefined, 2, 3];
    // Whoever is not accepted alone with Order 1 is not accepted for that.
    const others = approves ? instead : instead.map((at) => (at === 2 ? at : undefined));
    await signatory.acceptsTogether(
      ({ personOf }) => parallelRows(personOf, ccFirst).slice(0, facts.limits.signatories),
      {
        rows: ({ personOf }, _, index) => companyRows(personOf).filter((_, at) => at === others[index]),
        optional: (index) => others[index] === undefined,
        blames: 'if-accepted',
      },
    );
  },
);

test('a signer is accepted', covers('signatory.role-signer'), async ({ signatory }) => {
  await signatory.acceptsRatherThan('a signer with the required fields', withApprover);
});

/** No other body is tried: that people of a role are accepted beside others is a requirement of its own. */
const nobodyLikeThem = { rows: () => [], blames: 'unless-accepted' } as const;

const optional = [
  ['signatory.private-message', 'PrivateMessage'],
  ['signatory.color', 'Color'],
] as const;

for (const [id, field] of optional) {
  test(`${field} is accepted`, covers(id), async ({ signatory }) => {
    const ofOthers = (['of a CC', 'of an approver'] as const).map((whose) => () => {
      // The same body without the field, to see that the rest of it is accepted.
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
