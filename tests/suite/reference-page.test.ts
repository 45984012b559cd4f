/** The signing page and the outbox of the reference service in a real browser. */
import { expect, type Page, test } from '@playwright/test';
import { type ReferenceClient, withReference } from './reference-client.ts';
import {
  approver,
  byAccessCode,
  byBoth,
  byEmail,
  bySms,
  cc,
  Flow,
  mobileNumber,
  somebody,
} from './reference-flow.ts';
import { browserOfTests } from './services/report-page.ts';

test.describe.configure({ mode: 'default' });

/** Opens the signing page of a person, as the link in their e-mail has it. */
async function open(flow: Flow, name: string): Promise<Page> {
  const mails = await flow.mails(`${name}@example.com`);
  const page = await (await browserOfTests()).newPage();
  await page.goto(mails.find(({ link }) => link !== null)?.link ?? 'about:blank');
  return page;
}

const part = (page: Page, name: string) => page.locator(`[data-part=${name}]`);

test('a signer reads, signs and is done', async () => {
  await withReference({}, async (client: ReferenceClient) => {
    const person = somebody('only', { PrivateMessage: 'Only <for> you' });
    const flow = await Flow.create(client, [person], { Title: 'A & B', Message: 'Please\nsign' });
    await flow.send();
    const page = await open(flow, 'only');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('A & B');
    await expect(part(page, 'message')).toHaveText('Please\nsign');
    await expect(part(page, 'name')).toHaveText('Name of only');
    await expect(part(page, 'private-message')).toHaveText('Only <for> you');
    const link = await part(page, 'document').getAttribute('href');
    const document = await page.request.get(new URL(link ?? '', page.url()).href);
    expect([document.headers()['content-type'], (await document.body()).subarray(0, 5).toString()]).toEqual([
      'application/pdf',
      '%PDF-',
    ]);
    await page.getByRole('button', { name: 'Sign' }).click();
    await expect(part(page, 'done')).toBeVisible();
    await expect(page.getByRole('button')).toHaveCount(0);
    expect(await flow.isCompleted()).toBe(true);
    await page.close();
  });
});

test('an approver approves and is not offered to sign; a decline ends the request', async () => {
  await withReference({}, async (client) => {
    const flow = await Flow.create(client, [
      somebody('judge', approver),
      somebody('signer'),
      somebody('reader', cc),
    ]);
    await flow.send();
    const judge = await open(flow, 'judge');
    await expect(judge.getByRole('button')).toHaveText(['Approve', 'Decline']);
    await judge.getByRole('button', { name: 'Approve' }).click();
    await expect(part(judge, 'done')).toBeVisible();
    const signer = await open(flow, 'signer');
    await signer.getByRole('button', { name: 'Decline' }).click();
    await expect(part(signer, 'closed')).toHaveText('This request is declined.');
    expect((await flow.mails('reader@example.com')).length).toBe(0);
    for (const page of [judge, signer]) await page.close();
  });
});

const ways: readonly (readonly [string, Record<string, unknown>])[] = [
  ['e-mail', byEmail],
  ['SMS', bySms],
  ['e-mail and SMS', byBoth],
];
for (const [title, otp] of ways) {
  test(`a one-time password by ${title} is asked for, sent and taken`, async () => {
    await withReference({ dialect: { otpBoth: 'two-codes' } }, async (client) => {
      const flow = await Flow.create(client, [somebody('only', otp)]);
      await flow.send();
      const page = await open(flow, 'only');
      await page.getByRole('button', { name: 'Sign' }).click();
      await expect(part(page, 'refused')).toBeVisible();
      await page.getByRole('button', { name: 'Send me the code' }).click();
      await expect(part(page, 'notice')).toBeVisible();
      const outbox = await (await browserOfTests()).newPage();
      await outbox.goto(`${client.reference.baseUrl}/_outbox`);
      const codeTo = async (to: string) => {
        const row = outbox.getByRole('row').filter({ hasText: to }).filter({ hasText: 'one-time password' });
        return (await row.count()) > 0 ? /is (\d{6})/.exec(await row.first().innerText())?.[1] : undefined;
      };
      const codes = [await codeTo('only@example.com'), await codeTo(mobileNumber)].filter(
        (each) => each !== undefined,
      );
      for (const [at, code] of codes.entries()) await page.getByRole('textbox').nth(at).fill(code);
      await page.getByRole('button', { name: 'Sign' }).click();
      await expect(part(page, 'done')).toBeVisible();
      for (const each of [page, outbox]) await each.close();
    });
  });
}

test('the AccessCode is asked for, and a wrong one is refused', async () => {
  await withReference({}, async (client) => {
    const flow = await Flow.create(client, [somebody('only', byAccessCode)]);
    await flow.send();
    const page = await open(flow, 'only');
    await page.getByLabel('Access code').fill('another');
    await page.getByRole('button', { name: 'Sign' }).click();
    await expect(part(page, 'refused')).toBeVisible();
    await page.getByLabel('Access code').fill('open sesame');
    await page.getByRole('button', { name: 'Sign' }).click();
    await expect(part(page, 'done')).toBeVisible();
    await page.close();
  });
});

test('the page of another is not found, and a link works for its own request only', async () => {
  await withReference({}, async (client) => {
    const flow = await Flow.create(client, [somebody('only')]);
    await flow.send();
    const page = await open(flow, 'only');
    const url = page.url();
    expect((await page.goto(`${url}x`))?.status()).toBe(404);
    expect((await page.request.get(`${url}/documents/7`)).status()).toBe(404);
    await client.send('DELETE', `/_control/requests/${flow.requestId}`);
    expect((await page.goto(url))?.status()).toBe(404);
    await page.close();
  });
});
