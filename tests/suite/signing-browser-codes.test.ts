/** The driver that signs on a page in a browser: the codes that it reads and enters, and those that it does not. */
import { expect, test } from '@playwright/test';
import { type Chromium, createChromium } from '../../harness/people/chromium.ts';
import { otpType } from '../../openapi/codes.ts';
import { personWith, type Seen } from './signing-people.ts';
import { done, form, html, refused, withSite } from './signing-site.ts';

let chromium: Chromium;
test.beforeAll(() => {
  chromium = createChromium({ ignoreHTTPSErrors: false });
});
test.afterAll(() => chromium.close());

const anna = personWith({ otpType: otpType.email });
const twoCodes = '<input class="otp" name="one"><input class="otp" name="two">';
const posts = (right: string, inside: string) => ({
  page: ({ method, body }: Seen) => (method !== 'POST' ? form(inside) : body === right ? done : refused),
});

test('codes are entered in their order, and character by character where the page wants it so', async () => {
  const both = personWith({ otpType: otpType.emailAndSms });
  const mails = [
    { to: both.email, subject: 'Code', text: 'Your code is 1111' },
    { to: both.mobileNumber, subject: 'SMS', text: 'Your code is 2222' },
  ];
  const boxes = [1, 2, 3, 4].map((at) => `<input class="otp" name="c${at}" maxlength="1">`).join('');
  await withSite(chromium, { ...posts('one=1111&two=2222', twoCodes), mails, sms: true }, async (driver) => {
    expect(await driver.act(both, 'sign', 'right')).toMatchObject({ kind: 'done' });
  });
  await withSite(chromium, { ...posts('c1=1&c2=1&c3=1&c4=1', boxes), mails }, async (driver) => {
    expect(await driver.act(anna, 'sign', 'right')).toMatchObject({ kind: 'done' });
  });
});

test('codes that cannot be read make the outcome unknown, also when the page refuses', async () => {
  const both = personWith({ otpType: otpType.emailAndSms });
  const mails = [{ to: both.email, subject: 'Code', text: 'Your code is 1111' }];
  await withSite(chromium, { ...posts('', twoCodes), mails }, async (driver) => {
    const outcome = await driver.act(both, 'sign', 'right');
    expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('no outbox.sms') });
  });
  await withSite(chromium, posts('', twoCodes), async (driver) => {
    expect(await driver.act(anna, 'sign', 'right')).toMatchObject({ kind: 'unknown' });
  });
});

test('codes may stand before the page that offers to sign', async () => {
  const person = personWith({ otpType: otpType.accessCode, accessCode: 'Ab-1' });
  const gate = html(
    '<form method="post"><input id="access" name="access"><button class="go">Go on</button></form>',
  );
  const page = ({ method, body }: Seen) => {
    if (method !== 'POST') return gate;
    if (body.startsWith('access'))
      return body === 'access=Ab-1' ? form('<input type="hidden" name="on">') : refused;
    return done;
  };
  await withSite(chromium, { page, submitCodes: '.go' }, async (driver) => {
    expect(await driver.act(person, 'sign', 'right')).toMatchObject({ kind: 'done' });
    expect(await driver.act(person, 'sign', 'wrong')).toMatchObject({ kind: 'refused' });
    expect(await driver.act(person, 'sign', 'none')).toMatchObject({ kind: 'refused' });
  });
});
