/** Creation bodies of type 3 about which the document is silent. */
import { otpType, role } from '../../openapi/codes.ts';
import { type BoldRow, bold } from './bold.ts';
import { renamed, without, withValue } from './edit.ts';
import { minimalStamped, type StampedIngredients, stamp } from './stamping.ts';

/** All of these bodies, with the first of the people. */
export function boldStampedRows(given: StampedIngredients): readonly BoldRow[] {
  const body = minimalStamped({ ...given, people: given.people.slice(0, 1) });
  const signatory = '/Signatories/0';
  const first = `${signatory}/AutoStamps/0`;
  const set = (gap: BoldRow['gap'], title: string, pointer: string, value: unknown) =>
    bold(gap, title, withValue(body, pointer, value));
  const lacking = ['/Title', '/Message', '/Signatories', `${signatory}/AutoStamps`, `${signatory}/OTP`];
  const stampFields = Object.keys(stamp('signature', 0)).map((field) => `${first}/${field}`);
  const twice = [
    stamp('signature', 0),
    { ...stamp('date', 1), Identifier: stamp('signature', 0).Identifier },
  ];
  return [
    ...[...lacking, ...stampFields].map((pointer) =>
      bold('stamping.required-fields', `without ${pointer.slice(1)}`, without(body, pointer)),
    ),
    set('stamping.required-fields', 'no signatories', '/Signatories', []),
    set('stamping.required-fields', 'no stamps', `${signatory}/AutoStamps`, []),
    bold(
      'stamping.role-spelling',
      'SignatoryType as in the signatory table',
      renamed(body, `${signatory}/signatoryType`, 'SignatoryType'),
    ),
    set(
      'stamping.role-spelling',
      'signatoryType is a string',
      `${signatory}/signatoryType`,
      String(role.signer),
    ),
    set('stamping.otp-type', 'OTP.Type is an integer', `${signatory}/OTP/Type`, otpType.email),
    set('stamping.otp-type', 'OTP.Type is the string "5"', `${signatory}/OTP/Type`, '5'),
    set('stamping.identifier-scope', 'two stamps with one Identifier', `${signatory}/AutoStamps`, twice),
    set('stamping.order-meaning', 'Order 0 of a stamp', `${first}/Order`, 0),
    set('stamping.origin', 'an offset far beyond the page', `${first}/Offset/X_offset`, 100_000),
    set('stamping.unit', 'a stamp without extent', `${first}/StampSize`, { Height: 0, Width: 0 }),
    set('stamping.unit', 'a stamp of negative width', `${first}/StampSize/Width`, -120),
    set('errors.numbers-as-strings', 'an offset as a string', `${first}/Offset/X_offset`, '60'),
    set('signatory.color-form', 'Color of a stamp with three digits', `${first}/Color`, '#F80'),
    set('errors.key-case', 'Type of a stamp in capitals', `${first}/Type`, 'SIGNATURE'),
  ];
}
