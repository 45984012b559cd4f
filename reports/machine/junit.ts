/** junit.xml: one test case for each requirement, one suite for each area. A case is red only if it affects the exit code. */
import { XMLBuilder } from 'fast-xml-parser';
import { areaOf } from '../../openapi/requirements/catalogue.ts';
import { inert } from '../../record/visible.ts';
import { deviationLine, entryGates, hasUnjudgedRows } from '../concluding/deviations-judge.ts';
import { allOf, column, gates } from '../concluding/outcome.ts';
import { deciding } from '../run/decisive.ts';
import type { Run, RunRequirement } from '../run/run.ts';
import { firstLine } from '../run/words.ts';
import { driftLines } from '../texts/drift-text.ts';
import { explain } from '../texts/failure.ts';

type Outcome = 'failure' | 'error' | 'skipped';

interface Case {
  readonly suite: string;
  /** Never changes, since servers follow a test case by it. */
  readonly name: string;
  readonly durationMs?: number;
  readonly properties?: Readonly<Record<string, string>>;
  /** Absent: it passed. The first line is the message. */
  readonly outcome?: { readonly is: Outcome; readonly type: string; readonly lines: readonly string[] };
}

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  suppressEmptyNode: true,
});

/** The run for tools that read JUnit. A requirement that could not run is an error there, never skipped. */
export function junitXml(run: Run): string {
  const cases = [...allOf(run).map((each) => caseOf(each, run)), ...beside(run)];
  const suites = [...new Set(cases.map(({ suite }) => suite))].map((suite) => {
    const own = cases.filter((each) => each.suite === suite);
    return { '@name': suite, ...totals(own), '@timestamp': run.startedAt, testcase: own.map(element) };
  });
  const name = inert(`${run.suite.name}: ${run.target.name}`);
  const whole = { '@name': name, ...totals(cases), testsuite: suites };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ testsuites: whole })}`;
}

function totals(cases: readonly Case[]): Record<string, string> {
  const count = (is: Outcome) => String(cases.filter(({ outcome }) => outcome?.is === is).length);
  const ms = cases.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0);
  return {
    '@tests': String(cases.length),
    '@failures': count('failure'),
    '@errors': count('error'),
    '@skipped': count('skipped'),
    '@time': seconds(ms),
  };
}

function element({ suite, name, durationMs = 0, properties = {}, outcome }: Case): object {
  const property = Object.entries(properties).map(([key, value]) => ({
    '@name': key,
    '@value': inert(value),
  }));
  const [message = ''] = outcome?.lines ?? [];
  return {
    '@classname': suite,
    '@name': name,
    '@time': seconds(durationMs),
    ...(property.length > 0 ? { properties: { property } } : {}),
    ...(outcome?.is === 'skipped' ? { skipped: { '@message': inert(message) } } : {}),
    ...(outcome && outcome.is !== 'skipped'
      ? {
          [outcome.is]: {
            '@message': inert(message),
            '@type': outcome.type,
            '#text': inert(outcome.lines.join('\n')),
          },
        }
      : {}),
  };
}

/** Seconds with three decimals: some readers take no exponents, and sums come out even. */
const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function caseOf(requirement: RunRequirement, run: Run): Case {
  const { id, level, verdict, statement, checks } = requirement;
  const is = outcomeOf(requirement, run);
  return {
    suite: areaOf(id),
    name: id,
    durationMs: Math.round(checks.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    properties: { requirement: id, statement, level, verdict },
    ...(is ? { outcome: { is, type: verdict, lines: linesOf(requirement, run) } } : {}),
  };
}

function outcomeOf(requirement: RunRequirement, run: Run): Outcome | undefined {
  switch (column(requirement)) {
    case 'passed':
      return undefined;
    case 'not-applicable':
    case 'notTestable':
      return 'skipped';
    case 'deviation':
      return hasUnjudgedRows(requirement) && !requirement.newer ? 'error' : 'skipped';
    case 'failed':
      return gates(requirement, run) ? 'failure' : 'skipped';
    case 'could-not-run':
      return requirement.newer ? 'skipped' : 'error';
    default:
      return 'error';
  }
}

/** The lines of an outcome: first what was expected and received, or why nothing was judged. */
function linesOf(requirement: RunRequirement, run: Run): readonly string[] {
  const { notTestable, reason, verdict } = requirement;
  if (verdict === 'not-applicable') return [notTestable ?? reason ?? verdict];
  if (column(requirement) === 'deviation') return [deviationLine(requirement)];
  return [firstLine(deciding(requirement).says || verdict), ...explain(requirement, run)];
}

/** Cases for everything besides requirements that makes a run red. */
function beside(run: Run): readonly Case[] {
  const red = (suite: string, name: string, is: Outcome, lines: readonly string[]) =>
    lines.map((line): Case => ({ suite, name, outcome: { is, type: run.verdict, lines: [line] } }));
  const { entries, stale } = run.deviations ?? { entries: [], stale: 'fail' };
  const toChange = entries.filter((each) => entryGates(each, stale)).map(({ says = '' }) => says);
  const gating = (run.drift ?? []).filter((each) => each.gating);
  const found = [
    ...red('suite', 'The suite works', 'error', run.problems),
    ...red('deviations', 'The deviations file is up to date', 'failure', toChange),
    ...red('drift', 'No drift that gates', 'failure', driftLines(gating)),
    ...red('suite', 'The run reaches its end', 'error', run.interrupted ? ['the run was interrupted'] : []),
  ];
  const isRed = allOf(run).some((each) => ['failure', 'error'].includes(outcomeOf(each, run) ?? ''));
  if (run.exitCode === 0 || isRed || found.length > 0) return found;
  return red('suite', 'The run proves something', 'error', ['no requirement that counts passed']);
}
