/** Pages that show what came from a request, in a real browser: it stays text, and nothing of it runs. */
import { expect, type Page, test } from '@playwright/test';
import { startManualServer } from '../../harness/people/manual-server.ts';
import type { ManualTask } from '../../harness/people/manual-task.ts';
import { manualPage } from '../../harness/people/manual-task.ts';
import { withReference } from './reference-client.ts';
import { browserOfTests } from './services/report-page.ts';
import { personWith } from './signing-people.ts';

/** Ways out of text, attributes, styles and scripts. */
const hostile = [
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
      scope: hostile,
      state: hostile,
    });
    const page = await inspect(`${reference.authorizationEndpoint}?${query}`);
    await expect(page.getByRole('main')).toContainText(hostile);
    await expect(page.locator('input[name=state]')).toHaveValue(hostile);
    await page.close();
  });
});

test('the page of signing by hand shows what the target gave as text, nothing invisible, and no link to a script', async () => {
  const task = {
    ...personWith({ name: `${hostile} \u202eelpmaxE`, email: hostile, requestId: hostile }),
    order: 1,
  };
  const link = "javascript:void(opener.document.title='ran')";
  const listed: ManualTask = {
    ...{ number: 1, task, act: 'sign', codes: 'right', link },
    ...{ listedMs: 0, endMs: 60_000 },
  };
  const server = await startManualServer({ page: () => manualPage([listed], 0), answer: () => undefined });
  const page = await inspect(server.url);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(`Request ${hostile}`);
  await expect(page.getByRole('listitem')).toContainText(`${hostile} \\u{202e}elpmaxE`);
  await expect(page.getByRole('link')).toHaveCount(0);
  await page.close();
  await server.close();
});
