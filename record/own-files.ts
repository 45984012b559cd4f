/** Reads the files of the suite and its users: bounded, in their own folder, and valid by their schema before anything is used. */
import { closeSync, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Static, TSchema } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import { ConfigurationError } from './errors.ts';
import { foundAt } from './files.ts';
import { readJson } from './json.ts';
import { explain } from './schema-errors.ts';

const kib = 1024;
const mib = 1024 * kib;
const sized = (bytes: number) => (bytes < mib ? `${bytes / kib} KiB` : `${bytes / mib} MiB`);

/**
 * The largest YAML that is read, in bytes and aliases: the parser takes seconds for a megabyte that is no YAML, and
 * looks at all anchors for each alias. Faulty JSON goes through the YAML parser too, for the line of the mistake.
 */
export const yamlLimits = { bytes: 256 * kib, aliases: 100 } as const;

/** What messages call each kind of file, and its largest size in bytes: far more than any run makes. */
const kinds = {
  run: { what: 'run of the conformance suite', maxBytes: 64 * mib },
  baseline: { what: 'baseline of the conformance suite', maxBytes: 64 * mib },
  deviations: { what: 'file of accepted deviations', maxBytes: yamlLimits.bytes },
  profile: { what: 'target profile', maxBytes: yamlLimits.bytes },
  certificate: { what: 'certificate in PEM', maxBytes: mib },
  journal: { what: 'list of what a run has created', maxBytes: 4 * mib },
  recording: { what: 'recording of this version of the suite', maxBytes: 64 * mib },
  body: { what: 'body of a recording', maxBytes: 64 * mib },
  waiting: { what: 'file of this version of the suite about requests that wait', maxBytes: 64 * mib },
  key: { what: 'key of a run', maxBytes: kib },
  requirements: { what: "list of a team's own requirements", maxBytes: yamlLimits.bytes },
  sequence: { what: 'sequence that exploring has written', maxBytes: mib },
  tokens: { what: 'token file of the suite', maxBytes: mib },
} as const;
type OwnFile = keyof typeof kinds;

/** Each schema checks only a few files, some before the first call, so compiling is kept cheap. Tests prove the schemas valid. */
const sparing = {
  strict: true,
  allowUnionTypes: true,
  code: { optimize: false },
  inlineRefs: false,
  meta: false,
  validateSchema: false,
} as const;
/** Finds the first mistake in what the suite has written, or all in what a person has. */
const [ofSuite, ofUser] = [new Ajv(sparing), new Ajv({ ...sparing, allErrors: true, verbose: true })];
formats.default(ofUser, ['date']);
formats.default(ofSuite, ['date', 'date-time']);
const dateTime = ofSuite.formats['date-time'] as { readonly validate: (text: string) => boolean };
// RFC 3339 has a 61st second (a leap second), which `Date` does not know.
ofSuite.addFormat('date-time', {
  validate: (text: string) => dateTime.validate(text) && !Number.isNaN(Date.parse(text)),
});

/** What is wrong with `value` according to `schema`: place and reason; `undefined` when nothing is. */
export function mismatch(schema: TSchema, value: unknown): string | undefined {
  const [pointer, reason] = mismatchAt(schema, value) ?? [];
  return pointer === undefined ? undefined : `${pointer || '/'} ${reason}`;
}

function mismatchAt(schema: TSchema, value: unknown): [pointer: string, reason: string] | undefined {
  // Ajv itself remembers what it has compiled.
  const validate = ofSuite.compile(schema);
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  const detail = error?.params?.additionalProperty ?? error?.params?.allowedValue;
  return [error?.instancePath ?? '', `${error?.message}${detail === undefined ? '' : ` (${detail})`}`];
}

/**
 * The path of a file in a folder or below it.
 * @param name in the folder, from data that may come from a stranger
 * @throws ConfigurationError when it leads out of the folder, by its name or as a link, or is neither a file nor a
 * folder: reading a pipe that came with a folder would never end
 */
export function placeIn(folder: string, name: string): string {
  const place = join(folder, name);
  const found = foundAt(place, lstatSync);
  // For a file that is not there yet, the folder around it is looked at.
  const real = found ? realOf(place) : foundAt(dirname(place), lstatSync) && realOf(dirname(place));
  const from = relative(realOf(folder), real ?? realOf(folder));
  const inside = !relative(folder, place).startsWith('..') && from !== '..' && !from.startsWith(`..${sep}`);
  const held = inside ? foundAt(place) : undefined;
  if (held && !held.isFile() && !held.isDirectory())
    throw new ConfigurationError(`${place}: is no file; remove it, or put the file itself there`);
  if (inside) return place;
  throw new ConfigurationError(
    `${place}: leads out of ${folder}; a link or path to somewhere else is not followed: put the file itself there`,
  );
}

/** The path with all links resolved; a link to nothing, or to itself, counts as leading out of every folder. */
function realOf(place: string): string {
  try {
    // Without `native` Node would ask the system about each folder above it.
    return realpathSync.native(place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ELOOP') throw error;
    return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() ? sep : place;
  }
}

/**
 * The bytes of a file.
 * @param named `by-us`: its name comes from data and not from the user, so it has to be a file, not a pipe
 * @throws ConfigurationError when it is not there, is no file, cannot be read, or is larger than its kind may be
 */
export function readOwnBytes(kind: OwnFile, path: string, named: 'by-user' | 'by-us' = 'by-user'): Buffer {
  const { what, maxBytes } = kinds[kind];
  const refuse = (why: string, cause?: unknown) =>
    new ConfigurationError(`${path}: ${why}`, cause === undefined ? {} : { cause });
  const found = foundAt(path);
  if (!found) throw refuse('there is no such file');
  if (found.isDirectory() || (named === 'by-us' && !found.isFile()))
    throw refuse(`is no file, but has to be a ${what}`);
  const parts: Buffer[] = [];
  try {
    const file = openSync(path, 'r');
    try {
      const part = Buffer.allocUnsafe(Math.min(mib, Math.max(4 * kib, fstatSync(file).size + 1)));
      for (let size = 0, read = -1; read !== 0 && size <= maxBytes; size += read) {
        read = readSync(file, part);
        parts.push(Buffer.from(part.subarray(0, read)));
      }
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw refuse(
      `cannot be read (${(cause as NodeJS.ErrnoException).code ?? (cause as Error).message})`,
      cause,
    );
  }
  const bytes = Buffer.concat(parts);
  if (bytes.length <= maxBytes) return bytes;
  throw refuse(`is larger than ${sized(maxBytes)}, the most that a ${what} may have`);
}

/** The text of a file; see `readOwnBytes`. */
export function readOwnText(kind: OwnFile, path: string, named?: 'by-user' | 'by-us'): string {
  return readOwnBytes(kind, path, named).toString('utf8');
}

/** The value in a JSON file, by its schema. @throws ConfigurationError with file, line and reason; see `readOwnBytes` */
export function readOwnJson<Schema extends TSchema>(
  kind: OwnFile,
  path: string,
  schema: Schema | ((value: unknown) => Schema),
): Static<Schema> {
  const text = readOwnText(kind, path);
  const value = jsonIn(text, path);
  const wrong = mismatchAt(typeof schema === 'function' ? schema(value) : schema, value);
  if (!wrong) return value as Static<Schema>;
  const [pointer, reason] = wrong;
  const line = Buffer.byteLength(text) > yamlLimits.bytes ? '' : `:${parsed(text).lineAt(pointer)}`;
  throw new ConfigurationError(`${path}${line}: is no ${kinds[kind].what}: ${pointer || '/'} ${reason}`);
}

function jsonIn(text: string, path: string): unknown {
  const reading = readJson(text);
  if ('value' in reading) return reading.value;
  if (reading.excess) throw new ConfigurationError(`${path}: is more than is read: ${reading.problem}`);
  // The message of the parser quotes the text, which may be a secret.
  throw new ConfigurationError(`${path}${lineOfMistake(text)}: is no JSON, or cut off`);
}

/** The line of the mistake in faulty JSON, by the YAML parser: it reads JSON too, and knows lines. */
function lineOfMistake(text: string): string {
  if (Buffer.byteLength(text) > yamlLimits.bytes) return '';
  const { problem } = parsed(text);
  return `:${problem?.line ?? text.trimEnd().split('\n').length}`;
}

/** A YAML text and its first mistake, in linear time: the parser's own checks of keys and errors are quadratic. */
function parsed(text: string) {
  const lines = new LineCounter();
  // The parser would warn of a key that is a list or a mapping; the schema of the file has a better word for it.
  const quiet = { prettyErrors: false, logLevel: 'error' } as const;
  const document = parseDocument(text, { ...quiet, lineCounter: lines, uniqueKeys: false });
  const [error] = document.errors;
  const found = error ? { at: error.pos[0], says: error.message } : secondKey(document);
  return {
    document,
    lineAt: (pointer: string) => Math.max(1, lines.linePos(offsetOf(document, pointer)).line),
    problem: found && { says: found.says, line: lines.linePos(found.at).line },
  };
}

/** The first key that occurs twice in its mapping. */
function secondKey(document: Document): { readonly at: number; readonly says: string } | undefined {
  let at: number | undefined;
  visit(document, {
    Map(_, { items }) {
      const keys = items.flatMap(({ key }) => (isScalar(key) ? [key] : []));
      const met = new Set<unknown>();
      const second = keys.find(({ value }) => met.size === met.add(value).size);
      at = second?.range?.[0];
      return at === undefined ? undefined : visit.BREAK;
    },
  });
  return at === undefined ? undefined : { at, says: 'Map keys must be unique' };
}

function aliasesIn(document: Document): number {
  let count = 0;
  visit(document, {
    Alias(_at, { source }, around) {
      if (around.some((node) => isCollection(node) && node.anchor === source))
        throw new Error(`the alias *${source} stands inside of what it means`);
      count += 1;
    },
  });
  return count;
}

export interface OwnYaml {
  readonly text: string;
  readonly document: Document;
  readonly value: unknown;
  /** Line of the entry or key that a JSON Pointer names; of the nearest thing around it when it is not there. */
  readonly lineAt: (pointer: string) => number;
}

/** The path of a file as messages show it: from here, unless it lies elsewhere. */
export function display(path: string): string {
  const shown = relative(process.cwd(), path);
  return shown === '' || shown.startsWith('..') ? path : shown;
}

/**
 * The value in a YAML (or JSON) file. The caller checks it, and has the lines for its messages.
 * @throws ConfigurationError with file, line and reason; see also `readOwnBytes`
 */
export function readOwnYaml(kind: OwnFile, path: string, named?: 'by-user' | 'by-us'): OwnYaml {
  return yamlIn(readOwnText(kind, path, named), display(path));
}

/** The value, valid by its schema. @throws ConfigurationError with a line for each mistake */
export function validIn<Schema extends TSchema>(
  { value, lineAt }: Pick<OwnYaml, 'value' | 'lineAt'>,
  schema: Schema,
  shown: string,
): Static<Schema> {
  const validate = ofUser.compile(schema);
  if (validate(value)) return value as Static<Schema>;
  const told = explain(validate.errors ?? [], value);
  throw new ConfigurationError(
    told.map(({ pointer, sentence }) => `${shown}:${lineAt(pointer)}: ${sentence}`).join('\n'),
  );
}

/** See `readOwnYaml`, for a text that was read before. */
export function yamlIn(text: string, shown: string): OwnYaml {
  try {
    const { bytes, aliases } = yamlLimits;
    if (Buffer.byteLength(text) > bytes)
      throw new ConfigurationError(`${shown}: is larger than ${sized(bytes)}, the most that is read`);
    const { document, lineAt, problem } = parsed(text);
    if (problem) {
      const isBare = /[\s:,]\$\{\w+\}/.test(text.split('\n')[problem.line - 1] ?? '');
      const hint = isBare ? `; inside of { … } a reference stands in quotes: "\${NAME}"` : '';
      throw new ConfigurationError(
        `${shown}:${problem.line}: is neither YAML nor JSON: ${problem.says}${hint}`,
      );
    }
    if (aliasesIn(document) > aliases)
      throw new ConfigurationError(`${shown}: has more than ${aliases} aliases, the most that are read`);
    return { text, document, lineAt, value: document.toJS() };
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    // An alias without its anchor, too many aliases, or too deep a nesting.
    throw new ConfigurationError(`${shown}: cannot be read as YAML: ${(cause as Error).message}`, { cause });
  }
}

/** Where the value that a JSON Pointer names begins; when it is missing, where the nearest thing around it begins. */
function offsetOf(document: Document, pointer: string): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const step of pointer.split('/').slice(1)) {
    if (!isCollection(node)) break;
    const key = /^\d+$/.test(step) ? Number(step) : step;
    const pair = isMap(node)
      ? node.items.find((item) => isNode(item.key) && String(item.key) === step)
      : undefined;
    const next = node.get(key, true);
    const from = pair && isNode(pair.key) ? pair.key : next;
    if (!isNode(from)) break;
    offset = from.range?.[0] ?? offset;
    node = next;
  }
  return offset;
}
