/** Requirements about the OTP object of a signatory. */
import { signed } from './needs.ts';
import { type Area, entriesFor } from './requirement.ts';

const under = entriesFor({ operation: 'addSignatory', check: 'otp' });
const values = under('Resources, OTP Type values');
const otherValues = under('Resources, OTP Type values', { statusGap: 'errors.enumeration-status' });
const object = under('Resources, OTP object');
const requiredField = under('Resources, OTP object', { statusGap: 'errors.wrong-type-status' });
const errors = under('Errors, Endpoints 4 and 5');
const optionalField = under('Resources, OTP object', {
  check: 'signatory-refusals',
  since: '0.2.0',
  statusGap: 'errors.wrong-type-optional',
});
const gate = under('Resources, OTP object', { check: 'workflow', needs: signed });
const delivery = under('Resources, OTP Type values', { check: 'workflow', needs: signed });

export const otp = {
  'otp.email': values.must('Type 1 (e-mail OTP) is accepted with IsRequired true, without a MobileNumber.'),
  'otp.sms': values.must('Type 2 (SMS OTP) is accepted with IsRequired true and a valid MobileNumber.'),
  'otp.access-code': values.must(
    'Type 3 (AccessCode) is accepted with IsRequired true and an AccessCode, without a MobileNumber.',
  ),
  'otp.email-and-sms': values.must(
    'Type 4 (e-mail and SMS OTP) is accepted with IsRequired true and a valid MobileNumber.',
  ),
  'otp.not-required': object.must(
    'IsRequired false is accepted with each Type: with a MobileNumber for Types 2 and 4, with an AccessCode for Type 3.',
  ),
  'otp.type-values': otherValues.should('A Type other than 1, 2, 3 and 4 is not accepted.'),
  'otp.is-required-required': object.must('An OTP object without IsRequired is refused with 400.'),
  'otp.type-required': object.must('An OTP object without Type is refused with 400.'),
  'otp.is-required-type': requiredField.should(
    'IsRequired is a boolean: null or an object in its place is refused.',
  ),
  'otp.type-type': requiredField.should('Type is an integer: null or an object in its place is refused.'),
  'otp.object-type': optionalField.should('OTP is an object: a list in its place is refused.'),
  'otp.access-code-type': optionalField.should(
    'AccessCode is a string: with Type 3 and IsRequired true an object in its place is refused.',
  ),
  'otp.mobile-number-type': optionalField.should(
    'MobileNumber is a string: an object in its place is refused where an SMS is to be sent.',
  ),
  'otp.mobile-required': errors.must(
    'With IsRequired true and Type 2 or 4, a missing MobileNumber is refused with 400.',
  ),
  'otp.mobile-valid': errors.must(
    'With IsRequired true and Type 2 or 4, a MobileNumber that is not a valid number is refused with 400.',
  ),
  'otp.gates-signing': gate.must(
    'With IsRequired true the OTP is demanded before signing.',
    'a place for codes',
  ),
  'otp.not-asked': gate.must('With IsRequired false no OTP is demanded before signing.', 'a call with codes'),
  'otp.email-delivered': delivery.must(
    'With Type 1 the code is delivered by e-mail.',
    'a call for codes',
    'e-mails',
  ),
  'otp.sms-delivered': delivery.must(
    'With Type 2 the code is delivered by SMS to MobileNumber.',
    'a call for codes',
    'SMS',
  ),
  'otp.access-code-asked': delivery.must(
    'With Type 3 the AccessCode that the caller set is the code.',
    'a place for the AccessCode',
  ),
  'otp.email-and-sms-delivered': delivery.must(
    'With Type 4 codes are delivered by e-mail and by SMS.',
    'a call for codes',
    'e-mails',
    'SMS',
  ),
} satisfies Area;
