/** summary.md: a run in Markdown, for a pull request or the summary of a job. */
import { counted } from '../../record/counted.ts';
import { causesOf, profileLine } from '../concluding/causes.ts';
import { deviationLine, entriesToChange, entriesToLookAt } from '../concluding/deviations-judge.ts';
import { acceptedDeviations, columns, columnsOf } from '../concluding/outcome.ts';
import { recheckLines } from '../concluding/recheck.ts';
import { ownLine, standingInNumbers } from '../concluding/scope.ts';
import type { Run } from '../run/run.ts';
import { seconds } from '../run/words.ts';
import { driftMarkdown } from './drift-text.ts';
import { exploredLines } from './explored.ts';
import { explanations, heading } from './failure.ts';
import { code, fence, plain } from './markdown.ts';

/** How many findings of a verdict are written out. */
const most = 20;

/** The run in Markdown, with the target's text in code blocks only, not read as markup. @param page where its page is */
export function summary(run: Run, page = 'index.html'): string {
  const { counts } = run;
  const shown = columnsOf(run);
  return [
    `## ${standingInNumbers(run)}`,
    '',
    `${code(run.target.name)} · ${counted(counts.exchanges, 'call')} · ${counted(counts.signatureRequestsCreated, 'signature request')} · ${seconds(run.durationMs)} · ${run.startedAt}`,
    '',
    `Every call, and how to make it again: [index.html](${page})`,
    '',
    `| ${shown.map((name) => columns[name]).join(' | ')} |`,
    `|${'---:|'.repeat(shown.length)}`,
    `| ${shown.map((name) => counts.requirements[name]).join(' | ')} |`,
    ...[ownLine(run) ?? []].flat().flatMap((line) => ['', line]),
    ...section(run, 'error', 'Errors of the suite', run.problems),
    ...section(run, 'failed', 'Failed'),
    ...stopped(run),
    ...block('Explored', exploredLines(run)),
    ...deviations(run),
    ...block('To change in the deviations file', entriesToChange(run)),
    ...drift(run),
    ...block('Recheck', run.recheck ? recheckLines(run.recheck) : []),
    ...block('Warnings', [...entriesToLookAt(run), ...run.warnings]),
    '',
  ].join('\n');
}

function block(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ['', `### ${title}`, '', ...fence(lines)] : [];
}

function drift({ drift: found, baseline, ...run }: Run): string[] {
  if (!found || !baseline) return [];
  return ['', '### Drift', '', ...driftMarkdown(found, { before: baseline, after: run })];
}

function deviations(run: Run): string[] {
  return block(
    'Accepted deviations',
    acceptedDeviations(run).map((each) => `${each.id}: ${deviationLine(each)}`),
  );
}

function section(
  run: Run,
  verdict: 'error' | 'failed',
  title: string,
  more: readonly string[] = [],
): string[] {
  const found = explanations(run, verdict);
  if (found.length === 0 && more.length === 0) return [];
  const left = found.length - most;
  return [
    '',
    `### ${title}`,
    ...(more.length > 0 ? ['', ...fence(more)] : []),
    ...found.slice(0, most).flatMap(({ requirements, lines }) => {
      const [first] = requirements;
      const ids = requirements.map(({ id }) => code(id)).join(', ');
      const title = requirements.length === 1 && first ? plain(heading(first)) : ids;
      return [
        '',
        title,
        '',
        ...(first?.statement && requirements.length === 1 ? [`> ${plain(first.statement)}`, ''] : []),
        ...fence(lines),
      ];
    }),
    ...(left > 0 ? ['', `… and ${left} more, in run.json and index.html.`] : []),
  ];
}

/** Each cause with the requirements that it stopped; text of the target is in code blocks. */
function stopped(run: Run): string[] {
  const causes = causesOf(run);
  const left = causes.length - most;
  return [
    ...(causes.length > 0 ? ['', '### Could not run'] : []),
    ...causes.slice(0, most).flatMap((each) => {
      const lines = [each.says, profileLine(each) ?? ''].filter(Boolean);
      return [
        '',
        ...fence(lines),
        '',
        `${counted(each.requirements.length, 'requirement')}: ${each.requirements.map(code).join(', ')}`,
      ];
    }),
    ...(left > 0 ? ['', `… and ${left} more, in run.json and index.html.`] : []),
  ];
}
