/** Endpoint 3: auto stamping. */

import {
  firstOrder,
  noColor,
  noOrder,
  noPrivateMessage,
  otpNumber,
  partsOfSeveral,
  partsOfStamped,
  textStamp,
  upperCase,
} from '../../generators/bodies/alternatives.ts';
import { cells, type OtpCell } from '../../generators/bodies/otp.ts';
import {
  eachType,
  peopleInTurn,
  type StampedIngredients,
  severalPeople,
  severalStamps,
  stampedNumberRows,
  stampedOtpRows,
  stampedRolesRow,
  stampedRows,
  unknownStampType,
} from '../../generators/bodies/stamping.ts';
import { fictionalMobiles } from '../../generators/people.ts';
import { status200 } from '../../harness/judging/operations.ts';
import type { CheckParts } from '../../harness/judging/parts.ts';
import { otpType } from '../../openapi/codes.ts';
import { covers, everyOne, test } from '../../running/fixtures.ts';

const titled = (title: string) => (given: StampedIngredients) =>
  stampedRows(given).filter((row) => row.title === title);

test('one call creates the request', covers('stamping.status-200'), async ({ stamping }) => {
  await stamping.succeeds('one document, one signatory, one stamp', 'document', status200, partsOfStamped);
});

/** Peculiarities of the document's sample, each with a body that differs in it. */
const ofSample = [
  [
    'stamping.signatory-type-lower-case',
    'signatoryType in lower case is accepted',
    'signatoryType',
    upperCase,
  ],
  ['stamping.otp-type-string', 'OTP.Type is accepted as a string', 'OTP.Type "1"', otpNumber],
  ['stamping.stamp-color', 'a stamp carries a color', 'a stamp with Color', noColor],
  ['stamping.stamp-order', 'a stamp carries an order', 'a stamp with Order', noOrder, firstOrder],
  [
    'stamping.signatory-fields',
    'a signatory has the fields of one that is added',
    'a signatory with PrivateMessage and Color',
    noPrivateMessage,
  ],
] as const;

const severalOf = [
  ['stamping.several-signatories', 'several signatories', severalPeople],
  ['stamping.several-stamps', 'several stamps', severalStamps],
] as const;

for (const [id, title, row, otherwise, ...more] of ofSample) {
  test(title, covers(id), async ({ stamping }) => {
    const ways = [
      () => stamping.acceptsRatherThan(row, otherwise),
      // The sample's way has to be accepted for all of several people and stamps, not only for the first.
      ...severalOf.map(([owner, several, body]) => () => {
        const others = {
          rows: (given: StampedIngredients) => [otherwise, ...more].map((each) => each(given, body)),
          blames: 'if-accepted',
          optional: true,
        } as const;
        return stamping.as(owner).accepts(titled(several), others);
      }),
    ];
    await everyOne(ways, (accepts) => accepts());
  });
}

/** How many numbers are tried where several are there. */
const numbersTried = 4;

/** Several people with nothing else special: that they are accepted is a requirement of its own, and so are their Orders. */
const plainPeople = {
  rows: (given: StampedIngredients) => titled('several signatories')(given),
  blames: 'if-accepted',
} as const;
const plainInTurn = {
  rows: (given: StampedIngredients) => [peopleInTurn(given)],
  blames: 'if-accepted',
} as const;

const ofRoles = (given: StampedIngredients) => [stampedRolesRow(given, 'their own')];
const inParallel = (given: StampedIngredients) => [stampedRolesRow(given, 'their own', { Order: 1 })];
const ofOptions = (stamping: CheckParts['stamping']) => stamping.as('stamping.signatory-options');
const withoutStamps = { rows: [(given: StampedIngredients) => [stampedRolesRow(given, 'none')]] };

test(
  'a signatory has an OTP and a role as one that is added',
  covers('stamping.signatory-options'),
  async ({ stamping, facts }) => {
    const numbers = Object.values(facts.people.mobileNumbers ?? fictionalMobiles).slice(0, numbersTried);
    await stamping.accepts((given) => stampedOtpRows(given, facts.accessCode), plainInTurn, {
      rows: numbers.map(
        (number) => (given: StampedIngredients) => stampedOtpRows(given, facts.accessCode, number),
      ),
      excuses: ['invented-number'],
    });
    // If they are accepted in parallel, their Orders are the reason.
    const ofOrders =
      !(await ofOptions(stamping).takes(ofRoles)) && (await ofOptions(stamping).takes(inParallel));
    const others = ofOrders ? { ...plainInTurn, rows: () => [], optional: true } : plainInTurn;
    await ofOptions(stamping).accepts(ofRoles, others, withoutStamps);
  },
);

test(
  'signatories have Orders one after the other',
  covers('stamping.signatory-fields'),
  async ({ stamping }) => {
    const others = { rows: inParallel, blames: 'if-accepted', optional: true } as const;
    await ofOptions(stamping).accepts(ofRoles, others, withoutStamps);
  },
);

test(
  'OTP by SMS without a valid MobileNumber is not accepted',
  covers('stamping.mobile-number'),
  async ({ stamping, signatory, check }) => {
    // What endpoint 5 accepts as well is one mistake, of the requirement there.
    const takes = (id: 'otp.mobile-required' | 'otp.mobile-valid', number: OtpCell['mobile']) => {
      const isMeant = ({ type, mobile, accessCode }: OtpCell) =>
        type === otpType.sms && mobile === number && accessCode === 'absent';
      return signatory.as(id).takes(cells('refused', isMeant));
    };
    const lacks = [
      ...((await takes('otp.mobile-required', 'absent')) ? [] : (['a number'] as const)),
      ...((await takes('otp.mobile-valid', 'letters')) ? [] : (['a valid number'] as const)),
    ];
    if (lacks.length === 0) check.skip('endpoint 5 accepts them as well');
    else await stamping.refuses((given) => stampedNumberRows(given, lacks), 'rejection');
  },
);

test('several documents are accepted', covers('stamping.several-documents'), async ({ stamping }) => {
  await stamping.accepts(titled('several documents'));
});

for (const [id, row, body] of severalOf) {
  test(`${row} are accepted`, covers(id), async ({ stamping }) => {
    const rows = (given: StampedIngredients) => partsOfSeveral.map((part) => part(given, body));
    await stamping.as(id).accepts(titled(row), { rows, blames: 'unless-accepted' });
  });
}

const ofTwoPeople = [
  ['stamping.negative-offset', 'negative offsets'],
  ['stamping.fractional-numbers', 'fractional offsets and sizes'],
] as const;

for (const [id, row] of ofTwoPeople) {
  test(`${row} are accepted`, covers(id), async ({ stamping }) => {
    await stamping.accepts(titled(row), plainPeople);
  });
}

test('each type of stamp is accepted', covers('stamping.stamp-types'), async ({ stamping }) => {
  await stamping.acceptsRatherThan('a stamp of the type signature, the only one', textStamp);
  await stamping.accepts((given) => [eachType(given)], {
    rows: (given) => [eachType(given, 'signature')],
    blames: 'if-accepted',
  });
});

test(
  'a stamp of another type is not accepted',
  covers('stamping.stamp-type-values'),
  async ({ stamping }) => {
    await stamping.refuses((given) => [unknownStampType(given)], 'rejection');
  },
);
