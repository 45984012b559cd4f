/** Playwright reporter of a round in which failed checks run again: leaves their results in a file. */
import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import type { CheckResult } from './check-result.ts';
import { resultsOf, words } from './reported.ts';

/** What the file holds. */
export interface RoundFile {
  readonly results: readonly CheckResult[];
  readonly problems: readonly string[];
}

export default class ConfirmReporter implements Reporter {
  private readonly file: string;
  private readonly results: CheckResult[] = [];
  private readonly problems: string[] = [];

  constructor({ file }: { readonly file: string }) {
    this.file = file;
  }

  printsToStdio(): boolean {
    return true;
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === 'interrupted') return;
    this.results.push(...resultsOf(test, result, (problem) => this.problems.push(problem)));
  }

  onError(error: TestError): void {
    this.problems.push(words(error));
  }

  onEnd(): void {
    const content: RoundFile = { results: this.results, problems: this.problems };
    writeFileSync(this.file, JSON.stringify(content));
  }
}
