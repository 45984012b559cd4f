/** Playwright reporter: collects the results of the checks and writes the run. */
import { relative, resolve } from 'node:path';
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import { contractVersion } from '../openapi/contract.ts';
import { gaps } from '../openapi/gaps/register.ts';
import { catalogue, checked, type RequirementId } from '../openapi/requirements/catalogue.ts';
import { assemble } from './assemble.ts';
import type { CheckResult } from './check-result.ts';
import { type Earlier, type EarlierOptions, readEarlier } from './earlier.ts';
import { tellGitHub, withoutCommands } from './github.ts';
import { suiteVersion } from './package.ts';
import { Progress } from './progress.ts';
import { emptyRecord, type RunRecord, shareResults, takeRecord } from './record.ts';
import { covered, isOurs, resultsOf, words } from './reported.ts';
import { painter, terminalText } from './terminal.ts';
import { writeReports } from './write.ts';

export interface CollectOptions {
  /** Folder for what the run leaves. */
  readonly out: string;
  /** Requirement ids to which the run is limited; absent: all. */
  readonly only?: readonly string[];
  readonly strict: boolean;
  readonly seed: number;
  /** Whether every expected check must be there. Playwright's own filters may leave some out otherwise. */
  readonly complete: boolean;
  /** What the run is held against. */
  readonly earlier?: EarlierOptions;
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
  private earlier: Earlier = {};
  private progress = new Progress(process.stdout, []);

  constructor(options: CollectOptions) {
    this.options = options;
  }

  printsToStdio(): boolean {
    return true;
  }

  onBegin(_: FullConfig, suite: Suite): void {
    const tests = suite.allTests();
    const ours = tests.filter(isOurs);
    this.active = this.options.complete || ours.length > 0;
    this.alone = ours.length === tests.length;
    // Before anything is written: what the run is held against may lie in the folder that it writes into.
    if (this.active) this.earlier = readEarlier(this.options.earlier ?? {});
    shareResults(this.results);
    this.loaded = [...new Set(ours.flatMap(covered))];
    if (this.active)
      this.progress = new Progress(process.stdout, this.selection() ?? checked.map(({ id }) => id));
  }

  onTestBegin(test: TestCase): void {
    this.begun = true;
    if (isOurs(test) && this.options.complete) this.progress.begin(test.title);
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
    if (!this.options.complete) return;
    for (const { id, verdict } of results) this.progress.end(id, verdict);
  }

  onStdErr(chunk: string | Buffer): void {
    if (!this.options.complete) return;
    this.progress.clear();
    process.stderr.write(chunk);
  }

  onError(error: TestError): void {
    this.problems.push(words(error));
  }

  async onEnd(result: FullResult): Promise<{ status?: FullResult['status'] } | undefined> {
    this.progress.clear();
    // With --list tests are named and none begins, although nothing went wrong: that is no run.
    const listed = !this.options.complete && !this.begun && result.status === 'passed';
    if (!this.active || listed) return undefined;
    const selection = this.selection();
    const run = assemble({
      catalogue,
      gaps,
      suite: suiteVersion(),
      contract: { version: contractVersion },
      record: takeRecord() ?? this.missingRecord(result),
      results: result.status === 'interrupted' ? this.results : [...this.results, ...this.skipped],
      ...(selection ? { selection } : {}),
      strict: this.options.strict,
      durationMs: Math.round(result.duration),
      interrupted: result.status === 'interrupted',
      problems: result.status === 'timedout' ? [...this.problems, 'the run took too long'] : this.problems,
      ...this.earlier,
    });
    const out = resolve(this.options.out);
    const files = writeReports(out, run);
    process.stdout.write(`${withoutCommands(terminalText(run, painter(process.stdout)))}\n`);
    process.stdout.write(`written to ${relative(process.cwd(), out) || '.'}: ${files.join(', ')}\n`);
    tellGitHub(run);
    if (!this.alone) return run.exitCode === 0 ? undefined : { status: 'failed' };
    return { status: run.exitCode === 0 ? 'passed' : 'failed' };
  }

  /** The ids that this run is about, when it is not about all of them. */
  private selection(): readonly string[] | undefined {
    if (this.options.only) return this.options.only;
    const everything = checked.every(({ id }) => this.loaded.includes(id));
    return this.options.complete || everything ? undefined : this.loaded;
  }

  private missingRecord(result: FullResult): RunRecord {
    // Interrupted before the first check asked for it, the host has recorded nothing.
    if (result.status !== 'interrupted') {
      this.problems.push('the run host ended without handing over what it recorded');
    }
    return {
      target: { name: 'unknown', baseUrl: '', profileHash: '' },
      seed: this.options.seed,
      startedAt: result.startTime.toISOString(),
      ...emptyRecord,
    };
  }
}
