/** The OTP object of a signatory. */

import { withRequiredOtp } from '../../generators/bodies/alternatives.ts';
import {
  approverByMail,
  cells,
  type LaterPerson,
  laterApprover,
  laterSigner,
  type OtpIngredients,
  type OtpRow,
  otherSignatories,
  otherSignatory,
} from '../../generators/bodies/otp.ts';
import { maximalSignatory, minimalSignatory } from '../../generators/bodies/signatory.ts';
import { fictionalMobiles } from '../../generators/people.ts';
import { broken, refusalsWithout } from '../../harness/judging/broken-rows.ts';
import type { CheckParts } from '../../harness/judging/parts.ts';
import { otpType, role } from '../../openapi/codes.ts';
import { covers, everyOne, test } from '../../running/fixtures.ts';

const ofApprover = { 'of an approver': otherSignatories['of an approver'] };

const otpBody = broken(
  'addSignatory',
  ({ personOf }: OtpIngredients) => minimalSignatory({ person: personOf('refused') }),
  // Not of a CC: what an OTP means for somebody who signs nothing is not stated.
  ofApprover,
);

const demanded = (type: number, of?: LaterPerson) =>
  cells('accepted', (cell) => cell.isRequired && cell.type === type, of);

const byMail = demanded(otpType.email, laterApprover);

/** Where somebody with another Type is refused beside others as well, the Type is not the reason. */
const withOther = (type: number) =>
  ({
    rows: () => [],
    blames: 'unless-accepted',
    after: (given: OtpIngredients) =>
      demanded(type === otpType.accessCode ? otpType.email : otpType.accessCode)(given)[0],
  }) as const;

/** An approver with an OTP of another Type: that approvers are accepted at all, with one, is a requirement of its own. */
const asApprover = {
  rows: otherSignatory('of an approver'),
  blames: 'if-accepted',
  optional: true,
} as const;

/** How many numbers are tried where several are there. */
const numbersTried = 4;

/** The rows with the number at this position in the list; rows without a number stay. */
const numbered =
  (rows: (given: OtpIngredients) => readonly OtpRow[], place: number) => (given: OtpIngredients) => {
    const label = Object.keys(given.mobileNumbers ?? fictionalMobiles)[place];
    return label === undefined
      ? []
      : rows(given).filter(({ cell }) => cell.mobile === 'absent' || cell.mobile === `valid ${label}`);
  };

/** Which countries' numbers are valid is not shown: it is enough that a call is accepted with one of the numbers. */
function acceptsNumbered(
  signatory: CheckParts['signatory'],
  rows: (given: OtpIngredients) => readonly OtpRow[],
  others?: typeof asApprover | ReturnType<typeof withOther>,
) {
  const choices = Array.from({ length: numbersTried - 1 }, (_, index) => numbered(rows, index + 1));
  return signatory.accepts(numbered(rows, 0), others, {
    rows: choices,
    excuses: ['invented-number'],
  });
}

test('e-mail OTP is accepted', covers('otp.email'), async ({ signatory }) => {
  const ofSigner = () => signatory.accepts(demanded(otpType.email), withOther(otpType.email));
  const ofApprover = () => signatory.as('otp.email').accepts(byMail, asApprover);
  await everyOne([ofSigner, ofApprover], (accepts) => accepts());
});

const numberedMethods = [
  ['otp.sms', 'SMS OTP', otpType.sms],
  ['otp.email-and-sms', 'e-mail and SMS OTP', otpType.emailAndSms],
] as const;

for (const [id, what, type] of numberedMethods) {
  test(`${what} with a valid number is accepted`, covers(id), async ({ signatory }) => {
    const ofSigner = () => acceptsNumbered(signatory, demanded(type), withOther(type));
    const ofApprover = () => acceptsNumbered(signatory, demanded(type, laterApprover), asApprover);
    await everyOne([ofSigner, ofApprover], (accepts) => accepts());
  });
}

test('an AccessCode is accepted', covers('otp.access-code'), async ({ signatory }) => {
  const { accessCode } = otpType;
  const plain = () => signatory.accepts(demanded(accessCode), withOther(accessCode));
  const ofApprover = () => {
    const others = {
      rows: approverByMail,
      blames: 'if-accepted',
      optional: true,
    } as const;
    return signatory.as('signatory.private-message').accepts(otherSignatory('of an approver'), others);
  };
  await everyOne([plain, ofApprover], (accepts) => accepts());
});

test('an approver with an OTP is accepted', covers('signatory.role-approver'), async ({ signatory }) => {
  // Where one Type is refused and another is not, the Type is the reason.
  const takesOne = await signatory.as('otp.email').takes(byMail);
  const rows = otherSignatory('of an approver', 'OTP');
  const others = { ...withOther(otpType.email), rows, blames: 'if-accepted' } as const;
  await (takesOne
    ? signatory.as('otp.email').accepts(byMail, asApprover)
    : signatory.as('signatory.private-message').accepts(otherSignatory('of an approver'), others));
});

test('an OTP that is not required is accepted', covers('otp.not-required'), async ({ signatory }) => {
  await signatory.acceptsRatherThan('IsRequired false, Type 1', withRequiredOtp);
  await acceptsNumbered(
    signatory,
    cells('accepted', (cell) => !cell.isRequired && cell.type !== otpType.email),
  );
});

const refused = [
  ['otp.type-values', 'a Type outside the table', otpBody.at('/OTP/Type', 'value')],
  ['otp.is-required-type', 'an IsRequired that is no boolean', otpBody.at('/OTP/IsRequired', 'null', 'type')],
  ['otp.type-type', 'a Type that is no integer', otpBody.at('/OTP/Type', 'null', 'type')],
] as const;

for (const [id, what, rows] of refused) {
  test(`${what} is refused`, covers(id), async ({ signatory }) => {
    await signatory.refuses(rows, '4xx');
  });
}

const others = { 'of an approver': broken('addSignatory', ofApprover['of an approver']) };

const required = [
  ['otp.is-required-required', 'IsRequired'],
  ['otp.type-required', 'Type'],
] as const;

for (const [id, field] of required) {
  test(`an OTP object without ${field} is refused`, covers(id), async ({ signatory }) => {
    const refusals = refusalsWithout(signatory, `/OTP/${field}`, otpBody, others);
    await everyOne(refusals, (refuses) => refuses());
  });
}

test(
  'a missing MobileNumber is refused for SMS OTP',
  covers('otp.mobile-required'),
  async ({ signatory }) => {
    const without = (wanted: number, of?: LaterPerson) =>
      cells(
        'refused',
        ({ type, mobile, accessCode }) => type === wanted && accessCode === 'absent' && mobile === 'absent',
        of,
      );
    const { sms, emailAndSms } = otpType;
    const refusals = [
      () => signatory.as('otp.mobile-required').refuses(without(sms), 400),
      () => signatory.refuses(without(emailAndSms, laterSigner), 400),
      () =>
        signatory.refuses(without(sms, laterApprover), 400, {
          ...asApprover,
          rows: demanded(sms, laterApprover),
        }),
      () => signatory.refuses(numberOfOthers('no MobileNumber', {}), 400, withNumber),
    ];
    await everyOne(refusals, (refuses) => refuses());
  },
);

/**
 * The rule holds with any role, Order, AccessCode, Color and PrivateMessage; not for a CC, since what an OTP means for
 * somebody who signs nothing is not stated.
 */
const numberOfOthers =
  (what: string, number: { readonly MobileNumber?: string }) =>
  ({ personOf, accessCode }: OtpIngredients) => {
    const title = `OTP {IsRequired: true, Type: 4}, ${what}, an approver with an AccessCode`;
    const OTP = { IsRequired: true, Type: otpType.emailAndSms, AccessCode: accessCode, ...number };
    const json = {
      ...maximalSignatory({ person: personOf(title), role: role.approver, order: 2 }),
      OTP,
    };
    return [{ title, outcome: 'refused' as const, breaks: '/OTP/MobileNumber', input: { json } }];
  };

/** The same body with a valid number: where it is refused as well, something else in it is the reason. */
const withNumber = {
  rows: (given: OtpIngredients) => {
    const [MobileNumber = ''] = Object.values(given.mobileNumbers ?? fictionalMobiles);
    return numberOfOthers('a valid MobileNumber', { MobileNumber })(given);
  },
  blames: 'if-accepted',
  optional: true,
} as const;

/** No number has more than 15 digits (E.164). */
const tooLong = '+1202555012345678901234';

/** A MobileNumber that is neither empty nor a number. */
const blankNumber = ({ personOf, ...given }: OtpIngredients) => {
  const title = 'OTP {IsRequired: true, Type: 2}, MobileNumber of blanks';
  const OTP = { IsRequired: true, Type: otpType.sms, MobileNumber: '   ' };
  const json = { ...minimalSignatory({ person: personOf(title) }), OTP };
  const [whole] = demanded(otpType.sms)({ personOf, ...given });
  return [{ title, outcome: 'refused' as const, breaks: '/OTP/MobileNumber', input: { json }, whole }];
};

test('an invalid MobileNumber is refused for SMS OTP', covers('otp.mobile-valid'), async ({ signatory }) => {
  const invalid = (isNull: boolean) =>
    cells(
      'refused',
      ({ type, mobile, accessCode }) =>
        accessCode === 'absent' &&
        mobile !== 'absent' &&
        (mobile === 'null') === isNull &&
        // With Type 4, what is no number is that of an approver.
        !(type === otpType.emailAndSms && mobile === 'letters'),
    );
  const refusals = [
    () => signatory.as('otp.mobile-valid').refuses(invalid(false), 400),
    // null may be refused for its type, and the status for a wrong type is not shown.
    () => signatory.refuses(invalid(true), '4xx'),
    () => signatory.refuses(blankNumber, 400),
    () =>
      signatory.refuses(
        numberOfOthers('MobileNumber of 22 digits', { MobileNumber: tooLong }),
        400,
        withNumber,
      ),
  ];
  await everyOne(refusals, (refuses) => refuses());
});
