/** The commands `deviations draft` and `deviations prune`: keep the file of accepted deviations. */

import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { writeWhole } from '../record/files.ts';
import { print } from '../record/print.ts';
import { draftDeviations, pruneDeviations } from '../reports/accepted/deviations-file.ts';
import { packageRoot } from '../reports/run/package.ts';
import { readRun } from '../reports/run/run-file.ts';
import { calledAs } from './called-as.ts';
import { UsageError } from './usage-error.ts';

/** Writes or prints an entry for each failure of a run; resolves with the exit code. */
export function draft(place: string, { out }: { readonly out?: string }): number {
  const text = draftDeviations(readRun(place), schemaFile(out));
  if (text === null) {
    print(`${place}: has no failure that is not accepted already\n`);
    return 0;
  }
  if (out === undefined) {
    print(text);
    return 0;
  }
  if (existsSync(out)) {
    throw new UsageError(
      `--out ${out}: exists already and may be filled in; name a new file, and move what you need`,
    );
  }
  writeWhole(out, text);
  print(`written to ${out}; fill in owner and until, then: ${calledAs()} run --deviations ${out}\n`);
  return 0;
}

/** Removes stale entries; resolves with the exit code. */
export function prune(place: string, { file }: { readonly file: string }): number {
  const { file: shown, text, removed, left } = pruneDeviations(file, readRun(place));
  if (removed.length > 0) writeWhole(file, text);
  for (const { line, requirement } of removed) print(`removed  ${shown}:${line}: ${requirement}\n`);
  for (const { says = '' } of left) print(`left     ${says}\n`);
  if (removed.length === 0) print('no entry is stale in this run; nothing was removed\n');
  return 0;
}

/** The published schema, as a path from the folder of the file; only below this folder it means something to others. */
function schemaFile(out: string | undefined): string | undefined {
  const candidates = ['reports', 'dist/reports'].map((folder) =>
    join(packageRoot(), folder, 'deviations.schema.json'),
  );
  const found = candidates.find((each) => existsSync(each));
  if (found === undefined || relative(process.cwd(), found).startsWith('..')) return undefined;
  return relative(out === undefined ? process.cwd() : resolve(out, '..'), found).replaceAll('\\', '/');
}
