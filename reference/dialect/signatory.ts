/** Dialect settings about signatories and their identity check (endpoint 5). */
import { choice, free } from './setting.ts';

export const signatorySettings = {
  signatoryStatus: choice('Status of a successful call of endpoint 5.', [200, 201, 202]),
  otp: choice(
    'Whether a signatory needs an OTP object: no, yes, or no and nothing of that of a CC is read.',
    ['optional', 'required', 'unread-of-cc'],
  ),
  mobileNumberWithoutOtp: choice(
    'Whether OTP Type 2 and 4 need a MobileNumber although IsRequired is false.',
    ['optional', 'required'],
  ),
  mobileNumberElsewhere: choice(
    'What happens to a MobileNumber that no SMS is sent to: only a value of another type is refused, it has to be valid, it is refused, or nothing of it is read.',
    ['ignored', 'judged', 'refused', 'unread'],
  ),
  mobileNumberForm: choice(
    'Form of a valid MobileNumber: with + and country code, spaces allowed or not; 1 to 15 digits, + or not; with country code and without +; or as it is dialled within its country.',
    ['international', 'e164', 'digits', 'without-plus', 'national'],
  ),
  mobileNumberCountries: choice(
    'Countries of a valid MobileNumber: all, those of North America, or all others.',
    ['all', 'north-america', 'elsewhere'],
  ),
  accessCode: choice('Whether OTP Type 3 with IsRequired true needs an AccessCode.', [
    'required',
    'optional',
  ]),
  accessCodeForm: choice(
    'Form of an AccessCode: any text, 4 to 8 digits, 4 digits, or what passwords have to have.',
    ['any', 'digits', 'four-digits', 'password'],
  ),
  accessCodeIdle: choice('What happens to the AccessCode of Type 3 when IsRequired is false.', [
    'ignored',
    'refused',
    'required',
  ]),
  accessCodeElsewhere: choice(
    'What happens to an AccessCode beside other Types: only a value of another type is refused, it is refused, or nothing of it is read.',
    ['ignored', 'refused', 'unread'],
  ),
  accessCodeEmpty: choice('Whether an empty AccessCode counts as absent.', ['absent', 'refused']),
  otpOfApprover: choice('Whether an OTP that is required holds for an approver too.', ['asked', 'ignored']),
  equalOrders: choice(
    'Whether signatories with an equal Order above 1 act in parallel, or as they were added.',
    ['parallel', 'as-added'],
  ),
  emailForm: choice('Whether Email has to look like an e-mail address, also one that mail can reach.', [
    'judged',
    'any',
    'reachable',
  ]),
  colorForm: choice(
    'Form of a Color: hexadecimal with #, of six digits only, of six digits without #, of six digits without capitals, or any text.',
    ['hex', 'six-digits', 'bare', 'small', 'any'],
  ),
  orders: choice(
    'Values of Order: from 1, from 1 with none left out when the request is sent, from 0, or any integer.',
    ['from-one', 'without-gaps', 'from-zero', 'any'],
  ),
  sameEmail: choice('Whether one address may take part twice in a request.', ['accepted', 'refused']),
  maxSignatories: free('Most signatories in a request; 0 means any number.', [0, 40]),
} as const;
