/** junit.xml: one test case a requirement, one suite an area. */
import junitBuilder, { type Builder, type TestCase } from 'junit-report-builder';
import { areaOf } from '../openapi/requirements/catalogue.ts';
import { deviationLine, entriesToChange } from './deviations-text.ts';
import { driftLines } from './drift-text.ts';
import { explain } from './failure.ts';
import { column } from './outcome.ts';
import type { Run, RunRequirement } from './run.ts';

// The package's types describe a default export that its CommonJS file, as Node reads it, does not have.
const junit = junitBuilder as unknown as Builder;

/** The run for tools that read JUnit. What could not run is an error there, never skipped. */
export function junitXml(run: Run): string {
  const builder = junit.newBuilder().name(`${run.suite.name}: ${run.target.name}`);
  for (const area of new Set(run.requirements.map((requirement) => areaOf(requirement.id)))) {
    const own = run.requirements.filter((each) => areaOf(each.id) === area);
    const suite = builder
      .testSuite()
      .name(area)
      .timestamp(new Date(run.startedAt))
      .time(seconds({ checks: own.flatMap(({ checks }) => checks) }));
    for (const requirement of own) {
      const testCase = suite
        .testCase()
        .className(area)
        .name(`${requirement.id}: ${requirement.statement}`)
        .time(seconds(requirement))
        .property('requirement', requirement.id)
        .property('level', requirement.level)
        .property('verdict', requirement.verdict);
      outcome(testCase, requirement, run);
    }
  }
  for (const problem of run.problems) {
    builder
      .testSuite()
      .name('suite')
      .testCase()
      .className('suite')
      .name('The suite works')
      .error(xml(problem));
  }
  fails(builder, 'deviations', 'The deviations file is up to date', entriesToChange(run));
  fails(builder, 'drift', 'No drift that gates', driftLines((run.drift ?? []).filter((each) => each.gating)));
  return builder.build();
}

/** With three digits after the point: readers take no exponents. */
function seconds({ checks }: Pick<RunRequirement, 'checks'>): number {
  return Math.round(checks.reduce((sum, { durationMs }) => sum + durationMs, 0)) / 1000;
}

/** A test case that fails for each line: what turns a run red beside its requirements. */
function fails(builder: Builder, suite: string, name: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const suiteOfOurs = builder.testSuite().name(suite);
  for (const line of lines) suiteOfOurs.testCase().className(suite).name(name).failure(xml(line), 'failed');
}

function outcome(testCase: TestCase, requirement: RunRequirement, run: Run): void {
  const lines = explain(requirement, run).map(xml);
  const message = lines[0] ?? requirement.verdict;
  switch (requirement.verdict) {
    case 'passed':
      return;
    case 'not-applicable': {
      const why = requirement.notTestable ?? requirement.reason;
      testCase.skipped();
      if (why) testCase.property('reason', xml(why));
      return;
    }
    case 'failed':
      if (column(requirement) === 'deviation') {
        testCase.skipped();
        testCase.property('deviation', xml(deviationLine(requirement)));
        return;
      }
      testCase.failure(message, requirement.verdict).stacktrace(lines.join('\n'));
      return;
    default:
      testCase.error(message, requirement.verdict, lines.join('\n'));
  }
}

/** Without the characters that XML 1.0 cannot carry, not even escaped (lone surrogates among them). */
function xml(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
