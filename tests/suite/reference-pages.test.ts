/** The pages of the reference service in a real browser: what happens there, signing links, and the look of all of them. */
import { expect, type Page, test } from '@playwright/test';
import { type ReferenceClient, signatoryBody, skeletonBody, withReference } from './reference-client.ts';
import { Flow, somebody } from './reference-flow.ts';
import { violationsOf, withPage } from './services/report-page.ts';

const hostile = '<script>document.title = "owned"</script> \u05e9\u05dc\u05d5\u05dd';

/** A request that is sent to somebody, with hostile texts; resolves with the address of their signing page. */
async function sent(client: ReferenceClient): Promise<string> {
  const documents = [await client.document()];
  const { json } = await client.create({ ...skeletonBody(documents), Title: hostile, Message: hostile });
  const requestId = String(json.requestId);
  await client.add(requestId, { ...signatoryBody, Name: hostile, PrivateMessage: hostile });
  await client.send('POST', `/_apis/sign/api/v2/requests/${requestId}/send`);
  const { text } = await client.send('GET', '/_outbox.json');
  return (JSON.parse(text) as { messages: { link: string }[] }).messages[0]?.link ?? '';
}

const look = async (page: Page): Promise<unknown> => {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return [await violationsOf(page), Math.max(0, wide)];
};

for (const [width, colorScheme] of [
  [360, 'dark'],
  [1600, 'light'],
] as const) {
  test(`on pages at ${width} px, ${colorScheme}, axe finds nothing, nothing overflows and texts stay texts`, async () => {
    await withReference({}, async (client) => {
      const link = await sent(client);
      const { baseUrl } = client.reference;
      const options = { viewport: { width, height: 800 }, colorScheme, bypassCSP: true };
      const check = async (page: Page) => {
        for (const url of [`${baseUrl}/`, `${baseUrl}/_outbox`, link]) {
          await page.goto(url);
          await expect(page.getByText(hostile).first()).toBeVisible();
          expect(await page.title()).not.toBe('owned');
          expect(await look(page), url).toEqual([[], 0]);
        }
        await expect(page.getByRole('button', { name: 'Sign' })).toHaveClass('first');
        await expect(page.getByRole('button', { name: 'Decline' })).toHaveClass('other');
      };
      await withPage(link, check, options);
    });
  });
}

test('the page shows calls with their answers as they come, and its tokens to nobody but this machine', async () => {
  await withReference({}, async (client) => {
    const { baseUrl, tokens } = client.reference;
    await withPage(`${baseUrl}/`, async (page) => {
      await expect(page.locator('#live')).toContainText('Nothing yet.');
      await expect(page.getByText(tokens.valid).first()).toBeVisible();
      await sent(client);
      const live = page.locator('#live');
      await expect(live.getByRole('row').filter({ hasText: 'invited' })).toBeVisible();
      await expect(live.getByRole('row').filter({ hasText: '/signatories' })).toContainText('"signatoryId":');
    });
    const relayed = await fetch(`${baseUrl}/`, { headers: { 'X-Forwarded-For': '203.0.113.9' } });
    expect(await relayed.text()).not.toContain(tokens.valid);
    expect((await fetch(`${baseUrl}/_contract.yaml`)).status).toBe(200);
  });
  await withReference({ publicUrl: 'https://esign.example' }, async ({ reference: { port, tokens } }) => {
    const tunnelled = await fetch(`http://127.0.0.1:${port}/`);
    expect(tunnelled.status).toBe(200);
    expect(await tunnelled.text()).not.toContain(tokens.valid);
  });
});

test('a signing link works for its own request only, and as long as that is there', async () => {
  await withReference({}, async (client) => {
    const link = await sent(client);
    const status = async (url: string) => (await fetch(url)).status;
    expect([await status(link), await status(`${link}x`), await status(`${link}/documents/7`)]).toEqual([
      200, 404, 404,
    ]);
    const form = new FormData();
    form.set('action', 'decline');
    // Whoever sends no action that is read here has not signed.
    for (const body of [form, 'action=fly', '']) {
      expect((await fetch(link, { method: 'POST', body })).status).toBe(400);
    }
    const { json } = await client.send('GET', '/_control/requests?state=sent');
    await client.send('DELETE', `/_control/requests/${json.requestId}`);
    const gone = await fetch(link);
    expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining('that was deleted.</p>')]);
  });
});

test('the pages lead to completed documents and older entries, and find words, without a script', async () => {
  await withReference({ dialect: { idForm: 'slash' } }, async (client) => {
    const flow = await Flow.create(client, [somebody('only')], { Title: 'A & B' });
    await flow.send();
    await flow.sign('only');
    const { baseUrl } = client.reference;
    const textOf = async (path: string) => (await fetch(baseUrl + path)).text();
    for (const path of ['/?find=a+%26+b&show=1', '/_outbox?show=1']) {
      const [, link = ''] = /Completed: <a href="([^"]+)"/.exec(await textOf(path)) ?? [];
      const document = await fetch(new URL(link, baseUrl));
      expect(document.headers.get('content-type'), path).toBe('application/pdf');
    }
    const calls = (text: string) => [...text.matchAll(/<code>\w+ [^<]*_apis/g)].length;
    const newest = await textOf('/?find=_apis&show=1');
    expect(newest).toContain('Nothing has these words.');
    expect(calls(newest)).toBe(1);
    expect(newest).toContain('href="?find=_apis&amp;show=5#calls"');
    expect(calls(await textOf('/?find=_apis&show=5'))).toBeGreaterThan(1);
  });
});
