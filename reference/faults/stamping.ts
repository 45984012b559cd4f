/** Faults of endpoint 3; they do not affect type 3 on the path of endpoint 2. */
import { type FaultEntries, instead } from './kinds.ts';

export const createFaults = {
  'create.template-200/refused': 'type=1 is refused with 500',
  'create.template-200/201': 'type=1 is answered with 201',
  'create.fixed-200/refused': 'type=2 is refused with 500',
  'create.fixed-200/201': 'type=2 is answered with 201',
  'create.stamping-200/refused': 'type=3 is refused on the path of endpoint 2',
  'create.stamping-200/409': 'type=3 is answered with 409 on the path of endpoint 2',
  'create.stamping-200/201': 'type=3 is answered with 201 on the path of endpoint 2',
} as const satisfies FaultEntries;

export const stampingFaults = {
  'stamping.status-200/refused': 'every auto stamping request is refused',
  'stamping.status-200/201': 'an auto stamping request is answered with 201',
  'stamping.status-200/201-for-several': 'a request with several signatories is answered with 201',
  'stamping.refused-without-effect/invited':
    'the signatories of a creation without an access token are written to',
  'stamping.refused-without-effect/invited-invalid-token':
    'the signatories of a creation with an invalid access token are written to',
  'stamping.refused-without-effect/invited-expired-token':
    'the signatories of a creation with an expired access token are written to',
  'stamping.refused-without-effect/invited-no-number':
    'the signatories of a creation that was refused for a missing MobileNumber are written to',
  'stamping.refused-without-effect/second-invited':
    'all but the first signatory of a creation that was rejected for its access token are written to',
  'stamping.several-documents/refused': 'more than one document token is refused',
  'stamping.several-signatories/refused': 'more than one signatory is refused',
  'stamping.signatory-fields/order-refused': 'an Order above 1 is refused',
  'stamping.signatory-fields/later-cc-refused': 'an Order above 1 is refused to a CC',
  'stamping.signatory-options/approver-refused': 'an approver is refused',
  'stamping.signatory-options/cc-refused': 'a CC is refused',
  'stamping.signatory-options/idle-otp-4-refused': 'an OTP of Type 4 that is not required is refused',
  'stamping.signatory-options/second-sms-refused':
    'of a second signatory an OTP of Type 2 that is required is refused',
  'stamping.signatory-options/idle-otp-2-refused': 'an OTP of Type 2 that is not required is refused',
  'stamping.signatory-options/otp-1-refused': 'an OTP of Type 1 that is required is refused',
  'stamping.signatory-options/otp-2-refused': 'an OTP of Type 2 that is required is refused',
  'stamping.signatory-options/otp-3-refused': 'an OTP of Type 3 that is required is refused',
  'stamping.signatory-options/otp-4-refused': 'an OTP of Type 4 that is required is refused',
  'stamping.mobile-number/missing-accepted': 'an OTP by SMS is taken without a MobileNumber',
  'stamping.mobile-number/invalid-accepted': 'an OTP by SMS is taken with any MobileNumber',
  'stamping.mobile-number/second-invalid-accepted':
    'of a second signatory an OTP by SMS is taken with any MobileNumber',
  'stamping.mobile-number/second-accepted':
    'of a second signatory an OTP by SMS is taken without a MobileNumber',
  'stamping.signatory-type-lower-case/refused': 'signatoryType is not understood, only SignatoryType is',
  'stamping.signatory-fields/lower-later-refused':
    'an Order below that of the signatory who is listed before is refused',
  'stamping.signatory-fields/private-message-refused': 'PrivateMessage of a signatory is refused',
  'stamping.signatory-fields/color-refused': 'Color of a signatory is refused',
  'stamping.signatory-type-lower-case/second-refused':
    'of a second signatory signatoryType is not understood, only SignatoryType is',
  'stamping.signatory-type-lower-case/several-stamps-refused':
    'of who has several stamps signatoryType is not understood, only SignatoryType is',
  'stamping.signatory-fields/several-stamps-refused': 'PrivateMessage of who has several stamps is refused',
  'stamping.signatory-fields/second-private-message-refused':
    'PrivateMessage of a second signatory is refused',
  'stamping.signatory-fields/second-color-refused': 'Color of a second signatory is refused',
  'stamping.otp-type-string/refused': 'OTP.Type as a string is refused',
  'stamping.otp-type-string/several-stamps-refused':
    'OTP.Type of who has several stamps is refused as a string',
  'stamping.otp-type-string/second-refused': 'OTP.Type of a second signatory is refused as a string',
  'stamping.several-stamps/refused': 'more than one stamp of a signatory is refused',
  'stamping.negative-offset/x-refused': 'a negative X_offset is refused',
  'stamping.negative-offset/y-refused': 'a negative Y_offset is refused',
  'stamping.negative-offset/second-refused': 'a negative offset of a second signatory is refused',
  'stamping.fractional-numbers/second-refused':
    'a number of a second signatory that is no whole one is refused',
  'stamping.fractional-numbers/x-refused': 'an X_offset that is no whole number is refused',
  'stamping.fractional-numbers/zero-refused': 'an offset of 0 is refused',
  'stamping.fractional-numbers/size-refused': 'a stamp size that is no whole number is refused',
  'stamping.stamp-types/signature-refused': 'the stamp type signature is refused',
  'stamping.stamp-types/text-refused': 'the stamp type text is refused',
  'stamping.stamp-types/first-text-refused': 'the stamp type text is refused before others',
  'stamping.stamp-types/second-text-refused': 'the stamp type text of a second signatory is refused',
  'stamping.stamp-types/third-text-refused': 'the stamp type text is refused behind two others',
  'stamping.stamp-types/email-refused': 'the stamp type email is refused',
  'stamping.stamp-types/date-refused': 'the stamp type date is refused',
  'stamping.stamp-types/initial-refused': 'the stamp type initial is refused',
  ...instead('stamping.stamp-type-values', 'a stamp type that is none of the five', 'accepted', 500),
  'stamping.stamp-type-values/second-accepted':
    'a stamp type that is none of the five is accepted behind one that is',
  'stamping.stamp-type-values/of-second-accepted':
    'a stamp type that is none of the five is accepted from the second signatory',
  'stamping.stamp-color/refused': 'a stamp with a Color is refused',
  'stamping.stamp-color/further-refused': 'of several stamps all but the first are refused with a Color',
  'stamping.stamp-color/second-refused': 'a stamp of a second signatory is refused with a Color',
  'stamping.stamp-order/above-1-refused': 'a stamp with an Order above 1 is refused',
  'stamping.stamp-order/unsorted-refused': 'stamps whose Orders do not ascend are refused',
  'stamping.stamp-order/refused': 'a stamp with an Order is refused',
} as const satisfies FaultEntries;
