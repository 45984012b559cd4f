/** Bodies of the add-signatory operation that every compliant service accepts. */
import { otpType, type Role, role } from '../../openapi/codes.ts';
import type { Person } from '../people.ts';

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
  readonly SignatoryType: number;
  readonly PrivateMessage?: string;
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
