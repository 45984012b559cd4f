/** Annotations and the summary of the job, when a run takes place in GitHub Actions. */
import { appendFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { printCommand } from '../../record/print.ts';
import { visible } from '../../record/visible.ts';
import { deviationLine, mustChange } from '../concluding/deviations-judge.ts';
import { allOf, column, gates } from '../concluding/outcome.ts';
import { standing } from '../concluding/scope.ts';
import type { Run, RunRequirement } from '../run/run.ts';
import { driftLines } from './drift-text.ts';
import { explain } from './failure.ts';
import { summary } from './summary.ts';

interface Annotation {
  readonly level: 'error' | 'warning';
  readonly title: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}

/** GitHub shows at most so many annotations of each level for one step. */
const most = 10;

/** The largest summary that GitHub accepts, in bytes. */
const longestSummary = 1024 * 1024;

const longest = 1000;

/** Prints annotations and adds the run to the summary of the job; does nothing outside of GitHub Actions. */
export function tellGitHub(
  run: Run,
  env: NodeJS.ProcessEnv = process.env,
  write: (line: string) => void = printCommand,
): void {
  if (env.GITHUB_ACTIONS === 'true') {
    for (const line of workflowCommands(run, env.GITHUB_WORKSPACE)) write(line);
  }
  const { GITHUB_STEP_SUMMARY: file } = env;
  const text = file && jobSummary(run, env);
  try {
    if (file && text) appendFileSync(file, text);
  } catch (error) {
    // The run is complete without it.
    const message = `the summary of the job could not be written: ${(error as Error).message}`;
    write(commandOf({ level: 'warning', title: 'conformance', message }, undefined));
  }
}

/** The annotations of a run as workflow commands: errors for everything that makes it red. */
export function workflowCommands(run: Run, workspace?: string): string[] {
  const all = annotations(run);
  return (['error', 'warning'] as const).flatMap((level) => {
    const own = all.filter((each) => each.level === level);
    const shown = own.length > most ? own.slice(0, most - 1) : own;
    const left = own.length - shown.length;
    const rest: Annotation[] =
      left > 0 ? [{ level, title: 'conformance', message: `and ${left} more, in summary.md` }] : [];
    return [...shown, ...rest].map((each) => commandOf(each, workspace));
  });
}

function annotations(run: Run): readonly Annotation[] {
  const { file, stale, entries } = run.deviations ?? { file: '', stale: 'fail', entries: [] };
  const all = (title: string, messages: readonly string[], level: Annotation['level']) =>
    messages.map((message) => ({ level, title, message }));
  return [
    ...all('the suite broke', run.problems, 'error'),
    ...allOf(run).flatMap((each) => annotationOf(each, run)),
    ...entries.flatMap((entry): Annotation[] => {
      const { says: message, line } = entry;
      const level = mustChange(entry, stale) ? 'error' : 'warning';
      return message === undefined ? [] : [{ level, title: 'deviations file', message, file, line }];
    }),
    ...(run.drift ?? []).flatMap((each) =>
      all('drift', driftLines([each]), each.gating ? 'error' : 'warning'),
    ),
    ...all('conformance', run.warnings, 'warning'),
  ];
}

/** What a requirement needs looking at for; nothing where it passed or does not apply. */
function annotationOf(each: RunRequirement, run: Run): Annotation[] {
  const place = column(each);
  const title = `${each.id} (${each.level}) ${place}`;
  if (place === 'deviation') return [{ level: 'warning', title, message: deviationLine(each) }];
  if (place !== 'failed' && place !== 'error' && place !== 'could-not-run') return [];
  const red = place === 'failed' ? gates(each, run) : place === 'error' || !each.newer;
  const message = [each.statement, ...explain(each, run).slice(0, 4)].join('\n');
  return [{ level: red ? 'error' : 'warning', title, message }];
}

function commandOf({ level, title, message, file, line }: Annotation, workspace: string | undefined): string {
  const place = file && workspace && isAbsolute(file) ? relative(workspace, file) : file;
  const properties = Object.entries({
    ...(place && !place.startsWith('..') ? { file: place, line: String(line) } : {}),
    title,
  });
  const list = properties.map(([name, value]) => `${name}=${property(visible(value))}`).join(',');
  return `::${level} ${list}::${data(visible(message).slice(0, longest))}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** The summary, with a link to the artifacts of the workflow run, which have the page. */
function jobSummary(run: Run, env: NodeJS.ProcessEnv): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: id } = env;
  const artifacts = id ? `${server}/${repository}/actions/runs/${id}#artifacts` : undefined;
  const text = `${summary(run, artifacts)}\n`;
  if (Buffer.byteLength(text) <= longestSummary) return text;
  return `## ${standing(run)}\n\nThe summary is too long to be shown here; it is in summary.md.\n`;
}
