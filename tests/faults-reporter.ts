/** Playwright reporter of the fault runs: which requirements each fault turned red, and whether it was its own. */
import { writeFileSync } from 'node:fs';
import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { faults } from '../reference/faults.ts';
import { attachmentName, type CheckResult } from '../reports/check-result.ts';

interface Row {
  readonly fault: string;
  readonly failed: string[];
  readonly errors: string[];
  readonly couldNotRun: string[];
}

export default class FaultsReporter implements Reporter {
  private readonly rows = new Map<string, Row>();
  private readonly file: string;

  constructor(options: { readonly file: string }) {
    this.file = options.file;
  }

  printsToStdio(): boolean {
    return true;
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const fault = test.parent.project()?.name ?? '';
    const row = this.rows.get(fault) ?? { fault, failed: [], errors: [], couldNotRun: [] };
    this.rows.set(fault, row);
    const handed = result.attachments
      .filter(({ name }) => name === attachmentName)
      .flatMap(({ body }) => JSON.parse(body?.toString('utf8') ?? '[]') as CheckResult[]);
    for (const { id, verdict } of handed) {
      if (verdict === 'failed') row.failed.push(id);
      if (verdict === 'error') row.errors.push(id);
      if (verdict === 'could-not-run') row.couldNotRun.push(id);
    }
    if (handed.length === 0 && result.status === 'failed') row.errors.push(test.title);
    // Written as it grows: a run over all faults takes its time, and may be broken off.
    writeFileSync(this.file, `${JSON.stringify([...this.rows.values()], null, 2)}\n`);
  }

  async onEnd(): Promise<{ status: FullResult['status'] }> {
    const rows = [...this.rows.values()];
    const wrong = rows.filter((row) => !isExact(row));
    for (const { fault, failed, errors } of wrong) {
      process.stdout.write(
        `${fault}: red ${failed.join(', ') || 'nothing'}${errors.length > 0 ? `; errors ${errors.join(', ')}` : ''}\n`,
      );
    }
    writeFileSync(this.file, `${JSON.stringify(rows, null, 2)}\n`);
    process.stdout.write(`${rows.length - wrong.length} passed, ${wrong.length} failed\n`);
    return { status: wrong.length === 0 ? 'passed' : 'failed' };
  }
}

/** Its own requirement is red, and besides it only what the catalogue of faults declares. */
function isExact({ fault, failed, errors }: Row): boolean {
  const [requirement = ''] = fault.split('/');
  const entry: { readonly alsoRed?: Readonly<Record<string, string>> } | undefined =
    faults[fault as keyof typeof faults];
  const allowed = [requirement, ...Object.keys(entry?.alsoRed ?? {})];
  return errors.length === 0 && failed.includes(requirement) && failed.every((id) => allowed.includes(id));
}
