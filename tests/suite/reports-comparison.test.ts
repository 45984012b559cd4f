/** The page that compares runs: what differs and what does not, and its filter, widths and accessibility in a browser. */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, type Page, type TestInfo, test } from '@playwright/test';
import { gaps } from '../../openapi/gaps/register.ts';
import { catalogue } from '../../openapi/requirements/catalogue.ts';
import {
  areShards,
  type Comparison,
  compareRuns,
  comparisonText,
} from '../../reports/comparison/compare-runs.ts';
import { comparisonPage } from '../../reports/comparison/comparison.ts';
import { exchange, failure, record, result, results, run } from './reports-sample.ts';
import { expectGoodLooks, withPage } from './services/report-page.ts';

const hostile = '"><img src=x onerror="document.title = \'owned\'"></td></table>\u202e';
const gap = 'skeleton.success-status';

const seen = (value: string | readonly string[], stability: 'stable' | 'volatile' = 'stable') => [
  { gap, key: 'status', value, stability, exchanges: [0] },
];

const target = (name: string) => ({ name, baseUrl: 'http://127.0.0.1:1', profileHash: name });

/** A run that saw this, and in which everything has passed. */
const saw = (...given: Parameters<typeof seen>) =>
  run({ record: record({ exchanges: [exchange(0)], observations: seen(...given) }) });

const one = saw('200');
const other = run({
  record: record({ target: target(hostile), exchanges: [exchange(0)], observations: seen('201') }),
  results: results(
    failure('otp.sms', 0),
    result('otp.email', 'could-not-run', { message: hostile }),
    result('create.template-200', 'not-applicable', { message: 'no templates' }),
  ),
});
const part = run({ record: record({ target: target('part') }), selection: ['otp.sms', 'otp.email'] });

const comparison = compareRuns([one, other, part]);
const pages = ['run-1/index.html', null, 'run-3/index.html'];

test('a name of megabytes stands in no cell as a whole', () => {
  const long = { ...one, target: target('x'.repeat(1_000_000)) };
  expect(comparisonText(compareRuns([one, long])).length).toBeLessThan(2_000);
});

test('what differs is what was judged otherwise or seen otherwise', () => {
  const differing = comparison.requirements.filter(({ differs }) => differs).map(({ id }) => id);
  // What could not run and what a selection left out differ from nothing.
  expect(differing.sort()).toEqual(['create.template-200', 'otp.sms']);
  expect(comparison.gaps.filter(({ differs }) => differs).map(({ id }) => id)).toEqual([gap]);
  expect(comparison.requirements.map(({ id }) => id)).toEqual(catalogue.map(({ id }) => id));
});

test('what changes from run to run is no difference, nor is the order of a list', () => {
  const alike = [
    [saw('10', 'volatile'), saw('20', 'volatile')],
    [saw(['a', 'b']), saw(['b', 'a'])],
  ] as const;
  for (const runs of alike) expect(compareRuns(runs).gaps.some(({ differs }) => differs)).toBe(false);
});

test('parts of one target are shards; full runs, other targets and other versions are compared', () => {
  const shard = (id: 'otp.sms' | 'otp.email') => run({ selection: [id] });
  expect(areShards([shard('otp.sms'), shard('otp.email')])).toBe(true);
  expect(areShards([one, one])).toBe(false);
  expect(areShards([shard('otp.sms'), one])).toBe(false);
  expect(areShards([shard('otp.sms'), part])).toBe(false);
  const newer = run({ selection: ['otp.email'], suite: { name: 'esign-conformance', version: '9.0.0' } });
  expect(areShards([shard('otp.sms'), newer])).toBe(false);
});

test('the terminal names the runs, what differs, and how much', () => {
  const lines = comparisonText(comparison).split('\n');
  expect(lines[0]).toMatch(/^1 · sample {2}conformant, \d+ of \d+ musts {2}2026/);
  expect(lines).toContain('otp.sms  passed | failed | passed');
  expect(lines.at(-1)).toBe(
    `2 of ${catalogue.length} requirements and 1 of ${gaps.length} open questions differ`,
  );
  expect(lines.join()).not.toContain('\u202e');
});

/** Enough rows of each kind for what is the same in all of them. */
const short: Comparison = {
  ...comparison,
  requirements: comparison.requirements.filter(({ id }) => /^(otp|create|service)\./.test(id)),
  gaps: comparison.gaps.filter(({ id }) => /^(skeleton|service)\./.test(id)),
};

function shown(
  info: TestInfo,
  use: (page: Page) => Promise<void>,
  options: Parameters<typeof withPage>[2] = {},
  given = comparison,
): Promise<void> {
  const file = info.outputPath('index.html');
  writeFileSync(file, comparisonPage(given, pages, true));
  return withPage(pathToFileURL(file).href, use, options);
}

const row = (page: Page, id: string) => page.locator(`[id="${id}"]`);

test('without a script each cell says its verdict and leads to its run, and the filter leaves what differs, or what has not passed', async ({}, info) => {
  const check = async (page: Page) => {
    const cells = row(page, 'otp.sms').locator('td');
    await expect(cells.nth(0)).toHaveText('passed');
    await expect(cells.nth(1)).toContainText('failed');
    await expect(cells.nth(1)).toContainText('expected 400 · received 200 {}');
    await expect(row(page, 'upload.pdf').locator('td').nth(2)).toHaveText('left out');
    const leadsTo = (name: string) => page.getByRole('link', { name, exact: true });
    await expect(leadsTo('3 · part')).toHaveAttribute('href', 'run-3/index.html');
    await expect(row(page, 'service.stamps-later').locator('td a').first()).toHaveAttribute(
      'href',
      'run-1/index.html#service.stamps-later',
    );
    expect(await page.locator('img, script').count()).toBe(0);

    await expect(page.getByLabel('only what differs')).toBeChecked();
    await page.getByLabel('only what differs').focus();
    await expect(row(page, 'otp.sms')).toBeVisible();
    await expect(row(page, 'otp.email')).toBeHidden();
    await expect(row(page, 'otp.access-code')).toBeHidden();
    await expect(row(page, `gap-${gap}`)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Upload a document' })).toBeHidden();
    await page.keyboard.press('ArrowRight');
    await expect(row(page, 'otp.email')).toBeVisible();
    await expect(row(page, 'otp.access-code')).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Open questions' })).toBeHidden();
    await page.keyboard.press('ArrowRight');
    await expect(row(page, 'otp.access-code')).toBeVisible();
  };
  await shown(info, check, { javaScriptEnabled: false });
});

test('at each width and in both colors nothing overflows and axe finds nothing', async ({}, info) => {
  // The page forbids scripts, those that the test brings included.
  await shown(info, expectGoodLooks, { bypassCSP: true }, short);
});
