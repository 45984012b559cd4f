/** summary.md: a run in Markdown, for a pull request or the summary of a job. */
import { findings, heading } from './failure.ts';
import type { Run } from './run.ts';
import { standing } from './standing.ts';

const columns = [
  'passed',
  'failed',
  'deviation',
  'could-not-run',
  'error',
  'not-applicable',
  'pending',
  'notTestable',
] as const;

/** How many findings of a verdict are written out. */
const most = 20;

/** The run in Markdown. What the target said stands in code blocks only, where it cannot be read as markup. */
export function summary(run: Run): string {
  const { counts } = run;
  return [
    `## ${standing(run)}`,
    '',
    `${code(run.target.name)} · ${counts.musts.passed} of ${counts.musts.applicable} applicable musts passed · ${counts.exchanges} calls · ${counts.signatureRequestsCreated} signature requests · ${(run.durationMs / 1000).toFixed(1)} s · ${run.startedAt}`,
    '',
    '| passed | failed | deviation | could not run | error | not applicable | pending | not testable |',
    '|---:|---:|---:|---:|---:|---:|---:|---:|',
    `| ${columns.map((name) => counts.requirements[name]).join(' | ')} |`,
    ...section(run, 'error', 'Errors of the suite', run.problems),
    ...section(run, 'failed', 'Failed'),
    ...section(run, 'could-not-run', 'Could not run'),
    ...(run.warnings.length > 0 ? ['', '### Warnings', '', ...fence(run.warnings)] : []),
    '',
  ].join('\n');
}

function section(
  run: Run,
  verdict: 'error' | 'failed' | 'could-not-run',
  title: string,
  more: readonly string[] = [],
): string[] {
  const found = findings(run, verdict);
  if (found.length === 0 && more.length === 0) return [];
  const left = found.length - most;
  return [
    '',
    `### ${title}`,
    ...(more.length > 0 ? ['', ...fence(more)] : []),
    ...found.slice(0, most).flatMap(({ requirements, lines }) => {
      const [first] = requirements;
      const ids = requirements.map(({ id }) => code(id)).join(', ');
      const title = requirements.length === 1 && first ? heading(first) : ids;
      return [
        '',
        title,
        '',
        ...(first?.statement && requirements.length === 1 ? [`> ${first.statement}`, ''] : []),
        ...fence(lines),
      ];
    }),
    ...(left > 0 ? ['', `… and ${left} more, in run.json and index.html.`] : []),
  ];
}

/** A code block whose fence is longer than any run of backticks inside. */
function fence(lines: readonly string[]): string[] {
  const mark = '`'.repeat(Math.max(3, backticks(lines.join('\n')) + 1));
  return [mark, ...lines, mark];
}

/** Text as code within a line. */
function code(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const longest = backticks(line);
  const mark = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return `${mark}${space}${line}${space}${mark}`;
}

/** Length of the longest run of backticks in a text. */
function backticks(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((found) => found.length));
}
