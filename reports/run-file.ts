/** Writes and reads run.json; both validate it against its JSON Schema. */
import { statSync } from 'node:fs';
import { ConfigurationError } from '../record/errors.ts';
import { writeWhole } from '../record/files.ts';
import { mismatch, placeIn, readOwnJson } from '../record/own-files.ts';
import { type Run, runSchema, schemaVersion } from './run.ts';

/**
 * Writes run.json into `directory`.
 * @throws Error when the run does not keep to its schema: a mistake of the suite
 */
export function writeRun(directory: string, run: Run): void {
  const wrong = mismatch(runSchema, run);
  if (wrong) throw new Error(`run.json would not keep to its schema: ${wrong}`);
  writeWhole(placeIn(directory, 'run.json'), `${JSON.stringify(run, null, 1)}\n`);
}

/**
 * Reads a run: a run.json, or a folder that holds one.
 * @throws ConfigurationError when there is none, or it is no run of a version that this one understands
 */
export function readRun(place: string): Run {
  const file = runFile(place);
  return readOwnJson('run', file, (value) => {
    const version = (value as { schemaVersion?: unknown } | null)?.schemaVersion;
    const [understood] = schemaVersion.split('.');
    if (typeof version === 'string' && version.split('.')[0] !== understood) {
      throw new ConfigurationError(
        `${file}: schemaVersion ${version} is not understood; this suite reads ${understood}.x`,
      );
    }
    return runSchema;
  });
}

/** The file itself, or the run.json in a folder. */
export function runFile(place: string): string {
  const found = statSync(place, { throwIfNoEntry: false });
  if (!found) throw new ConfigurationError(`${place}: there is no such file or folder`);
  if (!found.isDirectory()) return place;
  const file = placeIn(place, 'run.json');
  if (statSync(file, { throwIfNoEntry: false })) return file;
  throw new ConfigurationError(`${place}: holds no run.json`);
}

/** The files with large bodies that a run names, relative to its folder. */
export function bodiesOf(run: Run): ReadonlySet<string> {
  const bodies = [
    ...run.exchanges.flatMap(({ request, response }) => [request.body, response?.body]),
    ...run.deliveries.map(({ body }) => body),
  ];
  return new Set(bodies.flatMap((body) => body?.file ?? []));
}
