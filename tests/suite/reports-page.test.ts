/** index.html in a real browser: complete without a script, and the same on a phone. That it is inert, security-reports.test.ts shows. */
import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { gaps } from '../../openapi/gaps/register.ts';
import { catalogue } from '../../openapi/requirements/catalogue.ts';
import { page as render } from '../../reports/page/page.ts';
import { styleFile } from '../../reports/page/shell.ts';
import { changed, few, varied } from './reports-page-sample.ts';
import { serve } from './services/loopback.ts';
import { pageOf, unfold, withPage } from './services/report-page.ts';

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
    await expect(failed.locator('.told').first()).toHaveText('expected400received200 {}');
    await expect(failed.getByText('only here')).toBeVisible();
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
    await withPage(
      pageOf(few, info),
      async (page) => {
        await unfold(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      },
      { viewport: { width, height: 800 } },
    );
  });
}

test('a flow is told in words with bars, also where it failed, and shows what was attached', async ({}, info) => {
  const check = async (page: Page) => {
    const failed = page.locator('[id="events.process-completed-last"] .timeline');
    for (const list of [failed, page.locator('#flow-two-signers .timeline')]) {
      await unfold(page);
      const lines = list.locator('li');
      await expect(lines.nth(1)).toContainText('allowed from here on: event 3, after the last event 2');
      await expect(lines.nth(2)).toHaveClass('delivery wrong');
      await expect(lines.nth(2)).toContainText('✗ event 3');
      await expect(lines.nth(2)).toContainText('900 ms after “request created”');
      await expect(lines.nth(2)).toContainText('signed.pdf, 34.2 kB, 2 pages');
      const bars = await list.locator('svg').evaluateAll((all) => all.map((each) => each.clientWidth));
      expect(Math.min(...bars)).toBeGreaterThan(200);
    }
    await expect(failed.locator('a')).toHaveCount(0);
    await expect(page.locator('#flow-two-signers .wrong a')).toHaveAttribute('href', '#delivery-0');
    await expect(page.locator('#delivery-0 summary')).toHaveText(
      'Callback 0: event 3, 900 ms after “request created” in the flow “two signers”',
    );
  };
  await withPage(pageOf(few, info), check, { viewport: { width: 360, height: 740 } });
});

test('the first screen of a phone has the verdict and what was expected and received', async ({}, info) => {
  const check = async (page: Page) => {
    await expect(page.locator('.word')).toBeInViewport();
    await expect(page.locator('.attention li').first()).toBeInViewport({ ratio: 1 });
    await expect(page.locator('.attention li').first()).toContainText('expected 400 → received 200 {}');
    await expect(page.locator('.numbers')).not.toContainText(/^0|without a result/);
  };
  await withPage(pageOf(few, info), check, { viewport: { width: 360, height: 740 } });
});

test('links of a failure stay within it', async ({}, info) => {
  await withPage(pageOf(few, info), async (page) => {
    const failed = page.locator('[id="otp.mobile-required"]');
    await expect(failed.locator('.pair').first()).toContainText('The accepted twin, exchange 0');
    await expect(failed.locator('.pair mark')).toHaveText([
      '    "OTP": {',
      '    "MobileNumber": "+12025550123"',
      '200 OK',
    ]);
    const links = await failed
      .locator('a[href^="#"]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    expect(links).toEqual(['#otp.mobile-required']);
  });
});

test('the answer to an open question stands in its row, and the table is filtered without a script', async ({}, info) => {
  const check = async (page: Page) => {
    const row = page.locator('[id="gap-skeleton.success-status"]');
    await expect(row.locator('td')).toContainText('status 201 ≠ 200 at the reference service');
    await expect(row).toHaveClass(/differs/);
    const rows = page.locator('.gap:visible');
    await expect(rows).toHaveCount(few.gaps.length);
    await page.getByLabel('what differs').check();
    await expect(rows).toHaveCount(1);
    await page.getByLabel('not answered', { exact: true }).check();
    await expect(rows).toHaveCount(few.gaps.length - 1);
  };
  await withPage(pageOf(few, info), check, { javaScriptEnabled: false });
});

test('under the policy of a CI server the page looks the same and can be read without its script', async ({}, info) => {
  pageOf(few, info);
  const policies = [undefined, "sandbox; default-src 'none'; img-src 'self'; style-src 'self'"];
  const looks: unknown[] = [];
  for (const policy of policies) {
    const server = await serve(({ url }, response) => {
      const name = url.slice(1);
      if (policy) response.setHeader('Content-Security-Policy', policy);
      response.setHeader('Content-Type', name === styleFile ? 'text/css' : 'text/html; charset=utf-8');
      response.end(readFileSync(info.outputPath(name === styleFile ? name : 'index.html')));
    });
    await withPage(
      `${server.baseUrl}/index.html`,
      async (page) => {
        await page.locator('[id="upload.pdf"] > summary').click();
        await expect(page.locator('[id="upload.pdf"] .unfolded')).toBeVisible();
        looks.push(await looksOf(page));
      },
      // The script adds its search where it may run.
      { javaScriptEnabled: policy !== undefined },
    );
    await server.close();
  }
  expect(looks[1]).toEqual(looks[0]);
});

/** Place, colour and type of what a style sheet shapes. */
function looksOf(page: Page): Promise<unknown> {
  return page
    .locator('.word, .attention li, .meter, .timeline rect, .gaps th, pre, .verdict')
    .evaluateAll((all) =>
      all.map((each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        const { color, font, fill, display } = getComputedStyle(each);
        return [x, y, width, height, color, font, fill, display].join(' ');
      }),
    );
}
