/** First profiles: what new users write after one look at a vendor's page, in many variants. */
import type { CallTemplate } from '../../../harness/profile/parts.ts';
import type { Profile } from '../../../harness/profile/schema.ts';

type Calls = NonNullable<Profile['calls']>;

const request = '/_apis/sign/api/v2/requests/{requestId}';
const person = `${request}/signatories/{signatoryId}`;

const post = (url: string, body?: unknown): CallTemplate => ({
  method: 'POST',
  url,
  ...(body === undefined ? {} : { body }),
});

const send: Calls = { send: post(`${request}/send`) };
/** Completes anybody, asks for no code, and does nothing for a CC. */
const simulator = post('/_control/requests/{requestId}/signatories/{signatoryId}/complete');
const byRole = post(`${person}/complete`, { otp: '{otp}', otpSms: '{otpSms}', accessCode: '{accessCode}' });
const mailbox: NonNullable<Profile['outbox']> = {
  email: { list: { method: 'GET', url: '/_outbox.json?to={email}' } },
};
const allMail: NonNullable<Profile['outbox']> = { email: { list: { method: 'GET', url: '/_outbox.json' } } };
const http: NonNullable<Profile['signing']> = { driver: 'http' };
const view: CallTemplate = { method: 'GET', url: '{link}', authorize: false };
const apart: Calls = { sign: post(`${person}/sign`), approve: post(`${person}/approve`) };

/** Each besides the address and an access token. */
export const firstProfiles = {
  'simulator and mailbox': { calls: { ...send, complete: simulator }, signing: http, outbox: mailbox },
  'simulator alone': { calls: { ...send, complete: simulator }, signing: http },
  'mailbox alone': { outbox: mailbox },
  'simulator as calls.sign': { calls: { ...send, sign: simulator }, signing: http, outbox: mailbox },
  'simulator as sign and approve': {
    calls: { ...send, sign: simulator, approve: simulator },
    signing: http,
    outbox: mailbox,
  },
  'simulator, and a call for codes': {
    calls: { ...send, complete: simulator, requestOtp: post(`${person}/otp`) },
    signing: http,
    outbox: mailbox,
  },
  'one call by role, with codes': { calls: { ...send, complete: byRole }, signing: http, outbox: mailbox },
  'one call by role, with one code': {
    calls: {
      ...send,
      complete: post(`${person}/complete`, { otp: '{otp}' }),
      requestOtp: post(`${person}/otp`),
    },
    signing: http,
    outbox: mailbox,
  },
  'one call by role, with the code of the SMS': {
    calls: { ...send, complete: post(`${person}/complete`, { otpSms: '{otpSms}' }) },
    signing: http,
    outbox: mailbox,
  },
  'one call by role, with the AccessCode': {
    calls: { ...send, complete: post(`${person}/complete`, { accessCode: '{accessCode}' }) },
    signing: http,
    outbox: mailbox,
  },
  'calls apart, without codes': { calls: { ...send, ...apart }, signing: http, outbox: mailbox },
  'calls.sign alone, without codes': { calls: { ...send, sign: post(`${person}/sign`) }, signing: http },
  'calls apart, and the page': { calls: { ...send, ...apart, view }, signing: http, outbox: mailbox },
  'a page that needs a link, without a mailbox': { calls: { ...send, ...apart, view }, signing: http },
  'a mailbox of everybody': { calls: { ...send, complete: simulator }, signing: http, outbox: allMail },
  'one code in a call, both mailboxes': {
    calls: {
      ...send,
      complete: post(`${person}/complete`, { otp: '{otp}', accessCode: '{accessCode}' }),
      requestOtp: post(`${person}/otp`),
    },
    signing: http,
    outbox: {
      ...mailbox,
      sms: { list: { method: 'GET', url: '/_outbox.json?to={mobileNumber}' } },
    },
  },
  'nothing that sends': { calls: { complete: simulator }, signing: http, outbox: mailbox },
  'an inquiry in the place of a page': {
    calls: { ...send, complete: simulator, view: { method: 'GET', url: `${request}/status` } },
    signing: http,
    outbox: mailbox,
  },
  'one call to sign and approve': {
    calls: { ...send, sign: apart.sign, approve: apart.sign },
    signing: http,
    outbox: mailbox,
  },
  'sent by a creation, which is not so': {
    calls: { complete: simulator },
    signing: { driver: 'http', send: 'creation' },
    outbox: mailbox,
  },
  'a template, and nothing of how bodies travel': {
    create: {
      template: {
        id: 'agreement',
        roles: ['Employer', 'Employee'],
        signatory: { Role: '{role}', Email: '{email}', Name: '{name}', OTP: { IsRequired: false, Type: 1 } },
        body: { TemplateId: '{templateId}', Title: '{title}', Signatories: '{signatories}' },
      },
    },
  },
} as const satisfies Readonly<Record<string, Partial<Profile>>>;

export type FirstProfile = keyof typeof firstProfiles;
