/** Playwright reporter of the dialect runs: nothing may fail, and what could not run has to be expected. */
import { writeFileSync } from 'node:fs';
import type { FullResult, Reporter, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { attachmentName, type CheckResult } from '../reports/check-result.ts';
import type { Verdict } from '../reports/verdict.ts';
import { expected } from './dialects-expected.ts';

interface Found {
  readonly row: string;
  readonly id: string;
  readonly verdict: Verdict;
  readonly message: string;
}

export default class DialectsReporter implements Reporter {
  private readonly found: Found[] = [];
  private readonly counts = new Map<string, Record<string, number>>();
  private readonly file: string | undefined;

  constructor(options: { readonly file?: string }) {
    this.file = options.file;
  }

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

  async onEnd({ status }: FullResult): Promise<{ status: FullResult['status'] }> {
    if (this.file) writeFileSync(this.file, `${JSON.stringify(this.found, null, 2)}\n`);
    for (const [row, counts] of this.counts) {
      const told = Object.entries(counts).map(([verdict, count]) => `${count} ${verdict}`);
      process.stdout.write(`${row}: ${told.join(', ')}\n`);
    }
    const bad = this.found.filter((each) => !isExpected(each));
    for (const { row, id, verdict, message } of bad) {
      process.stdout.write(`${row}: ${verdict} ${id}\n    ${message.replaceAll('\n', '\n    ')}\n`);
    }
    const rows = new Set(bad.map(({ row }) => row));
    process.stdout.write(`${this.counts.size - rows.size} passed, ${rows.size} failed\n`);
    // Tests that could not run count as failed with Playwright: here the verdicts decide.
    return { status: bad.length === 0 && status !== 'interrupted' ? 'passed' : 'failed' };
  }
}

function isExpected({ row, verdict, message }: Found): boolean {
  const bare = row.startsWith('bare-');
  return (
    verdict === 'could-not-run' && expected.some((each) => (bare || !each.bare) && each.says.test(message))
  );
}
