/** Bodies that differ from a shared call in one thing, to find out which requirement a refusal violates. */
import type { OtpIngredients } from '../generators/bodies/otp.ts';
import { minimalSignatory } from '../generators/bodies/signatory.ts';
import { otpType } from '../openapi/codes.ts';

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
