/** Requirements about the OTP object of a signatory. */
import { signed } from './needs.ts';
import type { Area } from './requirement.ts';

const at = { operation: 'addSignatory', since: '0.1.0' } as const;
const object = 'Resources, OTP object';
const values = 'Resources, OTP Type values';
const errors = 'Errors, Endpoints 4 and 5';

export const otp = {
  'otp.email': {
    ...at,
    section: values,
    level: 'must',
    statement: 'Type 1 (e-mail OTP) is accepted with IsRequired true, without a MobileNumber.',
    check: 'otp',
  },
  'otp.sms': {
    ...at,
    section: values,
    level: 'must',
    statement: 'Type 2 (SMS OTP) is accepted with IsRequired true and a valid MobileNumber.',
    check: 'otp',
  },
  'otp.access-code': {
    ...at,
    section: values,
    level: 'must',
    statement:
      'Type 3 (AccessCode) is accepted with IsRequired true and an AccessCode, without a MobileNumber.',
    check: 'otp',
  },
  'otp.email-and-sms': {
    ...at,
    section: values,
    level: 'must',
    statement: 'Type 4 (e-mail and SMS OTP) is accepted with IsRequired true and a valid MobileNumber.',
    check: 'otp',
  },
  'otp.not-required': {
    ...at,
    section: object,
    level: 'must',
    statement:
      'IsRequired false is accepted with each Type: with a MobileNumber for Types 2 and 4, without for 1 and 3.',
    check: 'otp',
  },
  'otp.type-values': {
    ...at,
    section: values,
    level: 'should',
    statement: 'A Type other than 1, 2, 3 and 4 is not accepted.',
    check: 'otp',
  },
  'otp.is-required-required': {
    ...at,
    section: object,
    level: 'must',
    statement: 'An OTP object without IsRequired is refused with 400.',
    check: 'otp',
  },
  'otp.type-required': {
    ...at,
    section: object,
    level: 'must',
    statement: 'An OTP object without Type is refused with 400.',
    check: 'otp',
  },
  'otp.is-required-type': {
    ...at,
    section: object,
    level: 'should',
    statement: 'IsRequired is a boolean: null or an object in its place is refused.',
    check: 'otp',
  },
  'otp.type-type': {
    ...at,
    section: object,
    level: 'should',
    statement: 'Type is an integer: null or an object in its place is refused.',
    check: 'otp',
  },
  'otp.object-type': {
    ...at,
    section: object,
    level: 'should',
    since: '0.2.0',
    statement: 'OTP is an object: a text in its place is refused.',
    check: 'signatory-refusals',
  },
  'otp.access-code-type': {
    ...at,
    section: object,
    level: 'should',
    since: '0.2.0',
    statement: 'AccessCode is a string: an object in its place is refused.',
    check: 'signatory-refusals',
  },
  'otp.mobile-number-type': {
    ...at,
    section: object,
    level: 'should',
    since: '0.2.0',
    statement: 'MobileNumber is a string: an object in its place is refused, also where it is not needed.',
    check: 'signatory-refusals',
  },
  'otp.mobile-required': {
    ...at,
    section: errors,
    level: 'must',
    statement: 'With IsRequired true and Type 2 or 4, a missing MobileNumber is refused with 400.',
    check: 'otp',
  },
  'otp.mobile-valid': {
    ...at,
    section: errors,
    level: 'must',
    statement:
      'With IsRequired true and Type 2 or 4, a MobileNumber that is not a valid number is refused with 400.',
    check: 'otp',
  },
  'otp.gates-signing': {
    ...at,
    section: object,
    level: 'must',
    statement: 'With IsRequired true the OTP is demanded before signing.',
    check: 'workflow',
    needs: [...signed, 'a place for codes'],
  },
  'otp.not-asked': {
    ...at,
    section: object,
    level: 'must',
    statement: 'With IsRequired false no OTP is demanded before signing.',
    check: 'workflow',
    needs: [...signed, 'a call with codes'],
  },
  'otp.email-delivered': {
    ...at,
    section: values,
    level: 'must',
    statement: 'With Type 1 the code is delivered by e-mail.',
    check: 'workflow',
    needs: [...signed, 'a call for codes', 'e-mails'],
  },
  'otp.sms-delivered': {
    ...at,
    section: values,
    level: 'must',
    statement: 'With Type 2 the code is delivered by SMS to MobileNumber.',
    check: 'workflow',
    needs: [...signed, 'a call for codes', 'SMS'],
  },
  'otp.access-code-asked': {
    ...at,
    section: values,
    level: 'must',
    statement: 'With Type 3 the AccessCode that the caller set is the code.',
    check: 'workflow',
    needs: [...signed, 'a place for the AccessCode'],
  },
  'otp.email-and-sms-delivered': {
    ...at,
    section: values,
    level: 'must',
    statement: 'With Type 4 codes are delivered by e-mail and by SMS.',
    check: 'workflow',
    needs: [...signed, 'a call for codes', 'e-mails', 'SMS'],
  },
} as const satisfies Area;
