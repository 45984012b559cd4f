/** Playwright reporter: collects the results of the checks and writes the run. */
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import { checked, type RequirementId } from '../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../record/check-result.ts';
import { finishRun, missingRecord } from './finish.ts';
import { type RunRecord, takeRecord } from './record.ts';
import { covered, isOurs, resultsOf, words } from './reported.ts';

export interface CollectOptions {
  /** Folder for what the run leaves. */
  readonly out: string;
  readonly strict: boolean;
  readonly seed: number;
}

export default class Collector implements Reporter {
  private readonly options: CollectOptions;
  private readonly results: CheckResult[] = [];
  /** Of tests that ended as skipped without a word. */
  private readonly skipped: CheckResult[] = [];
  private readonly problems: string[] = [];
  private loaded: readonly RequirementId[] = [];
  private active = false;
  private alone = false;
  private begun = false;

  constructor(options: CollectOptions) {
    this.options = options;
  }

  printsToStdio(): boolean {
    return true;
  }

  onBegin(_: FullConfig, suite: Suite): void {
    const tests = suite.allTests();
    const ours = tests.filter(isOurs);
    this.active = ours.length > 0;
    this.alone = ours.length === tests.length;
    this.loaded = [...new Set(ours.flatMap(covered))];
  }

  onTestBegin(): void {
    this.begun = true;
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    if (!isOurs(test) || result.status === 'interrupted') return;
    const results = resultsOf(test, result, (problem) => this.problems.push(problem));
    if (result.status === 'skipped' && results.every(({ verdict }) => verdict === 'error')) {
      // Also what an interruption kept from running ends as skipped: only the end of the run tells.
      this.skipped.push(...results);
      return;
    }
    this.results.push(...results);
    if (covered(test).length === 0 && result.status === 'failed' && result.error) {
      this.problems.push(`${test.title}: ${words(result.error)}`);
    }
  }

  onError(error: TestError): void {
    this.problems.push(words(error));
  }

  async onEnd(result: FullResult): Promise<{ status?: FullResult['status'] } | undefined> {
    // With --list tests are named and none begins, although nothing went wrong: that is no run.
    const listed = !this.begun && result.status === 'passed';
    if (!this.active || listed) return undefined;
    const { out, strict } = this.options;
    const selection = this.selection();
    const { run } = finishRun(out, {
      record: takeRecord() ?? this.missingRecord(result),
      results: result.status === 'interrupted' ? this.results : [...this.results, ...this.skipped],
      ...(selection ? { selection } : {}),
      strict,
      durationMs: Math.round(result.duration),
      interrupted: result.status === 'interrupted',
      problems: result.status === 'timedout' ? [...this.problems, 'the run took too long'] : this.problems,
    });
    if (!this.alone) return run.exitCode === 0 ? undefined : { status: 'failed' };
    return { status: run.exitCode === 0 ? 'passed' : 'failed' };
  }

  /** The ids that Playwright's own filters left, when these are not all. */
  private selection(): readonly string[] | undefined {
    return checked.every(({ id }) => this.loaded.includes(id)) ? undefined : this.loaded;
  }

  private missingRecord(result: FullResult): RunRecord {
    // Interrupted before the first check asked for it, the host has recorded nothing.
    if (result.status !== 'interrupted') {
      this.problems.push('the run host ended without handing over what it recorded');
    }
    return missingRecord(this.options.seed, result.startTime.toISOString());
  }
}
