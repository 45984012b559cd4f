/** The command `report`: renders a run again, merges shards, compares runs, or writes what goes to a vendor. */

import { relative, resolve } from 'node:path';
import { ConfigurationError } from '../record/errors.ts';
import { writeWhole } from '../record/files.ts';
import { placeIn } from '../record/own-files.ts';
import { print } from '../record/print.ts';
import { type EarlierOptions, readEarlier } from '../reports/assembling/earlier.ts';
import { merge } from '../reports/assembling/merge.ts';
import { areShards, compareRuns, comparisonText, type Runs } from '../reports/comparison/compare-runs.ts';
import { worstExit } from '../reports/concluding/outcome.ts';
import { copyBodies, namedBodies, renderersOf, writeReports } from '../reports/ending/write.ts';
import { styleFile, styleSheet } from '../reports/page/shell.ts';
import { folderOf, readRun } from '../reports/run/run-file.ts';
import { tellGitHub } from '../reports/texts/github.ts';
import { painter, terminalText } from '../reports/texts/terminal.ts';

/** Options of `report`; deviations and baseline for merged shards are named as for `run`. */
export interface ReportArguments extends Omit<EarlierOptions, 'recheck'> {
  readonly out?: string;
  readonly ticket?: string;
  readonly gaps?: string;
  readonly singleFile?: boolean;
}

/** Resolves with the exit code of the run; of several that are compared, the gravest. */
export async function report(places: readonly string[], options: ReportArguments): Promise<number> {
  const { out, ticket, gaps } = options;
  const [first, ...more] = places.map(readRun);
  const [place = ''] = places;
  if (!first)
    throw new ConfigurationError('report: name the folder of at least one run, such as reports/out');
  if (ticket !== undefined || gaps !== undefined) {
    if (more.length > 0) throw new ConfigurationError('report: --ticket and --gaps take one run');
    const { writeGaps, writeTicket } = await import('./ticket.ts');
    if (ticket !== undefined) writeTicket({ run: first, folder: folderOf(place) }, ticket, out);
    if (gaps !== undefined) writeGaps(first, gaps);
    return 0;
  }
  if (more.length > 0 && out === undefined) {
    throw new ConfigurationError('report: several runs go into a new folder; say with --out where to');
  }
  const held = options.baseline ?? options.deviations;
  const shards = more.length > 0 && areShards([first, ...more]);
  if (held !== undefined && !shards) {
    throw new ConfigurationError(
      'report: --baseline and --deviations are for shards that are merged; give them to run, or see compare',
    );
  }
  const earlier = readEarlier(options);
  const folder = resolve(out ?? folderOf(place));
  const [second, ...others] = more;
  if (second && !shards) return compareInto(folder, places, [first, second, ...others], options);
  const run = second ? merge([first, ...more], earlier) : first;
  for (const [at, each] of [first, ...more].entries())
    copyBodies(namedBodies(each), folderOf(places[at] ?? ''), folder);
  const files = writeReports(folder, run, renderersOf(options));
  print(`${terminalText(run, painter(process.stdout))}\n`);
  print(`written to ${shortly(folder)}: ${files.join(', ')}\n`);
  tellGitHub(run);
  return run.exitCode;
}

async function compareInto(
  folder: string,
  places: readonly string[],
  runs: Runs,
  { singleFile = false }: ReportArguments,
): Promise<number> {
  const inside = places.find((place) => !relative(folder, folderOf(place)).startsWith('..'));
  if (inside !== undefined) {
    throw new ConfigurationError(
      `report: ${inside} lies in ${folder}, which is written anew; name another folder with --out`,
    );
  }
  const names = runs.map((_, at) => `run-${at + 1}`);
  for (const [at, run] of runs.entries()) {
    const own = placeIn(folder, names[at] ?? '');
    copyBodies(namedBodies(run), folderOf(places[at] ?? ''), own);
    writeReports(own, run, renderersOf({ singleFile }));
  }
  await writeComparison(folder, runs, names, singleFile);
  return worstExit(runs.map((run) => run.exitCode));
}

/** @param names folders of the reports of the runs, below the folder */
export async function writeComparison(
  folder: string,
  runs: Runs,
  names: readonly string[],
  singleFile = false,
) {
  const { comparisonPage } = await import('../reports/comparison/comparison.ts');
  const comparison = compareRuns(runs);
  const pages = names.map((name) => `${encodeURIComponent(name)}/index.html`);
  writeWhole(placeIn(folder, 'index.html'), comparisonPage(comparison, pages, singleFile));
  if (!singleFile) writeWhole(placeIn(folder, styleFile), styleSheet());
  print(`${comparisonText(comparison)}\n`);
  print(`written to ${shortly(folder)}: index.html, ${names.join(', ')}\n`);
}

function shortly(folder: string): string {
  return relative(process.cwd(), folder) || '.';
}
