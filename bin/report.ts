/** The command `report`: renders a run again, or several that it merges. */

import { cpSync, existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { merge } from '../reports/merge.ts';
import { readRun } from '../reports/run-file.ts';
import { painter, terminalText } from '../reports/terminal.ts';
import { writeReports } from '../reports/write.ts';
import { UsageError } from './usage-error.ts';

/** Resolves with the exit code of the run. */
export async function report(places: readonly string[], { out }: { readonly out?: string }): Promise<number> {
  const [first, ...more] = places.map(readRun);
  const [place = ''] = places;
  if (!first) throw new UsageError('report: name at least one run');
  if (more.length > 0 && out === undefined) {
    throw new UsageError('report: several runs are merged into a new one; say with --out where to');
  }
  const run = more.length > 0 ? merge([first, ...more]) : first;
  const folder = resolve(out ?? folderOf(place));
  for (const each of places) copyBodies(folderOf(each), folder);
  const files = writeReports(folder, run);
  process.stdout.write(`${terminalText(run, painter(process.stdout))}\n`);
  process.stdout.write(`written to ${relative(process.cwd(), folder) || '.'}: ${files.join(', ')}\n`);
  return run.exitCode;
}

function folderOf(place: string): string {
  return resolve(statSync(place).isDirectory() ? place : dirname(place));
}

/** Large bodies lie beside run.json and are named by their hash, so those of several runs go together. */
function copyBodies(from: string, to: string): void {
  const source = join(from, 'bodies');
  if (from !== to && existsSync(source)) cpSync(source, join(to, 'bodies'), { recursive: true });
}
