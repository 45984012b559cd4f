/** Pages of the reference service and of signing by hand, in a real browser: what happens there, that texts of others stay texts, and the look of all of them. */
import { expect, type Page, test } from '@playwright/test';
import { startManualServer } from '../../harness/people/manual-server.ts';
import { type ManualTask, manualPage } from '../../harness/people/manual-task.ts';
import { type ReferenceClient, signatoryBody, skeletonBody, withReference } from './reference-client.ts';
import { Flow, somebody } from './reference-flow.ts';
import { browserOfTests, expectGoodLooks, withPage } from './services/report-page.ts';
import { personWith } from './signing-people.ts';

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

test('on pages at each width and in both colors axe finds nothing, nothing overflows and texts stay texts', async () => {
  await withReference({}, async (client) => {
    const link = await sent(client);
    const { baseUrl } = client.reference;
    const check = async (page: Page) => {
      for (const url of [`${baseUrl}/`, `${baseUrl}/_outbox`, link]) {
        await page.goto(url);
        await expect(page.getByText(hostile).first()).toBeVisible();
        expect(await page.title()).not.toBe('owned');
        await expectGoodLooks(page);
      }
      await expect(page.getByRole('button', { name: 'Sign' })).toHaveClass('first');
      await expect(page.getByRole('button', { name: 'Decline' })).toHaveClass('other');
    };
    await withPage(link, check, { bypassCSP: true });
  });
});

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

/** Ways out of text, attributes, styles and scripts. */
const ways = [
  '<script>window.ran=1</script>',
  '<img src=x onerror="window.ran=1">',
  '"><svg onload="window.ran=1">',
  "' onmouseover='window.ran=1",
  '</title></style></pre><iframe srcdoc="<script>parent.ran=1</script>">',
  '&lt;b&gt;{{7*7}}',
].join(' ');

/** Opens a page, and fails when anything of it ran, was loaded, or became an element. */
async function inspect(url: string): Promise<Page> {
  const page = await (await browserOfTests()).newPage();
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    return dialog.dismiss();
  });
  await page.goto(url);
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
  expect(
    await page.locator('script, img, svg, iframe, object, embed, [onerror], [onload], [onmouseover]').count(),
  ).toBe(0);
  expect(dialogs).toEqual([]);
  // Nothing but the page itself; a browser asks for a favicon by itself.
  expect(loaded.filter((each) => each !== url && !each.endsWith('/favicon.ico'))).toEqual([]);
  return page;
}

test('the login page of the reference service shows what it is asked as text', async () => {
  await withReference({ dialect: { tokenClient: 'none' } }, async ({ reference }) => {
    const query = new URLSearchParams({
      client_id: reference.credentials.clientId,
      redirect_uri: 'http://127.0.0.1:9/',
      scope: ways,
      state: ways,
    });
    const page = await inspect(`${reference.authorizationEndpoint}?${query}`);
    await expect(page.getByRole('main')).toContainText(ways);
    await expect(page.locator('input[name=state]')).toHaveValue(ways);
    await page.close();
  });
});

test('the page of signing by hand shows what the target gave as text, nothing invisible, and no link to a script', async () => {
  const task = { ...personWith({ name: `${ways} \u202eelpmaxE`, email: ways, requestId: ways }), order: 1 };
  const link = "javascript:void(opener.document.title='ran')";
  const listed: ManualTask = {
    ...{ number: 1, task, act: 'sign', codes: 'right', link },
    ...{ listedMs: 0, endMs: 60_000 },
  };
  const server = await startManualServer({ page: () => manualPage([listed], 0), answer: () => undefined });
  const page = await inspect(server.url);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(`Request ${ways}`);
  await expect(page.getByRole('listitem')).toContainText(`${ways} \\u{202e}elpmaxE`);
  await expect(page.getByRole('link')).toHaveCount(0);
  await page.close();
  await server.close();
});
