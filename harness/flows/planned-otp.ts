/** The OTP object of a signatory of a flow. */
import { type OtpType, otpType } from '../../openapi/codes.ts';

/** One that is required, with what its type needs and nothing else. */
export function otpOf(type: OtpType, mobileNumber: string, accessCode: string) {
  const sms = type === otpType.sms || type === otpType.emailAndSms;
  return {
    IsRequired: true,
    Type: type,
    ...(sms ? { MobileNumber: mobileNumber } : {}),
    ...(type === otpType.accessCode ? { AccessCode: accessCode } : {}),
  };
}
