/** The driver that signs on a page in a browser: how it opens the page, what it makes of what it shows, which codes it enters, and what flows make of it. */
import { expect, test } from '@playwright/test';
import { provable } from '../../harness/flows/choose-flows.ts';
import { createBrowserDriver } from '../../harness/people/browser.ts';
import { type Chromium, createChromium } from '../../harness/people/chromium.ts';
import type { SigningSettings } from '../../harness/profile/signing-settings.ts';
import { otpType } from '../../openapi/codes.ts';
import { inSequence } from '../flows/people.ts';
import { type Mail, noOutbox, personWith, type Reply, type Seen } from './signing-people.ts';
import { done, form, html, refused, selectors, withSite } from './signing-site.ts';
import { flowVerdicts, workflow } from './workflow.ts';

let chromium: Chromium;
test.beforeAll(() => {
  chromium = createChromium({ ignoreHTTPSErrors: false });
});
test.afterAll(() => chromium.close());

test('an act is refused by what the page shows or does not offer, and unknown where the page is not as the profile says', async () => {
  const after = ({ method }: Seen) => (method === 'POST' ? { ...refused, status: 403 } : form(''));
  for (const [page, kind, reason, malformed] of [
    [() => refused, 'refused', 'It is not your turn.'],
    [after, 'refused', 'It is not your turn.'],
    [() => html('<button disabled>Sign</button>'), 'refused', /not offer signing.page.sign/, true],
    [() => ({ status: 500, body: 'broken' }), 'unknown', 'the signing page was answered with 500'],
    [() => done, 'unknown', 'the page says that the person has acted before they did'],
  ] as const) {
    await withSite(chromium, { page }, async (driver) => {
      const outcome: object = await driver.act(personWith(), 'sign', 'right');
      const words = expect.stringMatching(reason);
      expect({ malformed: undefined, ...outcome }).toMatchObject({ kind, reason: words, malformed });
    });
  }
});

test('opens a page that is not there yet again', async () => {
  let asked = 0;
  const page = () => {
    asked += 1;
    return asked < 3 ? { status: 404 } : form('');
  };
  await withSite(chromium, { page, readyMs: 5_000 }, async (driver) => {
    expect(await driver.view(personWith())).toMatchObject({ kind: 'seen' });
  });
});

test('a person is led to the page by the link in the e-mail, and a question of the page is answered', async () => {
  const anna = personWith();
  const mails: Mail[] = [];
  const page = ({ method }: Seen): Reply =>
    method === 'POST'
      ? done
      : html('<form method="post" onsubmit="return confirm(1)"><button>Sign</button></form>');
  await withSite(chromium, { page, mails, url: null }, async (driver, _seen, baseUrl) => {
    mails.push({ to: anna.email, subject: 'Sign', html: `<p><a href="${baseUrl}/sign/x">Open</a></p>` });
    expect(await driver.act(anna, 'sign', 'right')).toMatchObject({ kind: 'done' });
    const reason = expect.stringContaining('no link was found');
    const nobody = personWith({ email: 'nobody@example.com' });
    expect(await driver.act(nobody, 'sign', 'right')).toMatchObject({ kind: 'unknown', reason });
  });
});

test('a view shows the visible text and the document', async () => {
  const inside = '<p>For  your\n eyes</p><p hidden>secret</p><a class="document" href="#">a.pdf</a>';
  const page = () => html(`${inside}<button>Sign</button><button class="approve" disabled>Approve</button>`);
  await withSite(chromium, { page }, async (driver, seen) => {
    expect(await driver.view(personWith())).toEqual({
      kind: 'seen',
      text: expect.stringMatching(/^Contract For your eyes a\.pdf ?Sign ?Approve$/),
      source: expect.stringContaining('<p hidden="">secret</p>'),
      document: true,
      exchanges: [],
    });
    expect(seen.every(({ method }) => method === 'GET')).toBe(true);
  });
});

test('without a browser every outcome is unknown, with the remedy', async () => {
  const env = { CHROMIUM_PATH: '/nowhere/chromium' };
  const driver = createBrowserDriver({
    settings: { ...selectors, url: '/sign/{signatoryId}' },
    baseUrl: 'http://127.0.0.1:9',
    outbox: noOutbox,
    readyMs: 0,
    chromium: createChromium({ ignoreHTTPSErrors: false, env }),
  });
  const reason = 'CHROMIUM_PATH="/nowhere/chromium" is no program that can be run; correct it or unset it';
  expect(await driver.act(personWith(), 'sign', 'right')).toEqual({ kind: 'unknown', reason, exchanges: [] });
  expect(await driver.view(personWith())).toEqual({ kind: 'unknown', reason, exchanges: [] });
  await driver.close();
});

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
    expect(await driver.act(person, 'sign', 'none')).toMatchObject({ kind: 'refused' });
  });
});

/** The signing page of the reference service, as a profile describes it. */
const onReferencePage: SigningSettings = {
  driver: 'browser',
  readyMs: 300,
  page: {
    ready: 'main h1',
    requestOtp: 'form[action$="/code"] button',
    otp: '#otp, #otpSms',
    accessCode: '#accessCode',
    sign: 'button[value=sign]',
    approve: 'button[value=approve]',
    done: '[data-part=done]',
    refused: '[data-part=refused], [data-part=waiting], [data-part=closed]',
    document: '[data-part=document]',
  },
};

test('whatever flows prove by calls passes through the signing page of the reference service', async () => {
  const { passed, ...others } = await flowVerdicts([inSequence], {
    change: () => ({ signing: onReferencePage }),
  });
  const proved = new Set(provable(inSequence));
  expect(passed).toEqual(workflow.map(({ id }) => id).filter((id) => proved.has(id)));
  expect(Object.values(others).flat()).toEqual([]);
});
