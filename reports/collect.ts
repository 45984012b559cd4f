/** Playwright reporter: collects the results of the checks and writes the run. */
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
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
import {
  catalogue,
  checked,
  isRequirementId,
  type RequirementId,
} from '../openapi/requirements/catalogue.ts';
import { assemble } from './assemble.ts';
import { attachmentName, type CheckResult, checkResultSchema } from './check-result.ts';
import { suiteVersion } from './package.ts';
import { Progress } from './progress.ts';
import { type RunRecord, takeRecord } from './record.ts';
import { mismatch } from './run-file.ts';
import { painter, terminalText } from './terminal.ts';
import { worst } from './verdict.ts';
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
}

/** Name of the project that holds the checks. */
const project = 'conformance';

export default class Collector implements Reporter {
  private readonly options: CollectOptions;
  private readonly results: CheckResult[] = [];
  private readonly problems: string[] = [];
  private loaded: readonly RequirementId[] = [];
  private active = false;
  private alone = false;
  private begun = false;
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
    const results = this.resultsOf(test, result);
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
      results: this.results,
      ...(selection ? { selection } : {}),
      strict: this.options.strict,
      durationMs: Math.round(result.duration),
      interrupted: result.status === 'interrupted',
      problems: result.status === 'timedout' ? [...this.problems, 'the run took too long'] : this.problems,
    });
    const out = resolve(this.options.out);
    const files = writeReports(out, run);
    process.stdout.write(`${terminalText(run, painter(process.stdout))}\n`);
    process.stdout.write(`written to ${relative(process.cwd(), out) || '.'}: ${files.join(', ')}\n`);
    if (!this.alone) return run.exitCode === 0 ? undefined : { status: 'failed' };
    return { status: run.exitCode === 0 ? 'passed' : 'failed' };
  }

  /** The ids that this run is about, when it is not about all of them. */
  private selection(): readonly string[] | undefined {
    if (this.options.only) return this.options.only;
    const everything = checked.every(({ id }) => this.loaded.includes(id));
    return this.options.complete || everything ? undefined : this.loaded;
  }

  private resultsOf(test: TestCase, result: TestResult): CheckResult[] {
    const handed = result.attachments.filter(({ name }) => name === attachmentName).flatMap(this.parse, this);
    const broke = result.status === 'failed' || result.status === 'timedOut';
    const explained = worst(handed.map(({ verdict }) => verdict));
    const silent = covered(test).filter((id) => !handed.some((each) => each.id === id));
    const failure = (id: RequirementId): CheckResult => ({
      id,
      title: test.title,
      verdict: 'error',
      message: result.error ? words(result.error) : `the test ended as ${result.status} without a result`,
      durationMs: Math.round(result.duration),
      rows: [],
    });
    // A test that fails although every result it handed over is fine broke somewhere outside its rows.
    const unexplained = broke && (explained === 'passed' || explained === 'not-applicable');
    const additional = unexplained ? covered(test) : silent;
    return [...handed, ...additional.map(failure)];
  }

  private parse(attachment: TestResult['attachments'][number]): CheckResult[] {
    const bytes = attachment.body ?? readFileSync(attachment.path ?? '');
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    const results = Array.isArray(value) ? value : [value];
    return results.filter((result): result is CheckResult => {
      const wrong = mismatch(checkResultSchema, result);
      if (wrong) this.problems.push(`a check handed over a result of the wrong shape: ${wrong}`);
      return wrong === undefined;
    });
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
      exchanges: [],
      deliveries: [],
      created: [],
      observations: [],
      answeredByProfile: [],
      retries: 0,
      warnings: [],
      unlocks: [],
    };
  }
}

function isOurs(test: TestCase): boolean {
  return test.parent.project()?.name === project;
}

/** The requirements that a test covers: its tags. */
function covered(test: TestCase): RequirementId[] {
  return test.tags.map((tag) => tag.slice(1)).filter(isRequirementId);
}

/** What Playwright says about an error, without colours and without the stack. */
function words(error: TestError): string {
  const text = stripVTControlCharacters(error.message ?? error.value ?? 'an error without a message');
  const place = error.location
    ? ` (${relative(process.cwd(), error.location.file)}:${error.location.line})`
    : '';
  return `${text.trim()}${place}`;
}
