/** Measures the page of a run with a thousand failures: its size, and how soon a browser shows it; `npx tsx bench/page.ts`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { page as render } from '../reports/page/page.ts';
import { styleFile, styleSheet } from '../reports/page/shell.ts';
import { large } from '../tests/suite/reports-page-sample.ts';
import { browserOfTests } from '../tests/suite/services/report-page.ts';

const most = { bytes: 1_200_000, ms: 500 };

const run = large(1);
const text = render(run);
const folder = mkdtempSync(join(tmpdir(), 'esign-page-'));
const browser = await browserOfTests();
try {
  writeFileSync(join(folder, 'index.html'), text);
  writeFileSync(join(folder, styleFile), styleSheet());
  const page = await browser.newPage();
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
    times.push(
      await page.evaluate(() => {
        const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
        return entry?.domContentLoadedEventEnd ?? Number.NaN;
      }),
    );
  }
  const bytes = Buffer.byteLength(text);
  const ms = Math.round(Math.min(...times));
  console.log(
    `${run.counts.requirements.failed} failures: ${bytes} bytes of ${most.bytes}, ${ms} ms of ${most.ms}`,
  );
  process.exitCode = bytes <= most.bytes && ms <= most.ms ? 0 : 1;
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
