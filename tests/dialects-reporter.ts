/** Playwright reporter of the dialect runs: nothing may fail, and what could not run has to be expected. */
import { writeFileSync } from 'node:fs';
import type { FullResult, Reporter, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { attachmentName, type CheckResult } from '../reports/check-result.ts';
import type { Verdict } from '../reports/verdict.ts';

interface Found {
  readonly row: string;
  readonly id: string;
  readonly verdict: Verdict;
  readonly message: string;
}

export default class DialectsReporter implements Reporter {
  private readonly found: Found[] = [];
  private readonly counts = new Map<string, Record<string, number>>();

  printsToStdio(): boolean {
    return true;
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const row = test.parent.project()?.name ?? '';
    const handed = result.attachments
      .filter(({ name }) => name === attachmentName)
      .flatMap(({ body }) => JSON.parse(body?.toString('utf8') ?? '[]') as CheckResult[]);
    const counts = this.counts.get(row) ?? {};
    this.counts.set(row, counts);
    for (const { id, verdict, rows } of handed) {
      counts[verdict] = (counts[verdict] ?? 0) + 1;
      if (verdict === 'passed' || verdict === 'not-applicable') continue;
      for (const each of rows.filter((one) => one.verdict === verdict)) {
        this.found.push({ row, id, verdict, message: `${each.title}: ${each.message ?? ''}` });
      }
    }
    if (handed.length === 0 && result.status !== 'passed' && result.status !== 'skipped') {
      this.found.push({ row, id: test.title, verdict: 'error', message: result.error?.message ?? '' });
    }
  }

  onError(error: TestError): void {
    this.found.push({ row: 'none', id: 'the runner', verdict: 'error', message: error.message ?? '' });
  }

  async onEnd(): Promise<{ status: FullResult['status'] }> {
    for (const { row, id, verdict, message } of this.found) {
      if (verdict === 'could-not-run' && process.env.QUIET) continue;
      process.stdout.write(`${row}: ${verdict} ${id}\n    ${message.replaceAll('\n', '\n    ')}\n`);
    }
    for (const [row, counts] of this.counts) process.stdout.write(`${row} ${JSON.stringify(counts)}\n`);
    writeFileSync(process.env.ESIGN_DIALECTS_OUT ?? 'reports/out-dialects.json', JSON.stringify(this.found));
    const bad = this.found.filter(({ verdict }) => verdict !== 'could-not-run');
    process.stdout.write(`${this.counts.size} dialects, ${bad.length} failed\n`);
    return { status: bad.length === 0 ? 'passed' : 'failed' };
  }
}
