/** index.html in a real browser: complete without a script, for everybody, the same on a phone, and with what came before the run. That it is inert, security-reports.test.ts shows. */
import { readFileSync } from 'node:fs';
import { expect, type Page, type TestInfo, test } from '@playwright/test';
import { gaps } from '../../openapi/gaps/register.ts';
import { catalogue } from '../../openapi/requirements/catalogue.ts';
import type { RecordedBody } from '../../record/exchange.ts';
import { page as render } from '../../reports/page/page.ts';
import { styleFile } from '../../reports/page/shell.ts';
import { flowsOf } from '../../reports/run/timeline.ts';
import { changed, few, large, varied } from './reports-page-sample.ts';
import { exchange, record, result, results, run } from './reports-sample.ts';
import { serve } from './services/loopback.ts';
import { expectGoodLooks, pageOf, unfold, withPage } from './services/report-page.ts';

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

test('every link on the page of a run leads somewhere, also to deviations and drift', () => {
  for (const text of [varied, changed].map((each) => render(each))) {
    const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...text.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(catalogue.length);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
  }
});

test('the first screen of a phone has the verdict and what was expected; flows are told in words with bars, and what was attached', async ({}, info) => {
  const check = async (page: Page) => {
    await expect(page.locator('.word')).toBeInViewport();
    await expect(page.locator('.attention li').first()).toBeInViewport({ ratio: 1 });
    await expect(page.locator('.attention li').first()).toContainText('expected 400 → received 200 {}');
    await expect(page.locator('.numbers')).not.toContainText(/^0|without a result/);
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
  await onPage(info, { viewport: { width: 360, height: 740 } }, check);
});

test('links of a failure stay within it', async ({}, info) => {
  await onPage(info, {}, async (page) => {
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
  await onPage(info, { javaScriptEnabled: false }, check);
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

const entry = (page: Page, id: string) => page.locator(`[id="${id}"]`);
const shown = (page: Page) => page.locator('.requirement:visible');
type Options = NonNullable<Parameters<typeof withPage>[2]>;
const onPage = (info: TestInfo, options: Options, use: (page: Page) => Promise<void>) =>
  withPage(pageOf(few, info), use, options);

test('search and filters narrow to what is asked for, fold what is shown, and make way for a deep link', async ({}, info) => {
  await onPage(info, {}, async (page) => {
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.getByLabel('Search').fill('MobileNumber missing');
    await expect(entry(page, 'otp.mobile-required')).toBeVisible();
    await expect(entry(page, 'upload.pdf')).toBeHidden();
    await expect(page.locator('#operation-uploadDocument')).toBeHidden();
    await expect(page.getByRole('status')).toHaveText(
      new RegExp(`^\\d+ of ${few.requirements.length} requirements, \\d+ of \\d+ open questions$`),
    );
    await button('Fold').click();
    await expect(entry(page, 'otp.mobile-required')).not.toHaveAttribute('open');
    await button('Unfold').click();
    await expect(entry(page, 'otp.mobile-required')).toHaveAttribute('open');
    await expect(entry(page, 'upload.pdf')).not.toHaveAttribute('open');
    await button('Clear').click();
    await expect(entry(page, 'upload.pdf')).toBeVisible();
    await expect(page.getByRole('status')).toBeEmpty();

    await page.getByRole('checkbox', { name: 'passed' }).uncheck();
    await page.getByRole('checkbox', { name: 'not testable' }).uncheck();
    const left = await shown(page).evaluateAll((all) => all.map(({ id }) => id));
    expect(left.sort()).toEqual([
      'create.template-200',
      'events.process-completed-last',
      'otp.email',
      'otp.mobile-required',
      'otp.sms',
    ]);
    const goTo = (id: string) => page.evaluate((hash) => Object.assign(location, { hash }), id);
    await goTo('otp.access-code');
    await expect(entry(page, 'otp.access-code')).toHaveAttribute('open');
    await expect(entry(page, 'otp.access-code')).toBeInViewport();
    // What stands in a group that is folded is unfolded with it.
    await goTo('exchange-0');
    await expect(page.locator('#exchange-0 pre').first()).toBeVisible();
    await button('Clear').click();
    await page.getByRole('checkbox', { name: 'only musts' }).check();
    await expect(entry(page, 'upload.other-formats')).toBeHidden();
  });
});

test('scripts, links and the lines that a profile lacks are copied, and these do not wrap on a phone', async ({}, info) => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  await onPage(info, { permissions, viewport: { width: 360, height: 800 } }, async (page) => {
    const failed = entry(page, 'otp.mobile-required');
    await failed.getByText('Script for sh').click();
    await failed.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect(failed.getByRole('button', { name: 'Copied' })).toBeVisible();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    expect(await copied()).toMatch(/^#!\/bin\/sh\n# otp\.mobile-required: [\s\S]*\ncurl /);
    await failed.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(copied).toBe(`${page.url().replace(/#.*/, '')}#otp.mobile-required`);
    await page.getByText('What a profile would make checkable').click();
    const lines = page.locator('details.lines');
    await lines.getByText('Lines to add').click();
    await lines.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect(lines.getByRole('button', { name: 'Copied' })).toBeVisible();
    expect(await copied()).toMatch(/^ {2}deleteRequest: +# \{requestId\}\n {4}method: DELETE\n/);
    await expect(lines.locator('pre')).toHaveCSS('white-space', 'pre');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});

test('everything can be reached and worked by keyboard alone', async ({}, info) => {
  await onPage(info, {}, async (page) => {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'To the requirements' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.locator('#main')).toBeFocused();
    const first = entry(page, 'upload.pdf').locator('summary').first();
    await first.focus();
    await page.keyboard.press('Enter');
    await expect(entry(page, 'upload.pdf')).toHaveAttribute('open');
    await page.keyboard.press('Space');
    await expect(entry(page, 'upload.pdf')).not.toHaveAttribute('open');
    await page.getByLabel('Search').focus();
    await page.keyboard.type('otp.sms');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect(page.getByRole('checkbox').first()).not.toBeChecked();
    await expect(page.getByRole('checkbox').first()).toBeFocused();
  });
});

test('on paper what has not passed is unfolded, what has takes a line, and the controls are gone', async ({}, info) => {
  await onPage(info, { javaScriptEnabled: false }, async (page) => {
    const body = entry(page, 'otp.email').locator('.unfolded');
    await expect(body).toBeHidden();
    await page.emulateMedia({ media: 'print' });
    await expect(body).toBeVisible();
    await expect(entry(page, 'upload.pdf').locator('.unfolded')).toBeHidden();
    await expect(page.getByRole('navigation')).toBeHidden();
    await expect(page.locator('#flow-two-signers .timeline')).toBeVisible();
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
  });
});

/** With all that can stand on it. */
const full = {
  ...few,
  unlocks: [],
  deviations: changed.deviations,
  baseline: changed.baseline,
  drift: changed.drift,
  recheck: changed.recheck,
};

test('at each width and in both colors nothing overflows and axe finds nothing', async ({}, info) => {
  await withPage(pageOf(full, info), async (page) => {
    await unfold(page);
    await expectGoodLooks(page);
  });
});

test('a thousand checks open at once, filter at once, and take little room', async ({}, info) => {
  const run = large();
  expect(render(large(1)).length).toBeLessThan(1_200_000);
  const url = pageOf(run, info);
  await withPage(url, async (page) => {
    const ms = await page.evaluate(() => {
      const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      return entry?.domContentLoadedEventEnd ?? Number.NaN;
    });
    // About 150 ms on an idle machine; the bound is one that a busy machine keeps too.
    expect(ms).toBeLessThan(15_000);
    await page.getByLabel('Search').fill('otp.number-777');
    await expect(page.locator('.requirement:visible')).toHaveCount(1);
  });
});

test('deviations, drift and recheck are told and linked, on a phone too', async ({}, info) => {
  await withPage(
    pageOf(changed, info),
    async (page) => {
      const deviations = page.getByRole('region', { name: 'Deviations' });
      expect(await deviations.locator('tbody tr .status').allInnerTexts()).toEqual([
        'past its date',
        'not needed any more',
        'fails too often',
        'accepted',
        'accepted',
        'about other targets',
      ]);
      const rows = deviations.locator('tbody tr');
      await expect(rows.nth(0)).toContainText('deviations.yaml:13: otp.sms was accepted until 2026-01-01');
      await expect(rows.nth(1)).toContainText('otp.email passes now: remove the entry');
      await expect(rows.nth(2)).toContainText('failed in 10 of 10 further attempts');
      await expect(rows.nth(4)).toContainText('may fail in 20 % of attempts, and failed in 1 of 10');
      const ticket = rows.nth(3).getByRole('link', { name: /ESIGN-4711$/ });
      await expect(ticket).toHaveAttribute('href', 'https://tickets.example.com/browse/ESIGN-4711');

      const drift = page.getByRole('region', { name: 'Drift' });
      await expect(drift).toContainText('2 differences that gate, 4 differences that do not gate since');
      await expect(drift).toContainText('2025-12-24 08:00 UTC');
      await expect(drift.locator('tbody tr').first()).toContainText(/gates\s*upload\.docx/);
      await expect(drift.getByRole('link', { name: 'skeleton.success-status' })).toHaveAttribute(
        'href',
        '#gap-skeleton.success-status',
      );

      await page.getByRole('link', { name: '3 entries of the deviations file' }).click();
      await expect(deviations).toBeInViewport();
      await rows.nth(3).getByRole('link', { name: 'otp.mobile-required' }).click();
      const accepted = page.locator('[id="otp.mobile-required"]');
      await expect(accepted).toHaveAttribute('open');
      await expect(accepted.locator('.known')).toContainText('accepted until 2026-12-31 (integration team)');
      await expect(page.getByText('still failing')).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    },
    { viewport: { width: 360, height: 800 } },
  );
});

test('musts that failed stand at the top before any should, which is named as such', () => {
  const shoulds = catalogue.filter(({ level, ...each }) => level === 'should' && 'check' in each);
  const [first, ...others] = shoulds.map(({ id }) => result(id, 'failed'));
  expect(others.length).toBeGreaterThan(12);
  if (!first) return;
  const text = render(run({ results: results(first, ...others, result('events.all', 'failed')) }));
  const [, list = ''] = /<ul class="attention">(.*?)<\/ul>/s.exec(text) ?? [];
  const items = list.split('</li>');
  expect(items[0]).toContain('href="#events.all"');
  expect(items[0]).not.toContain('should');
  expect(items[1]).toContain('should</span>');
});

test('a target is not blamed for a deviations file that has to be changed', () => {
  const stale = changed.deviations?.entries.find(({ status }) => status === 'stale');
  if (!stale) throw new Error('the sample lacks its stale entry');
  const { status: _, says: __, ...entry } = stale;
  const given = run({ deviations: { file: 'deviations.yaml', stale: 'fail', entries: [entry] } });
  expect(given.verdict).toBe('nonconformant');
  const text = render(given);
  expect(text).toContain('No failure of this run counts against the target, but the file of accepted');
  expect(text).not.toContain('The target does something');
  expect(text).toContain('<a href="#deviations">An entry of the deviations file</a>');
});

test('documents that calls fetched stand in the timeline of their flow, with size and pages', () => {
  const called = (index: number, template: string, path: string, body: RecordedBody) =>
    exchange(index, {
      ...{ operation: null, template, purpose: 'template', startedAt: '2026-01-02T03:04:06.500Z' },
      request: { method: 'GET', url: `http://127.0.0.1:1${path}`, headers: [], body: null },
      response: { status: 200, reason: 'OK', headers: [], body },
    });
  const pdf = { mediaType: 'application/pdf', size: 34_200, sha256: 'c', text: '(not kept)' };
  const fetched = (index: number, path: string, pages: number | null) =>
    called(index, 'download', path, { ...pdf, documents: [{ size: 34_200, sha256: 'c', pages }] });
  const listed = '{"documents":["http:\\/\\/127.0.0.1:1\\/files\\/77"]}';
  const list = { mediaType: 'application/json', size: 1, sha256: 'd', text: listed };
  const given = run({
    record: record({
      exchanges: [
        exchange(0, { purpose: 'flow', row: 'two signers' }),
        called(1, 'completedDocuments', '/requests/r-1/documents', list),
        fetched(2, '/files/77', 3),
        fetched(3, '/requests/r-1/documents/1', null),
        fetched(4, '/elsewhere', 1),
      ],
      created: [{ kind: 'request', id: 'r-1', exchange: 0 }],
    }),
    results: results(
      result('events.process-completed-last', 'passed', {
        timeline: [
          { flow: 'two signers', kind: 'action', title: 'request created', at: '2026-01-02T03:04:05.000Z' },
        ],
      }),
    ),
  });
  const [flow] = flowsOf(given);
  expect(flow?.entries.map(({ exchange: index, attached }) => [index, attached?.[0]?.pages])).toEqual([
    [undefined, undefined],
    [2, 3],
    [3, undefined],
  ]);
  expect(flowsOf(varied)[0]?.entries).toHaveLength(3);
  const text = render(given);
  expect(text).toContain('documents fetched: download');
  expect(text).toContain('PDF, 34.2 kB, 3 pages');
  expect(text).toContain('PDF, 34.2 kB, cannot be read');
});
