/** Reads a file of accepted deviations; what is wrong with it is told with line, key, value and the fix. */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import formats from 'ajv-formats';
import { ConfigurationError } from '../record/errors.ts';
import { lineOf, type OwnYaml, readOwnYaml } from '../record/own-files.ts';
import { type Deviations, deviationsSchema, type Listed, type StaleMode } from './deviations.ts';

const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, allowUnionTypes: true });
formats.default(ajv, ['date']);
const validate = ajv.compile(deviationsSchema);

/**
 * Reads and validates the file.
 * @throws ConfigurationError with a line for each thing that is wrong
 */
export function readDeviations(path: string, stale: StaleMode = 'fail'): Deviations {
  const file = display(path);
  const { document, lines, value: read } = readDeviationsText(path);
  const value = read ?? {};
  if (!validate(value)) {
    const told = sentences(validate.errors ?? []).map(
      ({ pointer, sentence }) => `${file}:${lineOf(document, lines, pointer)}: ${sentence}`,
    );
    throw new ConfigurationError([...new Set(told)].join('\n'));
  }
  const lists = value as { [Name in Listed['list']]?: readonly Omit<Listed, 'list' | 'line'>[] };
  const entries = (['deviations', 'flaky'] as const).flatMap((list) =>
    (lists[list] ?? []).map((entry, index): Listed => {
      return { list, line: lineOf(document, lines, `/${list}/${index}`), ...entry };
    }),
  );
  return { file, stale, entries };
}

/** The path as messages show it: from here, unless it lies elsewhere. */
export function display(path: string): string {
  const shown = relative(process.cwd(), path);
  return shown === '' || shown.startsWith('..') ? path : shown;
}

/**
 * The file as text, and as a document that keeps its comments.
 * @throws ConfigurationError when there is no such file, or it is no YAML
 */
export function readDeviationsText(path: string): OwnYaml {
  if (!existsSync(path)) {
    throw new ConfigurationError(
      `${display(path)}: there is no such file; esign-conformance deviations draft RUN --out FILE writes one`,
    );
  }
  return readOwnYaml('deviations', path, display(path));
}

interface Told {
  readonly pointer: string;
  readonly sentence: string;
}

/** One sentence for each mistake; of the forms that `match` may have, only the one that was meant is told. */
function sentences(errors: readonly ErrorObject[]): Told[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath);
  const outermost = unions.filter((path) => !unions.some((other) => path.startsWith(`${other}/`)));
  const inside = (path: string) => outermost.find((union) => path === union || path.startsWith(`${union}/`));
  return [
    ...errors.filter(({ instancePath }) => inside(instancePath) === undefined).map(sentenceOf),
    ...outermost.map((pointer): Told => {
      const unknown = errors.find(
        ({ keyword, instancePath }) => keyword === 'additionalProperties' && inside(instancePath) === pointer,
      );
      if (unknown) return sentenceOf(unknown);
      return {
        pointer,
        sentence: `${keyOf(pointer)} is neither a pattern for row titles, nor {title, message}, nor a list of these`,
      };
    }),
  ];
}

function sentenceOf({ instancePath, keyword, params, parentSchema, data, message }: ErrorObject): Told {
  const schema = (parentSchema ?? {}) as { description?: string; properties?: Record<string, unknown> };
  const key = keyOf(instancePath);
  if (keyword === 'additionalProperties') {
    const pointer = `${instancePath}/${String(params.additionalProperty)}`;
    const known = Object.keys(schema.properties ?? {}).join(', ');
    return { pointer, sentence: `${keyOf(pointer)} is unknown (known: ${known})` };
  }
  if (keyword === 'required') {
    const name = String(params.missingProperty);
    const property = schema.properties?.[name] as { description?: string } | undefined;
    return {
      pointer: instancePath,
      sentence: `${keyOf(`${instancePath}/${name}`)} is missing: ${property?.description ?? ''}`,
    };
  }
  const fix = schema.description ? `: ${schema.description}` : '';
  if (data === null) return { pointer: instancePath, sentence: `${key} is not filled in${fix}` };
  return {
    pointer: instancePath,
    sentence: `${key} ${JSON.stringify(data)} ${message ?? 'is not valid'}${fix}`,
  };
}

/** `/deviations/0/until` as a person writes it: `deviations[0].until`. */
function keyOf(pointer: string): string {
  return (
    pointer
      .split('/')
      .slice(1)
      .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
      .join('')
      .replace(/^\./, '') || 'the file'
  );
}
