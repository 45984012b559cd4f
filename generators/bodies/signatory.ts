/** Bodies of the add-signatory operation that every compliant service accepts. */
import { otpType, type Role, role } from '../../openapi/codes.ts';
import type { Person, PersonOf } from '../people.ts';
import { acceptedBody, type Body, type Row } from '../row.ts';

/** What a caller gives to a signatory body. */
export interface SignatoryIngredients {
  readonly person: Person;
  /** From 1. */
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

/** Whether a body may leave out OTP is not shown: each one carries it, asking for nothing. */
export const noOtp: Otp = { IsRequired: false, Type: otpType.email };

/** The required fields, OTP, and nothing else. */
export function minimalSignatory(given: SignatoryIngredients): Signatory {
  return {
    Email: given.person.email,
    Name: given.person.name,
    Order: given.order ?? 1,
    SignatoryType: given.role ?? role.signer,
    OTP: noOtp,
  };
}

const privateMessage = 'Please sign before the end of the month.';
const color = '#1A73E8';

/** Every field of the table. */
export function maximalSignatory(given: SignatoryIngredients): Signatory {
  return { ...minimalSignatory(given), PrivateMessage: privateMessage, Color: color };
}

/** Each optional field and each role, one thing a row, each with a person of its own. */
export function signatoryRows(personOf: PersonOf): readonly SignatoryRow[] {
  const row = (
    field: SignatoryRow['field'],
    title: string,
    change: Partial<Signatory> = {},
  ): SignatoryRow => ({
    field,
    ...acceptedBody(title, { ...minimalSignatory({ person: personOf(title) }), ...change }),
  });
  return [
    row('required', 'the required fields and OTP'),
    row('SignatoryType', 'a signer', { SignatoryType: role.signer }),
    row('SignatoryType', 'an approver', { SignatoryType: role.approver }),
    row('SignatoryType', 'a CC', { SignatoryType: role.cc }),
    row('PrivateMessage', 'PrivateMessage', { PrivateMessage: privateMessage }),
    row('Color', 'Color, six hexadecimal digits', { Color: color }),
    row('all', 'every field', { PrivateMessage: privateMessage, Color: color }),
  ];
}

/** One signatory after the other: Order 1, 2, 3 and 4, the last one added before the third. */
export function laterFirstRows(personOf: PersonOf): readonly SignatoryRow[] {
  return orderRows(personOf, [1, 2, 4, 3]);
}

/** Four people: how many a request takes is not shown. Each role stands behind another one, and one stands twice. */
const company = [
  ['an approver', role.approver],
  ['a CC', role.cc],
  ['a signer', role.signer],
  ['another approver', role.approver],
] as const;

/** The same, and a fifth of a role that stands there. */
const large = [...company, ['another CC', role.cc]] as const;

/** How many come before the fifth. */
export const companySize = company.length;

/** Every role in one request, one after the other. */
export function companyRows(personOf: PersonOf): readonly SignatoryRow[] {
  return roleRows(personOf, large, 'every role in one request', (index) => index + 1);
}

/** All at the same time: each has Order 1. */
export function parallelRows(personOf: PersonOf): readonly SignatoryRow[] {
  return roleRows(personOf, company, 'every role at once', () => 1);
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

function orderRows(personOf: PersonOf, orders: readonly number[]): readonly SignatoryRow[] {
  return orders.map((order, index) => {
    const title = `signatory ${index + 1} of ${orders.length} with Order ${order}`;
    const json = minimalSignatory({ person: personOf(title), order });
    return { field: 'Order', ...acceptedBody(title, json) };
  });
}

/** A row that names the field on which it turns, so that a check can pick its own. */
export interface SignatoryRow extends Row<Body> {
  readonly field: keyof Signatory | 'required' | 'all';
}
