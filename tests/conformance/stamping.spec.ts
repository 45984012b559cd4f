/** Endpoint 3: auto stamping. */
import { withValue } from '../../generators/bodies/edit.ts';
import {
  type StampedIngredients,
  stamp,
  stampedNumberRows,
  stampedOtpRows,
  stampedRolesRow,
  stampedRows,
  unknownStampType,
} from '../../generators/bodies/stamping.ts';
import { fictionalMobiles } from '../../generators/people.ts';
import {
  least,
  noColor,
  noOrder,
  noPrivateMessage,
  onlySignatory,
  otpNumber,
  partsOfStamped,
  textStamp,
  upperCase,
} from '../../harness/judging/alternatives.ts';
import { status200 } from '../../harness/judging/operations.ts';
import { withoutAccess } from '../../harness/judging/without-access.ts';
import { stampTypes } from '../../openapi/codes.ts';
import { covers } from '../running/covers.ts';
import { test } from '../running/fixtures.ts';

const titled = (title: string) => (given: StampedIngredients) =>
  stampedRows(given).filter((row) => row.title === title);

test('one call creates the request', covers('stamping.status-200'), async ({ stamping }) => {
  await stamping.succeeds('one document, one signatory, one stamp', 'document', status200, partsOfStamped);
});

test(
  'signatoryType in lower case is accepted',
  covers('stamping.signatory-type-lower-case'),
  async ({ stamping }) => {
    await stamping.acceptsRatherThan('signatoryType', upperCase);
  },
);

test('OTP.Type is accepted as a string', covers('stamping.otp-type-string'), async ({ stamping }) => {
  await stamping.acceptsRatherThan('OTP.Type "1"', otpNumber);
});

test('a stamp carries a color', covers('stamping.stamp-color'), async ({ stamping }) => {
  await stamping.acceptsRatherThan('a stamp with Color', noColor);
});

test('a stamp carries an order', covers('stamping.stamp-order'), async ({ stamping }) => {
  await stamping.acceptsRatherThan('a stamp with Order', noOrder);
});

test(
  'a signatory has the fields of one that is added',
  covers('stamping.signatory-fields'),
  async ({ stamping }) => {
    await stamping.acceptsRatherThan('a signatory with PrivateMessage and Color', noPrivateMessage);
  },
);

/** How many numbers are tried where several are there. */
const numbersTried = 4;

/** Several people with nothing else about them: that they are taken is a requirement of its own. */
const plainPeople = {
  rows: (given: StampedIngredients) => titled('several signatories')(given),
  blames: 'if-accepted',
} as const;

test(
  'a signatory has an OTP and a role as one that is added',
  covers('stamping.signatory-options'),
  async ({ stamping, facts }) => {
    const numbers = Object.values(facts.people.mobileNumbers ?? fictionalMobiles).slice(0, numbersTried);
    await stamping.accepts((given) => stampedOtpRows(given, facts.accessCode), plainPeople, {
      rows: numbers.map(
        (number) => (given: StampedIngredients) => stampedOtpRows(given, facts.accessCode, number),
      ),
      excuses: facts.people.mobileNumbers ? [] : ['invented-number'],
    });
    await stamping.accepts((given) => [stampedRolesRow(given, 'their own')], plainPeople, {
      rows: [(given) => [stampedRolesRow(given, 'none')]],
    });
  },
);

test(
  'OTP by SMS without a valid MobileNumber is not accepted',
  covers('stamping.mobile-number'),
  async ({ stamping }) => {
    await stamping.refuses(stampedNumberRows, 'rejection');
  },
);

test('several documents are accepted', covers('stamping.several-documents'), async ({ stamping }) => {
  await stamping.accepts(titled('several documents'));
});

test('several signatories are accepted', covers('stamping.several-signatories'), async ({ stamping }) => {
  await stamping.accepts(titled('several signatories'));
});

test('several stamps are accepted', covers('stamping.several-stamps'), async ({ stamping }) => {
  await stamping.accepts(titled('several stamps'));
});

test('negative offsets are accepted', covers('stamping.negative-offset'), async ({ stamping }) => {
  await stamping.accepts(titled('negative offsets'));
});

test(
  'fractional offsets and sizes are accepted',
  covers('stamping.fractional-numbers'),
  async ({ stamping }) => {
    await stamping.accepts(titled('fractional offsets and sizes'));
  },
);

test('each type of stamp is accepted', covers('stamping.stamp-types'), async ({ stamping }) => {
  await stamping.acceptsRatherThan('a stamp of the type signature, the only one', textStamp);
  await stamping.accepts((given) =>
    // The first one stands in the shared call.
    stampTypes.slice(1).map((type) => ({
      title: `a stamp of the type ${type}`,
      outcome: 'accepted',
      input: { json: withValue(least(given), `${onlySignatory}/AutoStamps`, [stamp(type, 0)]) },
    })),
  );
});

test(
  'a stamp of another type is not accepted',
  covers('stamping.stamp-type-values'),
  async ({ stamping }) => {
    await stamping.refuses((given) => [unknownStampType(given)], 'rejection');
  },
);

test(
  'a creation without an access token is rejected',
  covers('stamping.token-missing'),
  async ({ stamping }) => {
    await stamping.deniesAccess(withoutAccess.missing, 'rejection');
  },
);

test(
  'a creation with an invalid access token is rejected',
  covers('stamping.token-invalid'),
  async ({ stamping }) => {
    await stamping.deniesAccess(withoutAccess.invalid, 'rejection');
  },
);

test(
  'a creation with an expired access token is rejected',
  covers('stamping.token-expired'),
  async ({ stamping }) => {
    await stamping.deniesAccess(withoutAccess.expired, 'rejection');
  },
);
