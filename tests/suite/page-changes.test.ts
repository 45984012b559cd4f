/** What came before a run, on its page: accepted deviations, drift, a recheck, and documents that calls fetched. */
import { expect, test } from '@playwright/test';
import type { RecordedBody } from '../../record/exchange.ts';
import { page as render } from '../../reports/page/page.ts';
import { flowsOf } from '../../reports/run/timeline.ts';
import { changed, varied } from './reports-page-sample.ts';
import { exchange, record, result, results, run } from './reports-sample.ts';
import { pageOf, withPage } from './services/report-page.ts';

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

test('documents that calls fetched stand in the timeline of their flow, with size and pages', async ({}, info) => {
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
  await withPage(`${pageOf(given, info)}#flow-two-signers`, async (page) => {
    const told = page.locator('#flow-two-signers .timeline');
    await expect(told).toContainText('documents fetched: download');
    await expect(told).toContainText('PDF, 34.2 kB, 3 pages');
    await expect(told).toContainText('PDF, 34.2 kB, cannot be read');
    await expect(page.getByRole('link', { name: 'documents fetched: download' }).first()).toHaveAttribute(
      'href',
      '#exchange-2',
    );
  });
});
