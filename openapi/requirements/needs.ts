/** What requirements need of a target profile besides an address and an access token: keys, by the way people act. */

/** The ways in which people act: `signing.driver` of a profile. */
export type Way = 'http' | 'browser' | 'module' | 'manual';

/**
 * Keys of a profile of which one is enough, in the words that users see. The first word is the path of a value.
 * Variables in braces: the call has to use one of them. `other than`: the value has to differ from that of the other key.
 */
type Keys = readonly string[];

/** Keys, or for each way to act the keys that it needs: none if the list is empty; a text says why it can never be met. */
export type Need = Keys | Readonly<Record<Way, Keys | string>>;

/** A need of people who act by calls or on a page; a module and people by hand need no keys for it. */
const driven = (http: Keys, browser: Keys): Need => ({ http, browser, module: [], manual: [] });

/** A need that is the same for every way to act. */
const anyway = (keys: Keys): Need => ({ http: keys, browser: keys, module: keys, manual: keys });

const byPage = 'people act on a page, and not by calls that name the signatory by signatoryId';

const unseen = 'the profile says signing.driver: manual, and the suite does not see the page that people see';

export const needs = {
  'an expired token': ['auth.expiredToken', 'calls.expireToken'],
  'several documents': ['limits.documents of 2 at least'],
  'a deletion': ['calls.deleteRequest'],
  'an invalidation': ['calls.invalidateDocument'],
  'a template': ['create.template'],
  'fixed positions': ['create.fixed'],
  'people who sign': ['signing'],
  'a way to send': anyway(['calls.send', 'signing.send']),
  'a way to act': driven(['calls.sign'], ['signing.page.url', 'outbox.email']),
  'a way to approve': driven(['calls.approve'], ['signing.page.approve']),
  // If one call serves all roles, it acts by the role itself, so nobody can try what their role may not do.
  'acts apart': driven(
    ['calls.approve other than calls.sign, or calls.complete with {act}'],
    ['signing.page.approve other than signing.page.sign'],
  ),
  'acts by id': {
    http: ['calls.sign or calls.complete with {signatoryId}'],
    browser: byPage,
    module: byPage,
    manual: byPage,
  },
  // Without a place for codes, people cannot enter wrong ones; and a call that takes no code may not need one.
  'a place for codes': driven(
    ['calls.sign or calls.complete with {otp}, {otpEmail} or {otpSms}'],
    ['signing.page.otp'],
  ),
  'a call with codes': driven(['calls.sign or calls.complete with {otp}, {otpEmail} or {otpSms}'], []),
  'a place for the AccessCode': driven(
    ['calls.sign or calls.complete with {accessCode}'],
    ['signing.page.accessCode', 'signing.page.otp'],
  ),
  // Only calls: a page may send codes as soon as it is opened.
  'a call for codes': driven(['calls.requestOtp'], []),
  'the signing page': { ...driven(['calls.view'], []), manual: unseen },
  'the signing page or e-mails': { ...driven(['calls.view', 'outbox.email'], []), manual: ['outbox.email'] },
  'the document on the page': {
    ...driven(['calls.viewDocument'], ['signing.page.document']),
    manual: unseen,
  },
  'e-mails': ['outbox.email'],
  SMS: ['outbox.sms'],
  callbacks: ['callbacks.publicUrl'],
  'ids of type 3': ['create.signatoryId other than none'],
  'completed documents': ['calls.completedDocuments'],
  'completed documents or callbacks': ['calls.completedDocuments', 'callbacks.publicUrl'],
} as const satisfies Readonly<Record<string, Need>>;

export type NeedId = keyof typeof needs;

export const signed = ['people who sign', 'a way to send', 'a way to act'] as const;
