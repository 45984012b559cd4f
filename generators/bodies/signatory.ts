/** Bodies of the add-signatory operation that every compliant service accepts. */
import { otpType, type Role, role } from '../../openapi/codes.ts';
import type { Person, PersonOf } from '../people.ts';
import { acceptedBody, type Body, type Row } from '../row.ts';

interface SignatoryIngredients {
  readonly person: Person;
  /** The Order, from 1; 1 when absent. */
  readonly order?: number;
  readonly role?: Role;
}

/** Section "OTP object". */
export type Otp = {
  readonly IsRequired: boolean;
  readonly Type: number;
  readonly MobileNumber?: string | null;
  readonly AccessCode?: string;
};

/** Body of endpoint 5 (section "Signatory"). */
export type Signatory = {
  readonly Email: string;
  readonly Name: string;
  readonly Order: number;
  readonly PrivateMessage?: string;
  readonly SignatoryType: number;
  readonly Color?: string;
  readonly OTP: Otp;
};

/** An OTP that requires nothing. Every body has it, since it is not shown whether OTP may be left out. */
export const noOtp: Otp = { IsRequired: false, Type: otpType.email };

export function minimalSignatory(given: SignatoryIngredients): Signatory {
  return {
    Email: given.person.email,
    Name: given.person.name,
    Order: given.order ?? 1,
    SignatoryType: given.role ?? role.signer,
    OTP: noOtp,
  };
}

const privateMessage = 'Please sign this month.';

/** Every field of the table. */
export function maximalSignatory(given: SignatoryIngredients): Signatory {
  return { ...minimalSignatory(given), PrivateMessage: privateMessage, Color: given.person.color };
}

/** A row for each optional field and each role, each with a person of its own. */
export function signatoryRows(personOf: PersonOf): readonly SignatoryRow[] {
  const row = (
    field: SignatoryRow['field'],
    title: string,
    change: Partial<Signatory> = {},
  ): SignatoryRow => ({
    field,
    ...acceptedBody(title, { ...minimalSignatory({ person: personOf(title) }), ...change }),
  });
  const [color, every] = ['Color, six hexadecimal digits', 'every field'];
  return [
    row('required', 'the required fields and OTP'),
    row('SignatoryType', 'a signer', { SignatoryType: role.signer }),
    row('SignatoryType', 'an approver', { SignatoryType: role.approver }),
    row('SignatoryType', 'a CC', { SignatoryType: role.cc }),
    row('PrivateMessage', 'PrivateMessage', { PrivateMessage: privateMessage }),
    row('Color', color, { Color: personOf(color).color }),
    row('all', every, maximalSignatory({ person: personOf(every) })),
  ];
}

/** Four signatories with Order 1 to 4, of whom the last one is added before the third. */
export function laterFirstRows(personOf: PersonOf): readonly SignatoryRow[] {
  return [1, 2, 4, 3].map((order, index, { length }) => {
    const title = `signatory ${index + 1} of ${length} with Order ${order}`;
    const json = minimalSignatory({ person: personOf(title), order });
    return { field: 'Order', ...acceptedBody(title, json) };
  });
}

/** Four people, since it is not shown how many a request takes. Each role comes after another one, and one role twice. */
const company = [
  ['an approver', role.approver],
  ['a CC', role.cc],
  ['a signer', role.signer],
  ['another approver', role.approver],
] as const;

/** The same four, and a fifth person with a role that occurs already. */
const large = [...company, ['another CC', role.cc]] as const;

/** The number of people before the fifth. */
export const companySize = company.length;

/** Every role in one request, one after the other. */
export function companyRows(personOf: PersonOf): readonly SignatoryRow[] {
  return roleRows(personOf, large, 'every role in one request', (index) => index + 1);
}

/** The four people in parallel: each has Order 1. */
export function parallelRows(personOf: PersonOf, ccFirst: boolean): readonly SignatoryRow[] {
  const [approver, cc, ...others] = company;
  const people = ccFirst ? [cc, approver, ...others] : company;
  return roleRows(personOf, people, 'every role at once', () => 1);
}

function roleRows(
  personOf: PersonOf,
  roles: readonly (readonly [string, Role])[],
  how: string,
  orderAt: (index: number) => number,
): readonly SignatoryRow[] {
  return roles.map(([who, part], index) => {
    const title = `${who} with Order ${orderAt(index)}, ${how}`;
    const json = minimalSignatory({ person: personOf(title), order: orderAt(index), role: part });
    return { field: 'SignatoryType', ...acceptedBody(title, json) };
  });
}

/** A row with the field that it is about, so that a check can pick rows. */
export interface SignatoryRow extends Row<Body> {
  readonly field: keyof Signatory | 'required' | 'all';
}
