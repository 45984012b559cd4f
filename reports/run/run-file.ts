/** Writes the text of run.json, and reads runs from it: valid by its JSON Schema. */
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { adopt, areaOf, type CatalogueEntry } from '../../openapi/requirements/catalogue.ts';
import { ConfigurationError } from '../../record/errors.ts';
import { foundAt } from '../../record/files.ts';
import { placeIn, readOwnJson } from '../../record/own-files.ts';
import { type Run, type RunRequirement, runSchema, schemaVersion } from './run.ts';

/** The longest list that is read: far more than any of ours has. Some lists are compared item by item with all others. */
const mostEntries = 5_000;

export const runText = (run: Run): string => `${JSON.stringify(run, null, 1)}\n`;

/**
 * Reads a run: a run.json, or a folder that holds one. A team's own requirements in it become known to the catalogue.
 * @throws ConfigurationError when there is none, or it is no run of a version that this one understands
 */
export function readRun(place: string): Run {
  const file = runFile(place);
  const run = readOwnJson('run', file, (value) => {
    const version = (value as { schemaVersion?: unknown } | null)?.schemaVersion;
    const [understood] = schemaVersion.split('.');
    if (typeof version === 'string' && version.split('.')[0] !== understood)
      throw new ConfigurationError(
        `${file}: schemaVersion ${version} is not understood; this suite reads ${understood}.x`,
      );
    return runSchema;
  });
  const { requirements, gaps, own, deviations, problems } = run;
  assertDistinct(file, { requirements, gaps, 'own/requirements': own?.requirements });
  assertFew(file, 'deviations/entries', deviations?.entries);
  assertFew(file, 'problems', problems);
  for (const { id, checks } of [...requirements, ...(own?.requirements ?? [])]) {
    const rows = checks.flatMap((each) => each.rows);
    assertFew(file, id, rows);
    const lost = rows.flatMap((row) => row.exchanges).find((index) => run.exchanges[index]?.index !== index);
    // A run in which the suite broke may say so of itself.
    if (lost !== undefined && run.problems.length === 0)
      throw new ConfigurationError(`${file}: is unusable: ${id} names exchange ${lost}, which is not there`);
  }
  adopt((own?.requirements ?? []).map(entryOf));
  return run;
}

/** @throws ConfigurationError when a list has an id twice, or too many ids */
export function assertDistinct(
  file: string,
  lists: Readonly<Record<string, readonly { readonly id: string }[] | undefined>>,
): void {
  for (const [name, entries = []] of Object.entries(lists)) {
    assertFew(file, name, entries);
    if (new Set(entries.map(({ id }) => id)).size < entries.length)
      throw new ConfigurationError(`${file}: is unusable: /${name} has an id twice`);
  }
}

function assertFew(file: string, name: string, entries: readonly unknown[] = []): void {
  if (entries.length > mostEntries)
    throw new ConfigurationError(
      `${file}: is more than is read: /${name} has more than ${mostEntries} entries`,
    );
}

/** A team's own requirement, as an entry of the catalogue. */
function entryOf({ id, level, section, statement, operation, since }: RunRequirement): CatalogueEntry {
  const said = { level, section, statement, operation, since, check: 'own' };
  return { ...said, id: id as CatalogueEntry['id'], area: areaOf(id) };
}

/** The folder of a run, by the folder itself or by its run.json; both must exist. */
export function folderOf(place: string): string {
  return resolve(statSync(place).isDirectory() ? place : dirname(place));
}

export function runFile(place: string): string {
  const found = foundAt(place);
  if (!found) throw new ConfigurationError(`${place}: there is no such file or folder`);
  if (!found.isDirectory()) return place;
  const file = placeIn(place, 'run.json');
  if (statSync(file, { throwIfNoEntry: false })) return file;
  throw new ConfigurationError(`${place}: holds no run.json`);
}
