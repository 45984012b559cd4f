/** Drift in words: for the terminal, and as Markdown for a pull request. */
import { counted } from '../../record/counted.ts';
import { inLine } from '../../record/visible.ts';
import type { BaselineHead, Drift } from '../run/run.ts';
import { code } from './markdown.ts';

interface Sides {
  readonly before: BaselineHead;
  readonly after: BaselineHead;
}

export const causeWords = {
  target: '',
  suite: 'another version of the suite',
  unclear: 'the version of the suite changed too',
} as const;

/** `2 differences that gate, 1 difference that does not gate`. */
export function driftSummary(drift: readonly Drift[]): string {
  if (drift.length === 0) return 'no drift';
  const gating = drift.filter((each) => each.gating).length;
  const others = drift.length - gating;
  const parts = [
    ...(gating > 0 ? [counted(gating, 'difference that gates', 'differences that gate')] : []),
    ...(others > 0 ? [`${counted(others, 'difference that does', 'differences that do')} not gate`] : []),
  ];
  return parts.join(', ');
}

/** Differences between the two sides other than behaviour, a sentence each. */
export function circumstances({ before, after }: Sides): string[] {
  const changes = [
    ['target', before.target.name, after.target.name],
    ['suite', before.suite.version, after.suite.version],
    ['contract', before.contract.version, after.contract.version],
  ] as const;
  const told = changes
    .filter(([, one, other]) => one !== other)
    .map(([what, one, other]) => `the ${what} changed: ${one} before, ${other} now`);
  const profile =
    before.target.name === after.target.name && before.target.profileHash !== after.target.profileHash;
  return profile ? [...told, 'the target profile changed'] : told;
}

/** One line for each difference, those that gate first. */
export function driftLines(drift: readonly Drift[]): string[] {
  return ordered(drift).map((each) => {
    const { id, key, before, after, gating } = each;
    const why = causeWords[each.cause ?? 'target'];
    const line = `${gating ? 'gates ' : 'warns '} ${id}${key ? `  ${key}` : ''}: ${before} → ${after}`;
    return inLine(`${line}${why ? `  (${why})` : ''}`);
  });
}

export function driftText(sides: Sides, drift: readonly Drift[]): string {
  return [
    `before: ${sideLine(sides.before)}`,
    `after:  ${sideLine(sides.after)}`,
    ...circumstances(sides).map((line) => inLine(`        ${line}`)),
    ...(drift.length > 0 ? ['', ...driftLines(drift)] : []),
    '',
    driftSummary(drift),
  ].join('\n');
}

/** The same as Markdown, without a heading. */
export function driftMarkdown(drift: readonly Drift[], sides: Sides): string[] {
  const told = circumstances(sides).map((line) => `- ${code(line)}`);
  const since = `Since the run of ${sides.before.startedAt}: ${driftSummary(drift)}.`;
  const start = [since, ...(told.length > 0 ? ['', ...told] : [])];
  if (drift.length === 0) return start;
  return [
    ...start,
    '',
    '| gates | requirement or gap | | before | after |',
    '|---|---|---|---|---|',
    ...ordered(drift).map(({ id, key = '', before, after, gating, cause }) => {
      const why = causeWords[cause ?? 'target'];
      const cells = [code(id), key && code(key), code(before), code(after) + (why ? ` (${why})` : '')];
      return `| ${gating ? '**yes**' : 'no'} | ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    }),
  ];
}

function sideLine({ target, startedAt, suite }: BaselineHead): string {
  return inLine(`${target.name}, ${startedAt}, suite ${suite.version}`);
}

export function ordered(drift: readonly Drift[]): readonly Drift[] {
  return [...drift.filter(({ gating }) => gating), ...drift.filter(({ gating }) => !gating)];
}
