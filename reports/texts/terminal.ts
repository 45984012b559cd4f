/** A finished run as text for the terminal: table by area, findings, and the verdict in the last lines. */
import { styleText } from 'node:util';
import Table from 'cli-table3';
import { areaOf } from '../../openapi/requirements/catalogue.ts';
import { counted } from '../../record/counted.ts';
import { inLine } from '../../record/visible.ts';
import { causesOf, profileLine, stoppedLine } from '../concluding/causes.ts';
import { deviationLine, entriesToChange, entriesToLookAt } from '../concluding/deviations-judge.ts';
import {
  acceptedDeviations,
  allOf,
  column,
  columns,
  columnsOf,
  countRequirements,
} from '../concluding/outcome.ts';
import { recheckLines } from '../concluding/recheck.ts';
import { ownLine, standing } from '../concluding/scope.ts';
import type { Counts, Run, RunVerdict } from '../run/run.ts';
import { cut, firstOf, leftThere, seconds, unattributed, unlocked } from '../run/words.ts';
import { circumstances, driftLines, driftSummary } from './drift-text.ts';
import { exploredLines } from './explored.ts';
import { brief, type Explanation, explanations, heading } from './failure.ts';

type Style = Extract<Parameters<typeof styleText>[0], string>;
const colours: Record<RunVerdict, Style> = {
  conformant: 'green',
  partial: 'green',
  nonconformant: 'red',
  incomplete: 'yellow',
  error: 'magenta',
};

/** Longest line of a finding; index.html and run.json have the whole. */
const widest = 400;

type Paint = (style: Style, text: string) => string;

/** Words, or words in colour where the output can show it. */
export function painter(stream: NodeJS.WriteStream): Paint {
  const plain = !stream.isTTY || Boolean(process.env.NO_COLOR);
  return (style, text) => (plain ? text : styleText(style, text, { validateStream: false }));
}

export function terminalText(run: Run, paint: Paint): string {
  const failed = allOf(run).filter((each) => column(each) === 'failed');
  const warnings = [...entriesToLookAt(run), ...unattributed(run), ...run.warnings];
  return [
    table(run),
    ...block(paint('magenta', 'WHAT BROKE'), indented(run.problems)),
    ...block(paint('magenta', 'ERROR IN A CHECK'), explanations(run, 'error').flatMap(errorLines)),
    ...block(
      paint('red', 'FAILED'),
      failed.flatMap((each) => [heading(each), ...indented(brief(each, run))]),
    ),
    ...block(
      paint('yellow', 'COULD NOT RUN'),
      causesOf(run).flatMap((each) => [
        stoppedLine(each),
        ...indented([each.says, profileLine(each) ?? []].flat()),
      ]),
    ),
    ...block('EXPLORED', indented(exploredLines(run))),
    ...block(
      'ACCEPTED DEVIATIONS',
      acceptedDeviations(run).flatMap((each) => [heading(each), ...indented([deviationLine(each)])]),
    ),
    ...block(paint('red', 'TO CHANGE IN THE DEVIATIONS FILE'), indented(entriesToChange(run))),
    ...driftSince(run, paint),
    ...recheck(run),
    ...warnings.map((line) => `${paint('yellow', 'warning')}  ${short(line)}`),
    ...unlocks(run),
    '',
    ...[ownLine(run) ?? []].flat(),
    verdictLine(run, paint),
  ].join('\n');
}

function block(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ['', title, ...lines] : [];
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${short(line)}`);

/** A line made harmless and shortened: text of others cannot move the cursor, change colors, or begin a line that looks like one of ours. */
function short(line: string): string {
  const shown = inLine(line);
  return cut(shown, widest, ` … (${shown.length} characters, whole in run.json)`);
}

function driftSince({ baseline, drift, ...run }: Run, paint: Paint): string[] {
  if (!baseline || !drift) return [];
  const title = `DRIFT since ${baseline.startedAt}: ${driftSummary(drift)}`;
  const gates = drift.some(({ gating }) => gating);
  const lines = [...circumstances({ before: baseline, after: run }), ...driftLines(drift)];
  return ['', gates ? paint('red', title) : title, ...indented(lines)];
}

function recheck({ recheck: found }: Run): string[] {
  return found ? ['', `RECHECK of the run of ${found.startedAt}`, ...indented(recheckLines(found))] : [];
}

function errorLines({ requirements, lines }: Explanation): string[] {
  const [first] = requirements;
  const ids = requirements.map(({ id }) => id);
  const title = first && ids.length === 1 ? heading(first) : `${ids.length} requirements: ${firstOf(ids, 4)}`;
  return [title, ...indented(lines)];
}

function table(run: Run): string {
  const shown = columnsOf(run);
  const rows = new Table({
    head: ['area', ...shown.map((name) => columns[name])],
    colAligns: ['left', ...shown.map(() => 'right' as const)],
    style: { head: [], border: [], compact: true },
  });
  const add = (title: string, counts: Counts['requirements']) =>
    rows.push([title, ...shown.map((name) => counts[name])]);
  for (const area of new Set(run.requirements.map(({ id }) => areaOf(id))))
    add(area, countRequirements(run.requirements.filter(({ id }) => areaOf(id) === area)));
  add('all', run.counts.requirements);
  if (run.own) add(`${run.own.prefix} (own)`, run.own.counts);
  return rows.toString();
}

/** Keys that would make more checkable; not shown while nothing has passed, since then something else has to be fixed first. */
function unlocks(run: Run): string[] {
  if (run.unlocks.length === 0 || run.counts.musts.passed === 0) return [];
  const all = unlocked(run.unlocks);
  const alone = all.filter((each) => each.alone > 0);
  const shown = alone.length > 0 ? alone : all;
  const others = all.length - shown.length;
  const width = shown.reduce((most, { key }) => Math.max(most, key.length), 0);
  return [
    '',
    'In the target profile these keys would make more requirements applicable:',
    ...shown.map(({ key, says, requirements }) =>
      inLine(`  ${key.padEnd(width)}  ${says}: ${firstOf(requirements, 1)}`),
    ),
    ...(others > 0
      ? [
          `  and ${counted(others, 'key')} that help${others === 1 ? 's' : ''} only together with these: see the page`,
        ]
      : []),
  ];
}

/** `conformant: 93 of 93 applicable musts passed (112 in all) · 260 calls · 31 signature requests · 4.2 s`. */
export function verdictLine(run: Run, paint: Paint = (_, text) => text): string {
  const { musts, requirements, exchanges, signatureRequestsCreated } = run.counts;
  const left = leftThere(run.created).filter(({ kind }) => kind === 'request').length;
  return [
    `${paint('bold', paint(colours[run.verdict], standing(run)))}: ${musts.passed} of ${musts.applicable} applicable musts passed (${musts.all} in all)`,
    ...(requirements.deviation > 0 ? [counted(requirements.deviation, 'accepted deviation')] : []),
    counted(exchanges, 'call'),
    `${counted(signatureRequestsCreated, 'signature request')}${left > 0 ? `, ${left} left there` : ''}`,
    seconds(run.durationMs),
    short(run.target.name),
  ].join(' · ');
}
