/** The OTP matrix: every combination of IsRequired, Type, MobileNumber and AccessCode, with its outcome. */
import { type OtpType, otpType, role } from '../../openapi/codes.ts';
import type { GapId } from '../../openapi/gaps/register.ts';
import { fictionalMobiles, type PersonOf } from '../people.ts';
import { acceptedBody, type Body, type Outcome, type Row } from '../row.ts';
import { maximalSignatory, minimalSignatory, noOtp, type Otp, type Signatory } from './signatory.ts';

/** The MobileNumber of a cell. A valid number goes by its label, since reports may not show numbers. */
type Mobile = 'absent' | 'null' | 'empty' | 'letters' | `valid ${string}`;

/** Valid numbers by label, E.164. */
type NumbersByLabel = Readonly<Record<string, string>>;

export type OtpCell = {
  readonly isRequired: boolean;
  readonly type: OtpType;
  readonly mobile: Mobile;
  readonly accessCode: 'absent' | 'set';
};

/** A row with its combination, so that a check can pick rows; a silent row also names the gap that it probes. */
export interface OtpRow extends Row<Body> {
  readonly cell: OtpCell;
  readonly gap?: GapId;
  /** Of a refused row: the same with a valid number. */
  readonly whole?: Row<Body>;
}

export interface OtpIngredients {
  readonly personOf: PersonOf;
  /** The AccessCode where one is set; it is kept out of records like a secret. */
  readonly accessCode: string;
  /** Valid numbers to send; of four countries unless the profile of a target names its own. */
  readonly mobileNumbers?: NumbersByLabel;
}

/** Other people for whom the rules are the same: a CC, and an approver who acts later and enters an AccessCode. */
export const otherSignatories = {
  'of a CC': ({ personOf }: OtpIngredients) =>
    maximalSignatory({ person: personOf('refused CC'), role: role.cc, order: 3 }),
  'of an approver': ({ personOf, accessCode }: OtpIngredients) => ({
    ...maximalSignatory({ person: personOf('refused approver'), role: role.approver, order: 2 }),
    OTP: { IsRequired: true, Type: otpType.accessCode, AccessCode: accessCode },
  }),
} satisfies Readonly<Record<string, (given: OtpIngredients) => Signatory>>;

/** A row for one of these, with every field or without one optional field. */
export const otherSignatory =
  (whose: keyof typeof otherSignatories, lacking?: 'PrivateMessage' | 'Color' | 'OTP') =>
  (given: OtpIngredients): readonly Row<Body>[] => {
    const what = lacking === undefined ? 'every field' : `every field but ${lacking}`;
    const less = lacking === undefined ? {} : { [lacking]: lacking === 'OTP' ? noOtp : undefined };
    return [acceptedBody(`${what}, ${whose}`, { ...otherSignatories[whose](given), ...less })];
  };

/** Every cell of the matrix, each with a signatory of its own: 128 with numbers of four countries. */
export function otpRows(given: OtpIngredients): readonly OtpRow[] {
  return otpCells(given.mobileNumbers).map((cell) => otpRow(cell, given));
}

/** Somebody else for whom the rules are the same: with another role and a later Order. */
export const laterApprover = { role: role.approver, order: 2 } as const;

/** A signer who is not the first to act. */
export const laterSigner = { role: role.signer, order: 2 } as const;

export type LaterPerson = typeof laterApprover | typeof laterSigner;

/** The approver of `otherSignatories` with an OTP of another Type. */
export const approverByMail = (given: OtpIngredients): readonly Row<Body>[] => {
  const body = otherSignatories['of an approver'](given);
  const OTP = { IsRequired: true, Type: otpType.email };
  return [acceptedBody('every field, of an approver with a code by e-mail', { ...body, OTP })];
};

/** @param of whose OTP it is, a signer's with Order 1 unless it is given */
export function otpRow(cell: OtpCell, given: OtpIngredients, of?: LaterPerson): OtpRow {
  const title = `${titleOf(cell)}${of ? `, of a later ${of.role === role.approver ? 'approver' : 'signer'}` : ''}`;
  const outcome = outcomeOf(cell);
  const person = given.personOf(title);
  const json = { ...minimalSignatory({ person, ...of }), OTP: otpOf(cell, given) };
  const [label = ''] = Object.keys(given.mobileNumbers ?? fictionalMobiles);
  const breaks =
    outcome === 'refused'
      ? { breaks: '/OTP/MobileNumber', whole: otpRow({ ...cell, mobile: `valid ${label}` }, given, of) }
      : {};
  const gap = outcome === 'silent' ? { gap: gapOf(cell) } : {};
  return { cell, title, outcome, ...breaks, ...gap, input: { json } };
}

/** Rows of one outcome, of the cells that are wanted. */
export const cells =
  (outcome: OtpRow['outcome'], wanted: (cell: OtpCell) => boolean, of?: LaterPerson) =>
  (given: OtpIngredients): readonly OtpRow[] =>
    otpCells(given.mobileNumbers)
      .filter((cell) => outcomeOf(cell) === outcome && wanted(cell))
      .map((cell) => otpRow(cell, given, of));

export function otpCells(numbers: NumbersByLabel = fictionalMobiles): readonly OtpCell[] {
  const valid = Object.keys(numbers).map((label): Mobile => `valid ${label}`);
  const mobiles: readonly Mobile[] = ['absent', 'null', 'empty', 'letters', ...valid];
  return [true, false].flatMap((isRequired) =>
    Object.values(otpType).flatMap((type) =>
      mobiles.flatMap((mobile) =>
        (['absent', 'set'] as const).map((accessCode) => ({ isRequired, type, mobile, accessCode })),
      ),
    ),
  );
}

/**
 * The outcome of a cell by the document. `accepted` only if every compliant service accepts it, so it has nothing that
 * its Type does not use. `refused` only if the rule about MobileNumber says so.
 */
export function outcomeOf({ isRequired, type, mobile, accessCode }: OtpCell): Outcome {
  const valid = isValid(mobile);
  if (needsMobile(type)) {
    // "Otherwise the request fails": with any AccessCode.
    if (isRequired && !valid) return 'refused';
    // Without IsRequired, the table requires a number and the rule does not: a contradiction, so the cell is silent.
    return valid && accessCode === 'absent' ? 'accepted' : 'silent';
  }
  // Whether an AccessCode may be left out with Type 3, or sent with another Type, is not shown.
  const fits = type === otpType.accessCode ? 'set' : 'absent';
  return mobile === 'absent' && accessCode === fits ? 'accepted' : 'silent';
}

/** The gap of a silent cell: the first thing in it that the document leaves open. */
function gapOf({ type, mobile, accessCode }: OtpCell): GapId {
  if (needsMobile(type))
    return isValid(mobile) ? 'otp.access-code-unneeded' : 'otp.mobile-without-is-required';
  if (mobile !== 'absent') return 'otp.mobile-unneeded';
  return accessCode === 'set' ? 'otp.access-code-unneeded' : 'otp.access-code-needed';
}

/** The first silent row of each gap, among those with a valid number or none. */
export function silentSample(rows: readonly OtpRow[]): readonly OtpRow[] {
  const silent = rows.filter(
    ({ outcome, cell }) => outcome === 'silent' && (cell.mobile === 'absent' || isValid(cell.mobile)),
  );
  return silent.filter((row, index) => silent.findIndex(({ gap }) => gap === row.gap) === index);
}

/** Types 2 and 4 (section "OTP object"). */
const needsMobile = (type: OtpType): boolean => type === otpType.sms || type === otpType.emailAndSms;

/** Not a number, not even for a service that looks for digits among letters: it has too few. */
export const notANumber = 'no 1';

const notNumbers: Readonly<Record<string, string | null>> = { null: null, empty: '', letters: notANumber };

function otpOf(cell: OtpCell, { accessCode, mobileNumbers = fictionalMobiles }: OtpIngredients): Otp {
  const label = isValid(cell.mobile) ? cell.mobile.slice('valid '.length) : undefined;
  const number = label === undefined ? notNumbers[cell.mobile] : mobileNumbers[label];
  if (label !== undefined && !number) throw new Error(`no mobile number has the label ${label}`);
  return {
    IsRequired: cell.isRequired,
    ...(cell.accessCode === 'set' ? { AccessCode: accessCode } : {}),
    Type: cell.type,
    ...(number === undefined ? {} : { MobileNumber: number }),
  };
}

const isValid = (mobile: Mobile): boolean => mobile.startsWith('valid ');

/** `OTP {IsRequired: true, Type: 2}, MobileNumber empty, AccessCode set`. */
function titleOf({ isRequired, type, mobile, accessCode }: OtpCell): string {
  const number = mobile === 'absent' ? 'no MobileNumber' : `MobileNumber ${mobile}`;
  const code = accessCode === 'set' ? ', AccessCode set' : '';
  return `OTP {IsRequired: ${isRequired}, Type: ${type}}, ${number}${code}`;
}
