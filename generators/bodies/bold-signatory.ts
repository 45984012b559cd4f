/** Bodies of the add-signatory operation about which the document is silent. */
import { otpType, role } from '../../openapi/codes.ts';
import type { JsonSchema } from '../../openapi/json-schema.ts';
import type { PersonOf } from '../people.ts';
import { type BoldRow, bold, boldOptionalRows, boldRows } from './bold.ts';
import { renamed, without, withValue } from './edit.ts';
import { maximalSignatory, minimalSignatory, type Signatory } from './signatory.ts';

interface BoldSignatoryIngredients {
  readonly personOf: PersonOf;
  /** A number in E.164; some of the rows spell it in other ways. */
  readonly mobileNumber: string;
  /** Schema of the body: the rows with optional fields are derived from it. */
  readonly schema: JsonSchema;
}

/** All of these bodies, each with a person of its own. */
export function boldSignatoryRows(given: BoldSignatoryIngredients): readonly BoldRow[] {
  const { personOf, schema } = given;
  const minimal = (place: string) => minimalSignatory({ person: personOf(place) });
  const common = boldRows(minimal('bold'), { text: '/Name', number: '/Order' });
  const optional = boldOptionalRows(maximalSignatory({ person: personOf('bold') }), schema);
  return [
    ...[...common, ...optional].map((row) => withPerson(row, personOf)),
    ...fieldRows(minimal),
    ...otpRows(minimal, given.mobileNumber),
  ];
}

/** A service may want every address only once: rows that were derived from one body get one each. */
function withPerson(row: BoldRow, personOf: PersonOf): BoldRow {
  const { email } = personOf(row.title);
  const old = personOf('bold').email;
  return 'raw' in row.input
    ? { ...row, input: { raw: row.input.raw.replaceAll(old, email) } }
    : { ...row, input: { json: JSON.parse(JSON.stringify(row.input.json).replaceAll(old, email)) } };
}

type Minimal = (place: string) => Signatory;

function fieldRows(minimal: Minimal): readonly BoldRow[] {
  const each = <Value>(
    gap: BoldRow['gap'],
    field: keyof Signatory,
    values: readonly Value[],
  ): readonly BoldRow[] =>
    values.map((value) => {
      const title = `${field} ${JSON.stringify(value)}`;
      return bold(gap, title, { ...minimal(title), [field]: value });
    });
  const lower = 'signatoryType in place of SignatoryType';
  const upper = 'Email in capitals';
  return [
    // 2 ** 31 is the first number that a 32-bit integer cannot hold.
    ...each('signatory.order-range', 'Order', [0, -1, 1.5, 1000, 2 ** 31]),
    ...each('signatory.email-form', 'Email', [
      'no address',
      'name@',
      'name@localhost',
      '"quoted name"@example.com',
      'ünïcode@example.com',
    ]),
    bold('signatory.email-form', upper, { ...minimal(upper), Email: minimal(upper).Email.toUpperCase() }),
    ...each('signatory.color-form', 'Color', ['#F80', '1A73E8', '#1a73e8', '#1A73E8CC', 'orange', '#GGGGGG']),
    ...each('errors.empty-strings', 'PrivateMessage', ['']),
    bold('errors.key-case', lower, renamed(minimal(lower), '/SignatoryType', 'signatoryType')),
  ];
}

function otpRows(minimal: Minimal, number: string): readonly BoldRow[] {
  const row = (gap: BoldRow['gap'], title: string, otp: object) =>
    bold(gap, title, withValue(minimal(title), '/OTP', otp));
  const sms = (MobileNumber: unknown) => ({ IsRequired: true, Type: otpType.sms, MobileNumber });
  const digits = number.replace(/^\+/, '');
  const absent = 'OTP is missing';
  return [
    bold('signatory.otp-required', absent, without(minimal(absent), '/OTP')),
    ...[role.approver, role.cc].map((SignatoryType) => {
      const title = `${SignatoryType === role.cc ? 'a CC' : 'an approver'} with OTP.IsRequired true`;
      const otp = { IsRequired: true, Type: otpType.email };
      return bold('otp.roles', title, withValue({ ...minimal(title), SignatoryType }, '/OTP', otp));
    }),
    row('errors.numbers-as-strings', 'OTP.Type is the string "1"', { IsRequired: false, Type: '1' }),
    row('errors.numbers-as-strings', 'OTP.IsRequired is the string "false"', {
      IsRequired: 'false',
      Type: 1,
    }),
    row('otp.access-code-empty', 'OTP.AccessCode is an empty string', {
      IsRequired: false,
      Type: otpType.email,
      AccessCode: '',
    }),
    ...['4829', 'open the letter'].map((AccessCode) =>
      row('otp.access-code-form', `AccessCode ${JSON.stringify(AccessCode)}`, {
        IsRequired: true,
        Type: otpType.accessCode,
        AccessCode,
      }),
    ),
    row('otp.mobile-format', 'MobileNumber without +', sms(digits)),
    row('otp.mobile-format', 'MobileNumber with 00 in place of +', sms(`00${digits}`)),
    row('otp.mobile-format', 'MobileNumber with spaces', sms(`+${digits.replace(/(..)(?=.)/g, '$1 ')}`)),
    row('otp.mobile-format', 'MobileNumber is a number', sms(Number(digits))),
    row('otp.mobile-format', 'MobileNumber of two digits', sms('+12')),
    row('otp.mobile-format', 'MobileNumber of sixteen digits', sms('+1234567890123456')),
  ];
}
