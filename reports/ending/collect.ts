/** Playwright reporter: collects the results of checks from their tests, and writes the run. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
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
import { checked, isRequirementId, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import { attachmentName, type CheckResult, checkResultSchema } from '../../record/check-result.ts';
import { mismatch } from '../../record/own-files.ts';
import { worst } from '../../record/verdict.ts';
import { emptyRecord, type RunRecord, takeRecord } from '../assembling/record.ts';
import { finishRun } from './finish.ts';

interface CollectOptions {
  readonly out: string;
  readonly strict: boolean;
  readonly seed: number;
}

export default class Collector implements Reporter {
  private readonly options: CollectOptions;
  private readonly results: CheckResult[] = [];
  /** Results of tests that were skipped and gave no result. */
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
      // A test that an interruption prevented is skipped too, so only the end of the run shows which it was.
      this.skipped.push(...results);
      return;
    }
    this.results.push(...results);
    if (covered(test).length === 0 && result.status === 'failed' && result.error)
      this.problems.push(`${test.title}: ${words(result.error)}`);
  }

  onError(error: TestError): void {
    this.problems.push(words(error));
  }

  async onEnd(result: FullResult): Promise<{ status?: FullResult['status'] } | undefined> {
    // With --list no test begins although nothing went wrong: then there is no run.
    const listed = !this.begun && result.status === 'passed';
    if (!this.active || listed) return undefined;
    const { out, strict } = this.options;
    const selection = this.selection();
    const { run } = finishRun(out, {
      record: takeRecord() ?? this.missingRecord(result),
      results: result.status === 'interrupted' ? this.results : [...this.results, ...this.skipped],
      selection,
      strict,
      durationMs: Math.round(result.duration),
      interrupted: result.status === 'interrupted',
      problems: result.status === 'timedout' ? [...this.problems, 'the run took too long'] : this.problems,
    });
    if (!this.alone) return run.exitCode === 0 ? undefined : { status: 'failed' };
    return { status: run.exitCode === 0 ? 'passed' : 'failed' };
  }

  /** The ids that Playwright's own filters selected; `undefined` when these are all. */
  private selection(): readonly string[] | undefined {
    return checked.every(({ id }) => this.loaded.includes(id)) ? undefined : this.loaded;
  }

  private missingRecord(result: FullResult): RunRecord {
    // A run that was interrupted before the first check has no record, which is no error.
    if (result.status !== 'interrupted')
      this.problems.push('the run host ended without handing over what it recorded');
    const startedAt = result.startTime.toISOString();
    const target = { name: 'unknown', baseUrl: '', profileHash: '' };
    return { target, seed: this.options.seed, startedAt, ...emptyRecord };
  }
}

const project = 'conformance';

const isOurs = (test: TestCase): boolean => test.parent.project()?.name === project;

function covered(test: TestCase): RequirementId[] {
  return test.tags.map((tag) => tag.slice(1)).filter(isRequirementId);
}

/** The results of a test; an error for each requirement that it covers without giving a result. */
function resultsOf(test: TestCase, result: TestResult, complain: (problem: string) => void): CheckResult[] {
  const handed = result.attachments
    .filter(({ name }) => name === attachmentName)
    .flatMap((attachment) => parse(attachment, complain));
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
  // If a test fails although all its results are fine, something broke outside of its rows.
  const unexplained = broke && (explained === 'passed' || explained === 'not-applicable');
  const additional = unexplained ? covered(test) : silent;
  return [...handed, ...additional.map(failure)];
}

function parse(
  attachment: TestResult['attachments'][number],
  complain: (problem: string) => void,
): CheckResult[] {
  const bytes = attachment.body ?? readFileSync(attachment.path ?? '');
  const value: unknown = JSON.parse(bytes.toString('utf8'));
  const results = Array.isArray(value) ? value : [value];
  return results.filter((result): result is CheckResult => {
    const wrong = mismatch(checkResultSchema, result);
    if (wrong) complain(`a check handed over a result of the wrong shape: ${wrong}`);
    return wrong === undefined;
  });
}

/** Playwright's message about an error, without colors and without the stack. */
function words(error: TestError): string {
  const text = stripVTControlCharacters(error.message ?? error.value ?? 'an error without a message');
  const place = error.location
    ? ` (${relative(process.cwd(), error.location.file)}:${error.location.line})`
    : '';
  return `${text.trim()}${place}`;
}
