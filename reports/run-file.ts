/** Writes and reads run.json; both validate it against its JSON Schema. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TSchema } from '@sinclair/typebox';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { writeWhole } from '../record/files.ts';
import { type Run, runSchema, schemaVersion } from './run.ts';

/** A run file that cannot be read; the message names the file and what is wrong with it. */
export class RunFileError extends Error {
  override readonly name = 'RunFileError';
}

const ajv = new Ajv({ allErrors: false, strict: true, allowUnionTypes: true });
formats.default(ajv, ['date', 'date-time']);
const compiled = new Map<TSchema, ValidateFunction>();

/** What is wrong with `value` according to `schema`: place and reason; `undefined` when nothing is. */
export function mismatch(schema: TSchema, value: unknown): string | undefined {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  const detail = error?.params?.additionalProperty ?? error?.params?.allowedValue;
  return `${error?.instancePath || '/'} ${error?.message}${detail === undefined ? '' : ` (${detail})`}`;
}

/** @throws Error when the run does not keep to its schema: a mistake of the suite */
export function assertKeepsSchema(run: Run): void {
  const wrong = mismatch(runSchema, run);
  if (wrong) throw new Error(`run.json would not keep to its schema: ${wrong}`);
}

/** The run as it stands in run.json. */
export function runText(run: Run): string {
  return `${JSON.stringify(run, null, 1)}\n`;
}

/**
 * Writes run.json into `directory`.
 * @throws Error when the run does not keep to its schema, FileTrouble when it cannot be written
 */
export function writeRun(directory: string, run: Run): void {
  assertKeepsSchema(run);
  writeWhole(join(directory, 'run.json'), runText(run));
}

/**
 * Reads a run: a run.json, or a folder that holds one.
 * @throws RunFileError when there is none, or it is no run of a version that this one understands
 */
export function readRun(place: string): Run {
  const file = runFile(place);
  const value = readJson(file);
  const version = (value as { schemaVersion?: unknown } | null)?.schemaVersion;
  if (typeof version === 'string' && version.split('.')[0] !== schemaVersion.split('.')[0]) {
    throw new RunFileError(
      `${file}: schemaVersion ${version} is not understood; this suite reads ${schemaVersion.split('.')[0]}.x`,
    );
  }
  const wrong = mismatch(runSchema, value);
  if (wrong) throw new RunFileError(`${file}: is no run of the conformance suite: ${wrong}`);
  return value as Run;
}

/** The file itself, or the run.json in a folder. */
export function runFile(place: string): string {
  const found = statSync(place, { throwIfNoEntry: false });
  if (!found) throw new RunFileError(`${place}: there is no such file or folder`);
  if (!found.isDirectory()) return place;
  const file = join(place, 'run.json');
  if (statSync(file, { throwIfNoEntry: false })) return file;
  throw new RunFileError(`${place}: holds no run.json`);
}

/** Reads a JSON file. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new RunFileError(`${file}: is no JSON: ${(cause as Error).message}`, { cause });
  }
}
