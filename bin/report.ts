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
import type { Run } from '../reports/run/run.ts';
import { folderOf, readRun } from '../reports/run/run-file.ts';
import { tellGitHub } from '../reports/texts/github.ts';
import { painter, terminalText } from '../reports/texts/terminal.ts';

/** Options of `report`; deviations and baseline for merged shards are named as for `run`. */
interface ReportArguments extends Omit<EarlierOptions, 'recheck'> {
  readonly out?: string;
  readonly ticket?: string;
  readonly gaps?: string;
  readonly singleFile?: boolean;
}

/** Resolves with the exit code of the run; of several that are compared, the gravest. */
export async function report(places: readonly string[], options: ReportArguments): Promise<number> {
  const { out, ticket, gaps, baseline, deviations } = options;
  const [first, second, ...others] = places.map(readRun);
  const [place = ''] = places;
  if (!first) throw refusal('name the folder of at least one run, such as reports/out');
  if (ticket !== undefined || gaps !== undefined) {
    if (second) throw refusal('--ticket and --gaps take one run');
    return writeForVendor(first, place, options);
  }
  if (second && out === undefined)
    throw refusal('several runs go into a new folder; say with --out where to');
  const shards = second && areShards([first, second, ...others]);
  if ((baseline ?? deviations) !== undefined && !shards)
    throw refusal(
      '--baseline and --deviations are for shards that are merged; give them to run, or see compare',
    );
  const earlier = readEarlier(options);
  const folder = resolve(out ?? folderOf(place));
  if (second && !shards) return compareInto(folder, places, [first, second, ...others], options);
  const runs = [first, ...(second ? [second, ...others] : [])] as const;
  const run = second ? merge(runs, earlier) : first;
  for (const [at, each] of runs.entries()) copyBodies(namedBodies(each), folderOf(places[at] ?? ''), folder);
  const files = writeReports(folder, run, renderersOf(options));
  print(`${terminalText(run, painter(process.stdout))}\n`);
  print(`written to ${shortly(folder)}: ${files.join(', ')}\n`);
  tellGitHub(run);
  return run.exitCode;
}

const refusal = (why: string) => new ConfigurationError(`report: ${why}`);

async function writeForVendor(run: Run, place: string, { ticket, gaps, out }: ReportArguments) {
  const { writeGaps, writeTicket } = await import('./ticket.ts');
  if (ticket !== undefined) writeTicket(run, folderOf(place), ticket, out);
  if (gaps !== undefined) writeGaps(run, gaps);
  return 0;
}

async function compareInto(
  folder: string,
  places: readonly string[],
  runs: Runs,
  { singleFile = false }: ReportArguments,
): Promise<number> {
  const inside = places.find((place) => !relative(folder, folderOf(place)).startsWith('..'));
  if (inside !== undefined)
    throw refusal(`${inside} lies in ${folder}, which is written anew; name another folder with --out`);
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

const shortly = (folder: string): string => relative(process.cwd(), folder) || '.';
