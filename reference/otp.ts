/** The OTP object of a signatory and its rule (section "OTP object"). */
import { type OtpType, otpType, role } from '../openapi/codes.ts';
import type { Dialect } from './dialect.ts';
import { type Fields, isObject } from './fields.ts';
import type { Otp } from './model.ts';
import { isOn, type Refusal, refuse, refuseEach } from './rules.ts';
import type { Service } from './service.ts';

/** Reads OTP from a signatory; `null` when there is none. `type` reads OTP.Type, which type 3 sends as a string. */
export async function readOtp(
  signatory: Fields,
  service: Service,
  type: (otp: Fields) => number,
): Promise<Otp | null> {
  if (service.dialect.otp === 'unread-of-cc' && signatory.raw('SignatoryType') === role.cc) {
    signatory.raw('OTP');
    return null;
  }
  const otp =
    service.dialect.otp === 'required'
      ? signatory.object('OTP')
      : signatory.optionalObject('OTP', 'otp.object-type');
  if (otp === null) return null;
  const isRequired = otp.boolean('IsRequired', 'otp.is-required');
  const method = knownType(type(otp), otp, service);
  refuseEach(service, {
    'otp.sms/500': isRequired && method === otpType.sms,
    'otp.access-code/500': isRequired && method === otpType.accessCode,
    'otp.email-and-sms/500': isRequired && method === otpType.emailAndSms,
  });
  const accessCode = readAccessCode(otp, service, isRequired, method);
  // Read only for the fault, since a field that was read counts as known.
  const part = () => signatory.raw('SignatoryType');
  const isLaterSigner = () => part() === role.signer && Number(signatory.raw('Order')) > 1;
  const exempt =
    !otp.has('MobileNumber') &&
    ((service.faulty('otp.mobile-required/of-signers-only') && part() !== role.signer) ||
      (service.faulty('otp.mobile-required/later-signer-accepted') && isLaterSigner()) ||
      (service.faulty('otp.mobile-required/2-of-approver-accepted') &&
        method === otpType.sms &&
        part() === role.approver));
  const mobileNumber = exempt ? null : await readMobileNumber(otp, service, isRequired, method);
  otp.finish();
  refuseEach(service, {
    [`otp.not-required/${method}-refused`]: !isRequired,
    [`${requirementOf[method]}/refused`]: isRequired,
  });
  return { isRequired, type: method, accessCode, mobileNumber };
}

/** OTP.Type of endpoint 5: an integer. */
export const integerOtpType = (otp: Fields): number => otp.integer('Type', 'otp.type');

function knownType(type: number, otp: Fields, service: Service): OtpType {
  if (isOtpType(type)) return type;
  const refused = otp.refusal(service.dialect.valueStatus, `${otp.path('Type')} is none of 1 to 4`);
  refuse(service, refused, `otp.type-values/${type < otpType.email ? 'below' : 'above'}-accepted`);
  return otpType.email;
}

const isOtpType = (type: number): type is OtpType => Object.values<number>(otpType).includes(type);

/** Whether a field holds an object, which a fault has accepted instead of a text. */
const letPass = (otp: Fields, name: string) => isObject(otp.raw(name));

const accessCodeForms: Readonly<Record<Dialect['accessCodeForm'], RegExp>> = {
  any: /^/,
  digits: /^[0-9]{4,8}$/,
  'four-digits': /^[0-9]{4}$/,
  password: /^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])(?=.*[^a-zA-Z0-9]).{8,}$/,
};

function readAccessCode(otp: Fields, service: Service, isRequired: boolean, type: OtpType): string | null {
  const { accessCodeElsewhere, accessCodeForm, accessCodeIdle, accessCode: whenRequired } = service.dialect;
  if (type !== otpType.accessCode && accessCodeElsewhere === 'unread') {
    otp.raw('AccessCode');
    return null;
  }
  const given = otp.optionalText('AccessCode', 'otp.access-code-type');
  if (given === '' && service.dialect.accessCodeEmpty === 'refused')
    throw otp.unlike('accessCodeEmpty', `${otp.path('AccessCode')} is empty`);
  // Blanks around the code are removed, as they are from the code that the person enters.
  const accessCode = given?.trim() || null;
  if (accessCode !== null && !accessCodeForms[accessCodeForm].test(accessCode))
    throw otp.unlike('accessCodeForm', `${otp.path('AccessCode')} has not the form "${accessCodeForm}"`);
  const used = type === otpType.accessCode;
  const needed = used && (isRequired ? whenRequired : accessCodeIdle) === 'required';
  if (needed && accessCode === null && !letPass(otp, 'AccessCode'))
    throw otp.unlike(isRequired ? 'accessCode' : 'accessCodeIdle', `${otp.path('AccessCode')} is missing`);
  const refused = used ? !isRequired && accessCodeIdle === 'refused' : accessCodeElsewhere === 'refused';
  const why = used ? 'accessCodeIdle' : 'accessCodeElsewhere';
  if (refused && accessCode !== null) throw otp.unlike(why, `${otp.path('AccessCode')} is not used`);
  return accessCode;
}

/**
 * Rule of section "OTP object": when IsRequired is true and Type is 2 or 4, MobileNumber must be a valid number.
 * The table there requires a MobileNumber for these types without mentioning IsRequired, so a dialect setting decides.
 */
async function readMobileNumber(
  otp: Fields,
  service: Service,
  isRequired: boolean,
  type: OtpType,
): Promise<string | null> {
  const { dialect } = service;
  if (type === otpType.sms || type === otpType.emailAndSms) {
    if (isRequired) return judgedNumber(otp, service, type);
    const number = otp.optionalText('MobileNumber', 'otp.mobile-number-type') || null;
    if (number === null && dialect.mobileNumberWithoutOtp === 'required')
      throw otp.unlike('mobileNumberWithoutOtp', `${otp.path('MobileNumber')} is missing`);
    return number === null ? null : validNumber(number, otp, service);
  }
  if (dialect.mobileNumberElsewhere === 'unread') {
    otp.raw('MobileNumber');
    return null;
  }
  const number = otp.optionalText('MobileNumber', 'otp.mobile-number-type') || null;
  const isKept = isOn(service, {
    'otp.email-delivered/to-number': true,
    'otp.gates-signing/numbered-access-code-not-demanded': true,
  });
  if (number !== null && isKept) return number;
  if (number === null || dialect.mobileNumberElsewhere === 'ignored') return null;
  if (dialect.mobileNumberElsewhere === 'refused')
    throw otp.unlike('mobileNumberElsewhere', `${otp.path('MobileNumber')} is not used`);
  return validNumber(number, otp, service);
}

async function validNumber(number: string, otp: Fields, service: Service): Promise<string> {
  if (await isValidMobileNumber(number, service.dialect)) return number;
  throw invalidNumber(otp, service);
}

function invalidNumber(otp: Fields, { dialect: { mobileNumberForm: form } }: Service): Refusal {
  const needs = form === 'international' ? ': it begins with + and a country code' : '';
  return otp.refusal(400, `${otp.path('MobileNumber')} is not a valid number${needs}`);
}

/** The MobileNumber for an SMS: when it is missing, or not valid, the request fails with 400. */
async function judgedNumber(otp: Fields, service: Service, type: 2 | 4): Promise<string | null> {
  const given = otp.raw('MobileNumber');
  // Endpoint 3, which sends Type as a string, has faults of its own.
  const asText = typeof otp.raw('Type') === 'string';
  const kindOfLack = given === undefined ? 'missing' : 'invalid';
  const later = /^Signatories\/[1-9]/.test(otp.path(''));
  const isTaken = isOn(service, {
    'stamping.mobile-number/second-accepted': given === undefined,
    'stamping.mobile-number/second-invalid-accepted': given !== undefined,
  });
  const isTakenAnywhere = isOn(service, {
    'otp.mobile-required/everywhere-accepted': given === undefined,
    'otp.mobile-valid/everywhere-accepted': typeof given === 'string',
  });
  if (isTakenAnywhere) return otp.optionalText('MobileNumber');
  if (later && isTaken) return null;
  if (asText && service.faulty(`stamping.mobile-number/${kindOfLack}-accepted`))
    return otp.optionalText('MobileNumber');
  if (given === undefined) {
    const refused = otp.refusal(400, `${otp.path('MobileNumber')} is missing`);
    refuse(service, refused, `otp.mobile-required/${type}-absent-accepted`);
    return null;
  }
  const number = otp.optionalText('MobileNumber', 'otp.mobile-number-type') ?? '';
  if (letPass(otp, 'MobileNumber')) return null;
  if (await isValidMobileNumber(number, service.dialect)) return number;
  const kind = given === null ? 'null' : number === '' ? 'empty' : 'invalid';
  const blank = number !== '' && number.trim() === '';
  const isLeft = isOn(service, {
    'otp.mobile-valid/blank-accepted': blank,
    'otp.mobile-valid/any-digits-accepted': /^\+?\d+$/.test(number),
  });
  if (isLeft) return null;
  refuse(service, invalidNumber(otp, service), `otp.mobile-valid/${type}-${kind}-accepted`);
  return number || null;
}

/** The requirement that each Type is accepted. */
export const requirementOf = {
  1: 'otp.email',
  2: 'otp.sms',
  3: 'otp.access-code',
  4: 'otp.email-and-sms',
} as const;

/** Countries in which a number without country code is dialled. */
const homes = {
  'north-america': ['US'],
  elsewhere: ['AU', 'DE', 'SE'],
  all: ['US', 'AU', 'DE', 'SE'],
} as const;

/** Whether a number is valid in the form and for the countries of the dialect. */
async function isValidMobileNumber(
  number: string,
  { mobileNumberForm: form, mobileNumberCountries: countries }: Dialect,
): Promise<boolean> {
  const { isValidPhoneNumber } = await import('libphonenumber-js/max');
  if (form === 'national')
    return /^[0-9]+$/.test(number) && homes[countries].some((home) => isValidPhoneNumber(number, home));
  const ofNorthAmerica = number.replace(/^\+/, '').startsWith('1');
  if (countries !== 'all' && ofNorthAmerica !== (countries === 'north-america')) return false;
  if (form === 'digits') return /^\+?[0-9]{1,15}$/.test(number);
  if (form === 'e164' && !/^\+[1-9][0-9]{6,14}$/.test(number)) return false;
  if (form === 'without-plus') return /^[0-9]+$/.test(number) && isValidPhoneNumber(`+${number}`);
  return isValidPhoneNumber(number) || ofExamples.test(number);
}

/** Nobody has the area code 555: numbers with it stand in examples, and so in the tests of clients. */
const ofExamples = /^\+1 ?\(?555\)?[ -]?[0-9]{3}[ -]?[0-9]{4}$/;
