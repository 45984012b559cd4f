/** index.html in a real browser: complete without a script, inert, and the same on a phone. */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, expect, test } from '@playwright/test';
import { findBrowser } from '../../bin/browser.mjs';
import { gaps } from '../../openapi/gaps/register.ts';
import { catalogue } from '../../openapi/requirements/catalogue.ts';
import { page as render } from '../../reports/page/page.ts';
import { exchange, failure, record, result, results, run } from './reports-sample.ts';

const payloads = [
  '<script>document.title = "owned"</script>',
  '"><img src=x onerror="document.title = \'owned\'">',
  '<svg onload="document.title = \'owned\'"></svg>',
  '</pre></details><style>body { display: none }</style>',
  '\u202etxet desrever\u202c \u0000 \u001b[31m',
];

const hostile = payloads.join('\n');
const said = { mediaType: 'text/html', size: 9, sha256: 'a', text: hostile };

const sample = run({
  record: record({
    target: { name: payloads[0] ?? '', baseUrl: 'http://127.0.0.1:1/<b>', profileHash: '' },
    warnings: [hostile],
    exchanges: [
      exchange(0, {
        row: hostile,
        response: { status: 200, reason: hostile, headers: [[hostile, hostile]], body: said },
        curl: hostile,
      }),
    ],
    observations: [
      { gap: 'skeleton.success-status', key: hostile, value: hostile, stability: 'stable', exchanges: [0] },
    ],
  }),
  results: results(
    failure('otp.sms', 0),
    result('otp.email', 'could-not-run', {
      message: hostile,
      timeline: [
        {
          at: '2026-01-02T03:04:05.678Z',
          kind: 'delivery',
          title: hostile,
          delivery: '7',
          verdict: 'failed',
          message: hostile,
        },
      ],
    }),
  ),
});

let browser: Browser;

test.beforeAll(async () => {
  const executablePath = process.env.CHROMIUM_PATH ?? findBrowser();
  browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    chromiumSandbox: process.getuid?.() !== 0,
  });
});

test.afterAll(async () => browser.close());

test('what a target said is shown as text and does nothing', async ({}, info) => {
  const file = info.outputPath('index.html');
  writeFileSync(file, render(sample));
  const page = await browser.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  await expect(page.locator('h1')).toHaveText(payloads[0] ?? '');
  expect(await page.title()).not.toBe('owned');
  expect(requests).toEqual([pathToFileURL(file).href]);
  expect(await page.locator('script, img, svg, [onload], [onerror]').count()).toBe(0);
  expect(await page.locator('style').count()).toBe(1);
  const answer = page.locator('#exchange-0 pre').nth(1);
  await expect(answer).toContainText('\\u{202e}txet desrever\\u{202c} \\u{0000} \\u{001b}[31m', {
    useInnerText: false,
  });
  await page.close();
});

test('without a script every requirement, gap and exchange can be reached by its anchor', async ({}, info) => {
  const file = info.outputPath('index.html');
  writeFileSync(file, render(sample));
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(pathToFileURL(file).href);
  const anchors = await page.locator('main [id]').evaluateAll((all) => all.map(({ id }) => id));
  expect(anchors).toEqual(expect.arrayContaining(catalogue.map(({ id }) => id)));
  expect(anchors).toEqual(expect.arrayContaining(gaps.map(({ id }) => `gap-${id}`)));
  expect(anchors.length).toBe(new Set(anchors).size);
  await expect(page.locator('[id="otp.sms"]')).toHaveAttribute('open', '');
  await expect(page.locator('[id="otp.sms"] pre').first()).toContainText('expected 400 · received 200 {}');
  await context.close();
});

test('every link on the page leads somewhere', () => {
  const text = render(sample);
  const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const links = [...text.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.filter((id) => !ids.has(id))).toEqual([]);
});

for (const width of [360, 1600]) {
  test(`nothing overflows on a screen of ${width} px`, async ({}, info) => {
    const file = info.outputPath('index.html');
    writeFileSync(file, render(sample));
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    await page.goto(pathToFileURL(file).href);
    await page.locator('details').evaluateAll((all) => {
      for (const each of all) each.setAttribute('open', '');
    });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.close();
  });
}

test('the timeline of a check is told line by line', () => {
  const text = render(sample);
  expect(text).toContain('What was done and what was delivered');
  expect(text).toMatch(/<li><code>03:04:05\.678<\/code> .*failed.*delivery 7: /);
});
