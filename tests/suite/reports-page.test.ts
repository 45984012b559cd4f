/** index.html in a real browser: complete without a script, inert, and the same on a phone. */
import { expect, type Page, test } from '@playwright/test';
import { gaps } from '../../openapi/gaps/register.ts';
import { catalogue } from '../../openapi/requirements/catalogue.ts';
import { page as render } from '../../reports/page/page.ts';
import { changed } from './reports-page-changes.ts';
import { hostile, hostileName, varied } from './reports-page-sample.ts';
import { browserOfTests, pageOf, unfold, withPage } from './services/report-page.ts';

test('what a target said is shown as text and does nothing', async ({}, info) => {
  const url = pageOf(hostile, info);
  const context = await (await browserOfTests()).newContext();
  const page = await context.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(url);
  await unfold(page);
  await expect(page.locator('h1')).toHaveText(hostileName);
  expect(await page.title()).not.toBe('owned');
  expect(requests).toEqual([url]);
  expect(await page.locator('img, iframe, [onload], [onerror]').count()).toBe(0);
  expect(await page.locator('script').count()).toBe(1);
  expect(await page.locator('style').count()).toBe(1);
  const answer = page.locator('#exchange-0 pre').nth(1);
  await expect(answer).toContainText('\\u{202e}txet desrever\\u{202c} \\u{0000} \\u{001b}[31m', {
    useInnerText: false,
  });
  await context.close();
});

test('without a script every requirement, gap and exchange can be reached by its anchor', async ({}, info) => {
  const url = pageOf(varied, info);
  const check = async (page: Page) => {
    const anchors = await page.locator('main [id]').evaluateAll((all) => all.map(({ id }) => id));
    expect(anchors).toEqual(expect.arrayContaining(catalogue.map(({ id }) => id)));
    expect(anchors).toEqual(expect.arrayContaining(gaps.map(({ id }) => `gap-${id}`)));
    expect(anchors).toEqual(expect.arrayContaining(varied.exchanges.map(({ index }) => `exchange-${index}`)));
    expect(anchors.length).toBe(new Set(anchors).size);
    const failed = page.locator('[id="otp.mobile-required"]');
    await expect(failed).toHaveAttribute('open', '');
    await expect(failed.locator('.outcome-of')).toHaveText('expected400received200 {}');
    await expect(failed.getByText('the accepted twin has it')).toBeVisible();
    await expect(page.locator('#finder')).toBeHidden();
  };
  await withPage(url, check, { javaScriptEnabled: false });
});

for (const [title, run] of [
  ['the page', varied],
  ['the page of a run with deviations and drift', changed],
] as const) {
  test(`every link on ${title} leads somewhere`, () => {
    const text = render(run);
    const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...text.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(catalogue.length);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
  });
}

for (const width of [360, 1600]) {
  test(`nothing overflows on a screen of ${width} px`, async ({}, info) => {
    for (const run of [varied, hostile]) {
      await withPage(
        pageOf(run, info),
        async (page) => {
          await unfold(page);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        },
        { viewport: { width, height: 800 } },
      );
    }
  });
}

test('a flow is drawn, told in a table, and shows what was attached', async ({}, info) => {
  await withPage(pageOf(varied, info), async (page) => {
    const flow = page.locator('#flow-two-signers');
    await expect(
      flow.getByRole('img', { name: /^Timeline of two signers: 3 lines .*1 of them wrong/ }),
    ).toBeVisible();
    await expect(flow.locator('svg .bar.wrong text').first()).toHaveText('✗ delivery 0: event 3');
    await unfold(page);
    await expect(flow.locator('tbody tr').nth(1)).toContainText('allowed: event 3, after the last event 2');
    const wrong = flow.locator('tbody tr').nth(2);
    await expect(wrong).toContainText('03:04:05.900');
    await expect(wrong).toContainText('signed.pdf, 34.2 kB, 2 pages');
    await expect(wrong.getByRole('link')).toHaveAttribute('href', '#delivery-0');
    await expect(
      page.locator('[id="events.process-completed-last"]').getByRole('link', { name: 'two signers' }),
    ).toHaveAttribute('href', '#flow-two-signers');
  });
});
