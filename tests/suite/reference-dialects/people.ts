/** Dialect settings of signatories and of types 1 to 3. */
import { path } from '../../../openapi/codes.ts';
import { type ReferenceClient, signatoryBody, stampedBody } from '../reference-client.ts';
import { add, type DialectCase, otp, stamp, status, when } from './case.ts';

export const peopleCases: readonly DialectCase[] = [
  when('otp required', { otp: 'required' }, 400, add('/OTP', undefined)),
  when('otp optional', {}, 200, add('/OTP', undefined)),
  when(
    'mobileNumberWithoutOtp required',
    { mobileNumberWithoutOtp: 'required' },
    400,
    add('/OTP', otp(false, 2)),
  ),
  when('mobileNumberWithoutOtp optional', {}, 200, add('/OTP', otp(false, 2))),
  when(
    'mobileNumberElsewhere refused',
    { mobileNumberElsewhere: 'refused' },
    400,
    add('/OTP', otp(true, 1, { MobileNumber: '+12025550123' })),
  ),
  when(
    'mobileNumberElsewhere judged',
    { mobileNumberElsewhere: 'judged' },
    400,
    add('/OTP', otp(true, 1, { MobileNumber: 'x' })),
  ),
  when(
    'mobileNumberForm international',
    {},
    200,
    add('/OTP', otp(true, 2, { MobileNumber: '+1 202 555 0123' })),
  ),
  when(
    'mobileNumberForm e164',
    { mobileNumberForm: 'e164' },
    400,
    add('/OTP', otp(true, 2, { MobileNumber: '+1 202 555 0123' })),
  ),
  when(
    'mobileNumberForm digits',
    { mobileNumberForm: 'digits' },
    200,
    add('/OTP', otp(true, 2, { MobileNumber: '0012025550123' })),
  ),
  when(
    'mobileNumberCountries north-america',
    { mobileNumberCountries: 'north-america' },
    400,
    add('/OTP', otp(true, 2, { MobileNumber: '+4915555123456' })),
  ),
  when(
    'mobileNumberCountries elsewhere',
    { mobileNumberCountries: 'elsewhere' },
    400,
    add('/OTP', otp(true, 2, { MobileNumber: '+12025550123' })),
  ),
  when('accessCode required', {}, 400, add('/OTP', otp(true, 3))),
  when('accessCode optional', { accessCode: 'optional' }, 200, add('/OTP', otp(true, 3))),
  when(
    'accessCodeElsewhere refused',
    { accessCodeElsewhere: 'refused' },
    400,
    add('/OTP', otp(true, 1, { AccessCode: 'x' })),
  ),
  when('emailForm judged', {}, 400, add('/Email', 'nobody')),
  when('emailForm any', { emailForm: 'any' }, 200, add('/Email', 'nobody')),
  when('colorForm hex', {}, 200, add('/Color', '#abc')),
  when('colorForm six-digits', { colorForm: 'six-digits' }, 400, add('/Color', '#abc')),
  when('orders from-one', {}, 400, add('/Order', 0)),
  when('orders from-zero', { orders: 'from-zero' }, 200, add('/Order', 0)),
  when('orders any', { orders: 'any' }, 200, add('/Order', -1)),
  ...(['accepted', 'refused'] as const).map((sameEmail) =>
    when(
      `sameEmail ${sameEmail}`,
      { sameEmail },
      sameEmail === 'accepted' ? 200 : 409,
      async (client: ReferenceClient) => {
        const id = await client.request();
        await client.add(id, signatoryBody);
        return status(await client.add(id, signatoryBody));
      },
    ),
  ),
  when(
    'stampingRoleSpelling lower',
    { stampingRoleSpelling: 'lower', unknownFields: 'refused' },
    400,
    stamp('/Signatories/0/SignatoryType', 1),
  ),
  when('stampingOtpType string', { stampingOtpType: 'string' }, 400, stamp('/Signatories/0/OTP/Type', 1)),
  when('stampingOtpType both', {}, 200, stamp('/Signatories/0/OTP/Type', 1)),
  when('stampingFields few', {}, 200, stamp('/Signatories/0/AutoStamps/0/Color', undefined)),
  when(
    'stampingFields sampled',
    { stampingFields: 'sampled' },
    400,
    stamp('/Signatories/0/AutoStamps/0/Color', undefined),
  ),
  when(
    'createEncoding multipart',
    { createEncoding: 'multipart', createField: 'payload' },
    200,
    async (client) => {
      const form = new FormData();
      form.set('payload', JSON.stringify(stampedBody([await client.document()])));
      return status(await client.send('POST', `${path.create}?type=3`, form));
    },
  ),
  ...(['nested', 'text', 'empty'] as const).map((createAnswer) =>
    when(
      `createAnswer ${createAnswer}`,
      { createAnswer },
      { nested: '{"d', text: 'id', empty: '' }[createAnswer],
      async (client: ReferenceClient) => {
        const body = stampedBody([await client.document()]);
        const { text } = await client.json('POST', `${path.create}?type=3`, body);
        return /^[0-9a-f-]{36}$/.test(text) ? 'id' : text.slice(0, 3);
      },
    ),
  ),
];
