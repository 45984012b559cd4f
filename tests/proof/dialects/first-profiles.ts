/** First profiles in many variants, as new users write them after one look at a vendor's page. */
import type { CallTemplate } from '../../../harness/profile/parts.ts';
import type { Profile } from '../../../harness/profile/schema.ts';

type Calls = NonNullable<Profile['calls']>;

const request = '/_apis/sign/api/v2/requests/{requestId}';
export const person = `${request}/signatories/{signatoryId}`;

export const post = (url: string, body?: unknown): CallTemplate => ({
  method: 'POST',
  url,
  ...(body === undefined ? {} : { body }),
});

export const send: Calls = { send: post(`${request}/send`) };
/** The service's call that completes any person without a code; it does nothing for a CC. */
const simulator = post('/_control/requests/{requestId}/signatories/{signatoryId}/complete');
const mailbox: NonNullable<Profile['outbox']> = {
  email: { list: { method: 'GET', url: '/_outbox.json?to={email}' } },
};
const allMail: NonNullable<Profile['outbox']> = { email: { list: { method: 'GET', url: '/_outbox.json' } } };
const http: NonNullable<Profile['signing']> = { driver: 'http' };
const view: CallTemplate = { method: 'GET', url: '{link}', authorize: false };
const apart = { sign: post(`${person}/sign`), approve: post(`${person}/approve`) } satisfies Calls;

/** A profile that sends by `send`, signs by these calls and reads e-mails; `null`: it knows no mailbox. */
const signed = (calls: Calls, outbox: NonNullable<Profile['outbox']> | null = mailbox) => ({
  calls: { ...send, ...calls },
  signing: http,
  ...(outbox ? { outbox } : {}),
});
const byOneCall = (codes: Readonly<Record<string, string>>, more: Calls = {}) =>
  ({ complete: post(`${person}/complete`, codes), ...more }) satisfies Calls;
const asksForCodes: Calls = { requestOtp: post(`${person}/otp`) };

/** The profiles by name, each without the address and the access token. */
export const firstProfiles = {
  'simulator and mailbox': signed({ complete: simulator }),
  'simulator alone': signed({ complete: simulator }, null),
  'mailbox alone': { outbox: mailbox },
  'simulator as calls.sign': signed({ sign: simulator }),
  'simulator as sign and approve': signed({ sign: simulator, approve: simulator }),
  'simulator, and a call for codes': signed({ complete: simulator, ...asksForCodes }),
  'one call by role, with codes': signed(
    byOneCall({ otp: '{otp}', otpSms: '{otpSms}', accessCode: '{accessCode}' }),
  ),
  'one call by role, with one code': signed(byOneCall({ otp: '{otp}' }, asksForCodes)),
  'one call by role, with the code of the SMS': signed(byOneCall({ otpSms: '{otpSms}' })),
  'one call by role, with the AccessCode': signed(byOneCall({ accessCode: '{accessCode}' })),
  'calls apart, without codes': signed(apart),
  'calls.sign alone, without codes': signed({ sign: apart.sign }, null),
  'calls apart, and the page': signed({ ...apart, view }),
  'a page that needs a link, without a mailbox': signed({ ...apart, view }, null),
  'a mailbox of everybody': signed({ complete: simulator }, allMail),
  'one code in a call, both mailboxes': signed(
    byOneCall({ otp: '{otp}', accessCode: '{accessCode}' }, asksForCodes),
    { ...mailbox, sms: { list: { method: 'GET', url: '/_outbox.json?to={mobileNumber}' } } },
  ),
  'nothing that sends': { calls: { complete: simulator }, signing: http, outbox: mailbox },
  'an inquiry in the place of a page': signed({
    complete: simulator,
    view: { method: 'GET', url: `${request}/status` },
  }),
  'one call to sign and approve': signed({ sign: apart.sign, approve: apart.sign }),
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
  'a call in the place of one that sends': signed({
    ...apart,
    send: { method: 'GET', url: `${request}/status` },
  }),
  'a reader of mails in a hurry': signed({ complete: simulator }, { ...mailbox, waitMs: 50 }),
} as const satisfies Readonly<Record<string, Partial<Profile>>>;

export type FirstProfile = keyof typeof firstProfiles;
