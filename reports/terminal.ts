/** A finished run as text for the terminal: table per area, findings, and the verdict in the last lines. */

import { styleText } from 'node:util';
import Table from 'cli-table3';
import { areaOf } from '../openapi/requirements/catalogue.ts';
import { visible } from '../record/visible.ts';
import { causesOf, profileLine, stoppedLine } from './causes.ts';
import { deviationLine, entriesToChange, entriesToLookAt } from './deviations-judge.ts';
import { circumstances, driftLines, driftSummary } from './drift-text.ts';
import { exploredLines } from './explored.ts';
import { brief, findings, heading } from './failure.ts';
import { acceptedDeviations, allOf, column } from './outcome.ts';
import { recheckLines } from './recheck.ts';
import type { Counts, Run, RunVerdict } from './run.ts';
import { ownLine, standing } from './scope.ts';
import { counted, firstOf, unattributed } from './words.ts';

type Style = Extract<Parameters<typeof styleText>[0], string>;
type Column = keyof Counts['requirements'];

const titles: Record<Column, string> = {
  passed: 'passed',
  failed: 'failed',
  deviation: 'deviation',
  'could-not-run': 'could not run',
  error: 'error',
  'not-applicable': 'not applicable',
  notTestable: 'not testable',
};

const colours: Record<RunVerdict, Style> = {
  conformant: 'green',
  partial: 'green',
  nonconformant: 'red',
  incomplete: 'yellow',
  error: 'magenta',
};

/** Longest line of a finding; what is longer stands whole in index.html and run.json. */
const widest = 400;

/** Words, or words in colour where the output can show it. */
export function painter(
  stream: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv = process.env,
): (style: Style, text: string) => string {
  const plain = !stream.isTTY || Boolean(env.NO_COLOR);
  return (style, text) => (plain ? text : styleText(style, text, { validateStream: false }));
}

/** All that is printed at the end of a run, without a line break at its end. */
export function terminalText(run: Run, paint: (style: Style, text: string) => string): string {
  return [
    table(run),
    ...problems(run, paint),
    ...errors(run, paint),
    ...failures(run, paint),
    ...stopped(run, paint),
    ...explored(run),
    ...deviations(run, paint),
    ...drift(run, paint),
    ...recheck(run),
    ...entriesToLookAt(run).map((line) => `${paint('yellow', 'warning')}  ${cut(line)}`),
    ...unattributed(run).map((line) => `${paint('yellow', 'warning')}  ${cut(line)}`),
    ...run.warnings.map((warning) => `${paint('yellow', 'warning')}  ${cut(warning)}`),
    ...unlocks(run),
    '',
    ...[ownLine(run) ?? []].flat(),
    verdictLine(run, paint),
  ].join('\n');
}

function table(run: Run): string {
  const shown = (Object.keys(titles) as Column[]).filter(
    (name) =>
      name === 'passed' ||
      name === 'failed' ||
      run.counts.requirements[name] + (run.own?.counts[name] ?? 0) > 0,
  );
  const rows = new Table({
    head: ['area', ...shown.map((name) => titles[name])],
    colAligns: ['left', ...shown.map(() => 'right' as const)],
    style: { head: [], border: [], compact: true },
  });
  const areas = new Map<string, Map<Column, number>>();
  for (const requirement of run.requirements) {
    const counts = areas.get(areaOf(requirement.id)) ?? new Map<Column, number>();
    areas.set(areaOf(requirement.id), counts);
    counts.set(column(requirement), (counts.get(column(requirement)) ?? 0) + 1);
  }
  for (const [area, counts] of areas) rows.push([area, ...shown.map((name) => counts.get(name) ?? 0)]);
  rows.push(['all', ...shown.map((name) => run.counts.requirements[name])]);
  if (run.own) rows.push([`${run.own.prefix} (own)`, ...shown.map((name) => run.own?.counts[name] ?? 0)]);
  return rows.toString();
}

function errors(run: Run, paint: (style: Style, text: string) => string): string[] {
  const found = findings(run, 'error');
  if (found.length === 0) return [];
  return [
    '',
    paint('magenta', 'ERROR IN THE SUITE'),
    ...found.flatMap(({ requirements: [first, ...more], lines }) => [
      ...(first && more.length === 0 ? [heading(first)] : []),
      ...(first && more.length > 0 ? [`${more.length + 1} requirements: ${names([first, ...more])}`] : []),
      ...lines.map((line) => `  ${cut(line)}`),
    ]),
  ];
}

function failures(run: Run, paint: (style: Style, text: string) => string): string[] {
  const failed = allOf(run).filter((each) => column(each) === 'failed');
  if (failed.length === 0) return [];
  const lines = failed.flatMap((each) => [
    heading(each),
    ...brief(each, run).map((line) => `  ${cut(line)}`),
  ]);
  return ['', paint('red', 'FAILED'), ...lines];
}

function stopped(run: Run, paint: (style: Style, text: string) => string): string[] {
  const causes = causesOf(run);
  if (causes.length === 0) return [];
  return [
    '',
    paint('yellow', 'COULD NOT RUN'),
    ...causes.flatMap((each) => [
      stoppedLine(each),
      ...[each.says, profileLine(each) ?? ''].filter(Boolean).map((line) => `  ${cut(line)}`),
    ]),
  ];
}

function explored(run: Run): string[] {
  const lines = exploredLines(run);
  return lines.length > 0 ? ['', 'EXPLORED', ...lines.map((line) => `  ${cut(line)}`)] : [];
}

function deviations(run: Run, paint: (style: Style, text: string) => string): string[] {
  const accepted = acceptedDeviations(run);
  const changes = entriesToChange(run);
  return [
    ...(accepted.length > 0 ? ['', 'ACCEPTED DEVIATIONS'] : []),
    ...accepted.flatMap((each) => [heading(each), `  ${cut(deviationLine(each))}`]),
    ...(changes.length > 0 ? ['', paint('red', 'TO CHANGE IN THE DEVIATIONS FILE')] : []),
    ...changes.map((line) => `  ${cut(line)}`),
  ];
}

function drift(run: Run, paint: (style: Style, text: string) => string): string[] {
  const { baseline, drift: found } = run;
  if (!baseline || !found) return [];
  const title = `DRIFT since ${baseline.startedAt}: ${driftSummary(found)}`;
  const gating = found.some((each) => each.gating);
  return [
    '',
    gating ? paint('red', title) : title,
    ...circumstances({ before: baseline, after: run }).map((line) => `  ${cut(line)}`),
    ...driftLines(found).map((line) => `  ${cut(line)}`),
  ];
}

function recheck(run: Run): string[] {
  if (!run.recheck) return [];
  return [
    '',
    `RECHECK of the run of ${run.recheck.startedAt}`,
    ...recheckLines(run.recheck).map((line) => `  ${cut(line)}`),
  ];
}

function names(requirements: readonly { readonly id: string }[]): string {
  return firstOf(
    requirements.map(({ id }) => id),
    4,
  );
}

function problems(run: Run, paint: (style: Style, text: string) => string): string[] {
  if (run.problems.length === 0) return [];
  return ['', paint('magenta', 'WHAT BROKE'), ...run.problems.map((problem) => `  ${cut(problem)}`)];
}

/** Where nothing has passed yet, something else is to be done first. */
function unlocks(run: Run): string[] {
  if (run.unlocks.length === 0 || run.counts.musts.passed === 0) return [];
  const width = Math.max(...run.unlocks.map(({ key }) => key.length));
  return [
    '',
    'In the target profile these keys would make more requirements applicable:',
    ...run.unlocks.map(({ key, requirements }) => {
      const number = String(requirements.length).padStart(2);
      return `  ${key.padEnd(width)}  ${number}: ${firstOf(requirements, 1)}`;
    }),
  ];
}

/** `conformant: 93 of 93 applicable musts passed (112 in all) · 260 calls · 31 signature requests · 4.2 s`. */
export function verdictLine(
  run: Run,
  paint: (style: Style, text: string) => string = (_, text) => text,
): string {
  const { musts, exchanges, signatureRequestsCreated } = run.counts;
  return [
    `${paint('bold', paint(colours[run.verdict], standing(run)))}: ${musts.passed} of ${musts.applicable} applicable musts passed (${musts.all} in all)`,
    counted(exchanges, 'call'),
    counted(signatureRequestsCreated, 'signature request'),
    `${(run.durationMs / 1000).toFixed(1)} s`,
    run.target.name,
  ].join(' · ');
}

/** What a target said cannot move the cursor or change colours. */
function cut(line: string): string {
  const shown = visible(line);
  if (shown.length <= widest) return shown;
  return `${shown.slice(0, widest)} … (${shown.length} characters, whole in run.json)`;
}
