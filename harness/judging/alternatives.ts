/** Bodies that differ from a shared call in one thing, to find out which requirement a refusal violates. */
import type { OtpIngredients } from '../../generators/bodies/otp.ts';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import type { PersonOf } from '../../generators/people.ts';
import { otpType, role } from '../../openapi/codes.ts';

/** The least signatory, but with an OTP that is required: a refusal of the other is about IsRequired false. */
export const withRequiredOtp = ({ personOf }: OtpIngredients) => ({
  title: 'OTP {IsRequired: true, Type: 1}',
  outcome: 'accepted' as const,
  input: {
    json: {
      ...minimalSignatory({ person: personOf('alternative') }),
      OTP: { IsRequired: true, Type: otpType.email },
    },
  },
});

/** The least signatory, but an approver: a refusal of the other is about the role. */
export const withApprover = ({ personOf }: { readonly personOf: PersonOf }) => ({
  title: 'SignatoryType 2',
  outcome: 'accepted' as const,
  input: { json: minimalSignatory({ person: personOf('alternative'), role: role.approver }) },
});

/** The least signatory with another Order: a refusal of the other is about its place among the others. */
export const withOrder = ({ personOf }: { readonly personOf: PersonOf }, order: number) => ({
  title: `Order ${order}`,
  outcome: 'accepted' as const,
  input: { json: minimalSignatory({ person: personOf(`alternative ${order}`), order }) },
});
