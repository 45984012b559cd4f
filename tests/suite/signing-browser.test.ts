/** The driver that signs on a page in a browser: what it enters, and how it reads what the page shows. */
import { expect, test } from '@playwright/test';
import { createBrowserDriver } from '../../harness/signing/browser.ts';
import { type Chromium, chromiumPath, createChromium } from '../../harness/signing/chromium.ts';
import type { SigningDriver } from '../../harness/signing/driver.ts';
import { createOutbox } from '../../harness/signing/outbox.ts';
import { otpType } from '../../openapi/codes.ts';
import {
  type Mail,
  mailpit,
  mailpitSettings,
  mailpitSmsSettings,
  personWith,
  type Reply,
  type Seen,
  withService,
} from './signing-people.ts';

const settings = {
  url: '/sign/{signatoryId}',
  ready: 'main',
  requestOtp: 'text=Send me a code',
  otp: 'input.otp',
  accessCode: '#access',
  sign: 'role=button[name=Sign]',
  approve: 'button.approve',
  done: '.done',
  refused: '.refused',
  document: 'a.document',
};

let chromium: Chromium;
test.beforeAll(() => {
  chromium = createChromium({ ignoreHTTPSErrors: false });
});
test.afterAll(() => chromium.close());

function html(inside: string): Reply {
  return { body: `<!doctype html><main><h1>Contract</h1>${inside}</main>` };
}

const form = (inside: string) => html(`<form method="post">${inside}<button>Sign</button></form>`);

interface Site {
  readonly page: (seen: Seen) => Reply | undefined;
  readonly mails?: readonly Mail[];
  readonly sms?: boolean;
  readonly changes?: { readonly url?: string | undefined; readonly submitCodes?: string };
}

function withSite(
  { page, mails = [], sms = false, changes = {} }: Site,
  work: (driver: SigningDriver, seen: readonly Seen[], baseUrl: string) => Promise<void>,
): Promise<void> {
  return withService(
    (seen) => mailpit(mails, seen) ?? page(seen),
    async ({ baseUrl, call, seen }) => {
      const mailboxes = { email: mailpitSettings, ...(sms ? { sms: mailpitSmsSettings } : {}) };
      const { url = settings.url, ...rest } = changes;
      const selectors = { ...settings, url, ...rest };
      const { url: _, ...withoutUrl } = selectors;
      const byLink = 'url' in changes && changes.url === undefined;
      const driver = createBrowserDriver({
        settings: byLink ? withoutUrl : selectors,
        baseUrl,
        outbox: createOutbox({ ...mailboxes, waitMs: 300 }, call),
        readyMs: 200,
        chromium,
      });
      await work(driver, seen, baseUrl);
    },
  );
}

const done = html('<p class="done">Thank you.</p>');
const refused = html('<p class="refused">It is not your turn.</p>');

test('signs where the page lets the person, and says within which span', async () => {
  const page = ({ method }: Seen) => (method === 'POST' ? done : form(''));
  await withSite({ page }, async (driver, seen) => {
    const outcome = await driver.act(personWith(), 'sign', 'right');
    expect(outcome.kind).toBe('done');
    if (outcome.kind === 'done') expect(outcome.at.endMs).toBeGreaterThan(outcome.at.startMs);
    expect(seen.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual(['/sign/sig-1']);
  });
});

test('is refused by what the page shows, before and after the act, and by what it does not offer', async () => {
  const before = () => refused;
  const after = ({ method }: Seen) => (method === 'POST' ? { ...refused, status: 403 } : form(''));
  const disabled = () => html('<button disabled>Sign</button>');
  const others = () => html('<button class="approve">Approve</button>');
  for (const [page, reason] of [
    [before, 'It is not your turn.'],
    [after, 'It is not your turn.'],
    [disabled, 'the page does not offer signing.page.sign'],
    [others, 'the page does not offer signing.page.sign'],
  ] as const) {
    await withSite({ page }, async (driver) => {
      expect(await driver.act(personWith(), 'sign', 'right')).toMatchObject({ kind: 'refused', reason });
    });
  }
});

test('is unknown where the page is not as the profile says', async () => {
  const rows = [
    [() => ({ status: 500, body: 'broken' }), 'the signing page was answered with 500'],
    [() => ({ status: 404 }), 'the signing page was answered with 404'],
    [() => done, 'the page says that the person has acted before they did'],
  ] as const;
  for (const [page, reason] of rows) {
    await withSite({ page }, async (driver) => {
      expect(await driver.act(personWith(), 'sign', 'right')).toMatchObject({ kind: 'unknown', reason });
    });
  }
});

test('opens a page that is not there yet again', async () => {
  let asked = 0;
  const page = () => {
    asked += 1;
    return asked < 3 ? { status: 404 } : form('');
  };
  await withSite({ page }, async (driver) => {
    expect(await driver.view(personWith())).toMatchObject({ kind: 'seen', offers: ['sign'] });
  });
});

test.describe('codes', () => {
  const anna = personWith({ otpType: otpType.email });
  const twoCodes = '<input class="otp" name="one"><input class="otp" name="two">';
  const posts = (right: string, inside: string) => ({
    page: ({ method, body }: Seen) => (method !== 'POST' ? form(inside) : body === right ? done : refused),
  });

  test('are asked for, read from the new e-mail and entered', async () => {
    const mails: Mail[] = [{ to: anna.email, subject: 'Code', text: 'Your code is 111111' }];
    const sign =
      '<form method="post" action="/sign/sig-1"><input class="otp" name="otp"><button>Sign</button></form>';
    const ask = '<form method="post" action="/sign/sig-1/code"><button>Send me a code</button></form>';
    const page = ({ method, path, body }: Seen) => {
      if (path.endsWith('/code')) {
        mails.push({ to: anna.email, subject: 'Code', text: 'Your code is 222222' });
        return html(sign);
      }
      if (method === 'POST') return body === 'otp=222222' ? done : refused;
      return html(ask + sign);
    };
    await withSite({ page, mails }, async (driver) => {
      expect(await driver.act(anna, 'sign', 'right')).toMatchObject({ kind: 'done' });
    });
  });

  test('are entered in their order, and character by character where the page wants it so', async () => {
    const both = personWith({ otpType: otpType.emailAndSms });
    const mails = [
      { to: both.email, subject: 'Code', text: 'Your code is 1111' },
      { to: both.mobileNumber, subject: 'SMS', text: 'Your code is 2222' },
    ];
    const boxes = [1, 2, 3, 4].map((at) => `<input class="otp" name="c${at}" maxlength="1">`).join('');
    await withSite({ ...posts('one=1111&two=2222', twoCodes), mails, sms: true }, async (driver) => {
      expect(await driver.act(both, 'sign', 'right')).toMatchObject({ kind: 'done' });
    });
    await withSite({ ...posts('c1=1&c2=1&c3=1&c4=1', boxes), mails }, async (driver) => {
      expect(await driver.act(anna, 'sign', 'right')).toMatchObject({ kind: 'done' });
    });
  });

  test('that are left out or wrong are refused by the page, or kept back by the browser', async () => {
    const required = '<input class="otp" name="otp" required>';
    await withSite(posts('otp=1', '<input class="otp" name="otp">'), async (driver) => {
      expect(await driver.act(anna, 'sign', 'none')).toMatchObject({ kind: 'refused' });
      expect(await driver.act(anna, 'sign', 'wrong')).toMatchObject({ kind: 'refused' });
    });
    await withSite(posts('otp=1', required), async (driver, seen) => {
      const reason = 'the page keeps its form back: a field has to be filled';
      expect(await driver.act(anna, 'sign', 'none')).toMatchObject({ kind: 'refused', reason });
      expect(seen.some(({ method }) => method === 'POST')).toBe(false);
    });
  });

  test('that cannot be read make the outcome unknown, also when the page refuses', async () => {
    const both = personWith({ otpType: otpType.emailAndSms });
    const mails = [{ to: both.email, subject: 'Code', text: 'Your code is 1111' }];
    await withSite({ ...posts('', twoCodes), mails }, async (driver) => {
      const outcome = await driver.act(both, 'sign', 'right');
      expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('no outbox.sms') });
    });
    await withSite(posts('', twoCodes), async (driver) => {
      expect(await driver.act(anna, 'sign', 'right')).toMatchObject({ kind: 'unknown' });
    });
  });

  test('may stand before the page that offers to sign', async () => {
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
    await withSite({ page, changes: { submitCodes: '.go' } }, async (driver) => {
      expect(await driver.act(person, 'sign', 'right')).toMatchObject({ kind: 'done' });
      expect(await driver.act(person, 'sign', 'wrong')).toMatchObject({ kind: 'refused' });
      expect(await driver.act(person, 'sign', 'none')).toMatchObject({ kind: 'refused' });
    });
  });
});

test('a person is led to the page by the link in the e-mail, and a question of the page is answered', async () => {
  const anna = personWith();
  const mails: Mail[] = [];
  const page = ({ method }: Seen): Reply =>
    method === 'POST'
      ? done
      : html('<form method="post" onsubmit="return confirm(1)"><button>Sign</button></form>');
  await withSite({ page, mails, changes: { url: undefined } }, async (driver, _seen, baseUrl) => {
    mails.push({ to: anna.email, subject: 'Sign', html: `<p><a href="${baseUrl}/sign/x">Open</a></p>` });
    expect(await driver.act(anna, 'sign', 'right')).toMatchObject({ kind: 'done' });
    const outcome = await driver.act(personWith({ email: 'nobody@example.com' }), 'sign', 'right');
    expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('no link was found') });
  });
});

test('a view shows the visible text, the document and what is offered', async () => {
  const inside = '<p>For  your\n eyes</p><p hidden>secret</p><a class="document" href="#">a.pdf</a>';
  const page = () => html(`${inside}<button>Sign</button><button class="approve" disabled>Approve</button>`);
  await withSite({ page }, async (driver, seen) => {
    expect(await driver.view(personWith())).toEqual({
      kind: 'seen',
      text: expect.stringMatching(/^Contract For your eyes a\.pdf ?Sign ?Approve$/),
      document: true,
      offers: ['sign'],
      exchanges: [],
    });
    expect(seen.every(({ method }) => method === 'GET')).toBe(true);
  });
});

test('without a browser every outcome is unknown, with the remedy', async () => {
  const env = { CHROMIUM_PATH: '/nowhere/chromium' };
  const driver = createBrowserDriver({
    settings,
    baseUrl: 'http://127.0.0.1:9',
    outbox: null,
    readyMs: 0,
    chromium: createChromium({ ignoreHTTPSErrors: false, env }),
  });
  const reason = 'CHROMIUM_PATH="/nowhere/chromium" is no program that can be run; correct it or unset it';
  expect(await driver.act(personWith(), 'sign', 'right')).toEqual({ kind: 'unknown', reason, exchanges: [] });
  expect(await driver.view(personWith())).toEqual({ kind: 'unknown', reason, exchanges: [] });
  await driver.close();
});

test('a program that is no browser is named', async () => {
  const env = { CHROMIUM_PATH: process.execPath };
  const none = createChromium({ ignoreHTTPSErrors: false, env });
  await expect(none.context()).rejects.toThrow(/could not be started \(.*\); install Chromium/);
  expect(chromiumPath('', env)).toBe(process.execPath);
});

test('a page that nobody serves is unknown', async () => {
  await withSite({ page: () => done, changes: { url: 'http://127.0.0.1:9/' } }, async (driver) => {
    const outcome = await driver.act(personWith(), 'sign', 'right');
    expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('could not be used') });
  });
});
