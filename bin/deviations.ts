/** The commands `deviations draft` and `deviations prune`: keep the file of accepted deviations. */
import { existsSync } from 'node:fs';
import { ConfigurationError } from '../record/errors.ts';
import { writeWhole } from '../record/files.ts';
import { print } from '../record/print.ts';
import { draftDeviations, pruneDeviations } from '../reports/accepted/deviations-file.ts';
import { schemaFrom } from '../reports/run/package.ts';
import { readRun } from '../reports/run/run-file.ts';
import { calledAs } from './called-as.ts';

export function draft(place: string, { out }: { readonly out?: string }): number {
  const text = draftDeviations(
    readRun(place),
    schemaFrom(
      out ?? 'deviations.yaml',
      'reports/deviations.schema.json',
      'dist/reports/deviations.schema.json',
    ),
  );
  if (text === null) {
    print(`${place}: has no failure that is not accepted already\n`);
    return 0;
  }
  if (out === undefined) {
    print(text);
    return 0;
  }
  if (existsSync(out))
    throw new ConfigurationError(
      `--out ${out}: exists already and may be filled in; name a new file, and move what you need`,
    );
  writeWhole(out, text, { named: 'by-user' });
  print(
    `written to ${out}; fill in owner and until, then: ${calledAs()} run --target PROFILE --deviations ${out}\n`,
  );
  return 0;
}

export function prune(place: string, { file }: { readonly file: string }): number {
  const { file: shown, text, removed, left } = pruneDeviations(file, readRun(place));
  if (removed.length > 0) writeWhole(file, text, { named: 'by-user' });
  for (const { line, requirement } of removed) print(`removed  ${shown}:${line}: ${requirement}\n`);
  for (const { says = '' } of left) print(`left     ${says}\n`);
  if (removed.length === 0) print('no entry is stale in this run; nothing was removed\n');
  return 0;
}
