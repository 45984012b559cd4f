/** The report page for everybody: its script, keyboard, paper, a thousand checks, and what axe finds. */
import { expect, type Page, type TestInfo, test } from '@playwright/test';
import { page as render } from '../../reports/page/page.ts';
import { changed, few, large } from './reports-page-sample.ts';
import { pageOf, unfold, violationsOf, withPage } from './services/report-page.ts';

const entry = (page: Page, id: string) => page.locator(`[id="${id}"]`);
const shown = (page: Page) => page.locator('.requirement:visible');
type Options = NonNullable<Parameters<typeof withPage>[2]>;
const onPage = (info: TestInfo, options: Options, use: (page: Page) => Promise<void>) =>
  withPage(pageOf(few, info), use, options);

test('search narrows to what says all of the words, and hides parts that have nothing left', async ({}, info) => {
  await onPage(info, {}, async (page) => {
    await page.getByLabel('Search').fill('MobileNumber missing');
    await expect(entry(page, 'otp.mobile-required')).toBeVisible();
    await expect(entry(page, 'upload.pdf')).toBeHidden();
    await expect(page.locator('#operation-uploadDocument')).toBeHidden();
    await expect(page.getByRole('status')).toHaveText(
      new RegExp(`^\\d+ of ${few.requirements.length} requirements, \\d+ of \\d+ open questions$`),
    );
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect(entry(page, 'upload.pdf')).toBeVisible();
    await expect(page.getByRole('status')).toBeEmpty();
  });
});

test('filters show verdicts and levels alone', async ({}, info) => {
  await onPage(info, {}, async (page) => {
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
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('checkbox', { name: 'only musts' }).check();
    await expect(entry(page, 'upload.other-formats')).toBeHidden();
  });
});

test('fold and unfold act on what is shown', async ({}, info) => {
  await onPage(info, {}, async (page) => {
    await page.getByLabel('Search').fill('otp.mobile-required');
    await page.getByRole('button', { name: 'Fold', exact: true }).click();
    await expect(entry(page, 'otp.mobile-required')).not.toHaveAttribute('open');
    await page.getByRole('button', { name: 'Unfold' }).click();
    await expect(entry(page, 'otp.mobile-required')).toHaveAttribute('open');
    await expect(entry(page, 'upload.pdf')).not.toHaveAttribute('open');
  });
});

test('a deep link unfolds its requirement, also one that a filter hides', async ({}, info) => {
  await withPage(`${pageOf(few, info)}#upload.pdf`, async (page) => {
    await expect(entry(page, 'upload.pdf')).toHaveAttribute('open');
    await expect(entry(page, 'upload.pdf')).toBeInViewport();
    await page.getByRole('checkbox', { name: 'passed' }).uncheck();
    await expect(entry(page, 'otp.access-code')).toBeHidden();
    await page.evaluate(() => {
      location.hash = '#otp.access-code';
    });
    await expect(entry(page, 'otp.access-code')).toHaveAttribute('open');
    await expect(entry(page, 'otp.access-code')).toBeInViewport();
    // What stands in a group that is folded is unfolded with it.
    await page.evaluate(() => {
      location.hash = '#exchange-0';
    });
    await expect(page.locator('#exchange-0 pre').first()).toBeVisible();
  });
});

test('a script and a link are copied', async ({}, info) => {
  await onPage(info, { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
    const failed = entry(page, 'otp.mobile-required');
    await failed.getByText('Script for sh').click();
    await failed.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect(failed.getByRole('button', { name: 'Copied' })).toBeVisible();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    expect(await copied()).toMatch(/^#!\/bin\/sh\n# otp\.mobile-required: [\s\S]*\ncurl /);
    await failed.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(copied).toBe(`${page.url().replace(/#.*/, '')}#otp.mobile-required`);
  });
});

test('the lines that a profile lacks are copied with their comments, which do not wrap on a phone', async ({}, info) => {
  await onPage(
    info,
    { permissions: ['clipboard-read', 'clipboard-write'], viewport: { width: 360, height: 800 } },
    async (page) => {
      await page.getByText('What a profile would make checkable').click();
      const lines = page.locator('details.lines');
      await lines.getByText('Lines to add').click();
      await lines.getByRole('button', { name: 'Copy', exact: true }).click();
      await expect(lines.getByRole('button', { name: 'Copied' })).toBeVisible();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toMatch(/^ {2}deleteRequest: +# \{requestId\}\n {4}method: DELETE\n/);
      await expect(lines.locator('pre')).toHaveCSS('white-space', 'pre');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    },
  );
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

for (const [width, colorScheme] of [
  [360, 'light'],
  [1600, 'dark'],
] as const) {
  test(`axe finds nothing at ${width} px, ${colorScheme}`, async ({}, info) => {
    const check = async (page: Page) => {
      await unfold(page);
      expect(await violationsOf(page)).toEqual([]);
    };
    await withPage(pageOf(full, info), check, { colorScheme, viewport: { width, height: 900 } });
  });
}

test('a thousand checks open at once, filter at once, and take little room', async ({}, info) => {
  const run = large();
  expect(render(large(1)).length).toBeLessThan(1_200_000);
  const url = pageOf(run, info);
  await withPage(url, async (page) => {
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await page.reload();
      times.push(
        await page.evaluate(() => {
          const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
          return entry?.domContentLoadedEventEnd ?? Number.NaN;
        }),
      );
    }
    info.annotations.push({ type: 'milliseconds', description: times.map(Math.round).join(', ') });
    // About 150 ms on an idle machine; the bound is one that a busy machine keeps too.
    expect(Math.min(...times)).toBeLessThan(5_000);
    await page.getByLabel('Search').fill('otp.number-777');
    await expect(page.locator('.requirement:visible')).toHaveCount(1);
  });
});
