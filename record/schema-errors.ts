/** Says what is wrong with a file of the user: key, value as written, and the fix. */
import type { ErrorObject } from 'ajv';
import { closest, distance } from 'fastest-levenshtein';
import { below, stepsOf, valueAt } from '../openapi/json-pointer.ts';
import { listed } from './counted.ts';

/** How many errors of the schema are looked at; further ones show once these are mended. */
const most = 1000;

/** Longest value that is shown, in characters. */
const longest = 80;

/** What is wrong, and where: a pointer to the value, or to the key that is missing or unknown. */
interface Mistake {
  readonly pointer: string;
  readonly sentence: string;
}

export interface Explained extends ErrorObject {
  readonly key: string;
  readonly value: string;
}

/**
 * One sentence for each mistake, without the names of files.
 * @param written the value before its `${ENV}` references were filled in, so that no secret is quoted
 * @param special gives the sentence for an error that the schema alone cannot explain
 */
export function explain(
  errors: readonly ErrorObject[],
  written: unknown,
  special: (error: Explained) => string | undefined = () => undefined,
): Mistake[] {
  const some = errors.slice(0, most);
  const told = withoutOtherBranches(some).map((error) => mistake(error, written, special));
  const all = [...unknownKinds(some, written), ...told];
  return [...new Map(all.map((each) => [each.sentence, each])).values()];
}

/** `; did you mean x?` when one of the names resembles what was written. */
export function didYouMean(name: string, known: readonly string[]): string {
  if (known.length === 0) return '';
  const near = closest(name, known);
  return distance(name, near) <= Math.max(2, Math.ceil(name.length * 0.45)) ? `; did you mean ${near}?` : '';
}

/** The unions that the value does not fit, and the errors of each of their branches. */
function unionsOf(errors: readonly ErrorObject[]) {
  return errors
    .filter(({ keyword }) => keyword === 'anyOf')
    .map((error) => ({
      error,
      branches: (error.schema as readonly unknown[]).map((_, index) =>
        errors.filter(({ schemaPath }) => schemaPath.startsWith(`${error.schemaPath}/${index}/`)),
      ),
    }));
}

/** Whether a branch was not meant: the value is of another type, or differs in the field that tells branches apart. */
function isOther(branch: readonly ErrorObject[], { instancePath }: ErrorObject): boolean {
  return branch.some(
    (error) =>
      (error.keyword === 'type' && error.instancePath === instancePath) ||
      (error.keyword === 'const' &&
        error.instancePath.slice(instancePath.length).split('/').filter(Boolean).length <= 1),
  );
}

/** The errors, of each union only those of the branch that was meant: the one with the fewest errors. */
function withoutOtherBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const dropped = new Set<ErrorObject>();
  for (const { error, branches } of unionsOf(errors)) {
    dropped.add(error);
    const candidates = branches.filter((branch) => !isOther(branch, error));
    const [best] = candidates.toSorted((one, other) => one.length - other.length);
    for (const branch of branches) if (branch !== best) for (const each of branch) dropped.add(each);
  }
  return errors.filter((error) => !dropped.has(error));
}

/** A sentence for each union of which no branch was meant: which kinds it takes. */
function unknownKinds(errors: readonly ErrorObject[], written: unknown): Mistake[] {
  return unionsOf(errors)
    .filter(({ error, branches }) => branches.every((branch) => isOther(branch, error)))
    .map(({ error, branches }) => {
      const names = branches.flat().filter(({ keyword }) => keyword === 'const');
      const place = names.find(({ instancePath }) => instancePath !== error.instancePath) ?? error;
      const pointer = place.instancePath;
      const allowed = names
        .filter(({ instancePath }) => instancePath === pointer)
        .map(({ params }) => String((params as { allowedValue: unknown }).allowedValue));
      const schemas = error.schema as readonly { readonly type?: string; readonly const?: unknown }[];
      const kinds = schemas.flatMap(({ type, const: only }) =>
        type && only === undefined ? [kindsOf[type] ?? type] : [],
      );
      const choice = [...allowed, ...(pointer === error.instancePath ? kinds : [])];
      return {
        pointer,
        sentence: `${keyOf(pointer)} ${textOfValue(written, pointer)} is unknown; use ${listed(choice, 'or')}`,
      };
    });
}

const kindsOf: Readonly<Record<string, string>> = { object: 'an object', array: 'a list', string: 'a text' };

function mistake(
  error: ErrorObject,
  written: unknown,
  special: (error: Explained) => string | undefined,
): Mistake {
  const { instancePath: pointer, keyword, params, parentSchema, message } = error;
  const key = keyOf(pointer);
  const value = textOfValue(written, pointer);
  const {
    description,
    properties = {},
    patternProperties = {},
  } = (parentSchema ?? {}) as {
    readonly description?: string;
    readonly patternProperties?: Readonly<Record<string, unknown>>;
    readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  };
  const say = (sentence: string, at = pointer): Mistake => ({ pointer: at, sentence });
  const of = (text: string | undefined) => (text ? `: ${text}` : '');
  const said = special({ ...error, key, value });
  if (said !== undefined) return say(said);
  switch (keyword) {
    case 'additionalProperties': {
      const name = String(params.additionalProperty);
      const at = below(pointer, name);
      const known = Object.keys(properties);
      const [form] = Object.keys(patternProperties);
      if (form !== undefined) return say(`${keyOf(at)} does not have the form ${form}${of(description)}`, at);
      return say(`${keyOf(at)} is unknown${didYouMean(name, known)} (known: ${known.join(', ')})`, at);
    }
    case 'required': {
      const name = String(params.missingProperty);
      const at = below(pointer, name);
      return say(`${keyOf(at)} is missing${of(properties[name]?.description)}`, at);
    }
    case 'pattern':
      return say(`${key} ${value} does not have the form ${String(params.pattern)}${of(description)}`);
    case 'const':
      return say(`${key} ${value} is not ${JSON.stringify(params.allowedValue)}`);
    default:
      if (value === 'null') return say(`${key} is not filled in${of(description)}`);
      return say(`${key} ${value} ${message ?? 'is not valid'}${of(description)}`);
  }
}

/** `/calls/send/accept/0` as a person writes it: `calls.send.accept[0]`. */
export function keyOf(pointer: string): string {
  const key = stepsOf(pointer)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('');
  return key.replace(/^\./, '') || 'the file';
}

function textOfValue(written: unknown, pointer: string): string {
  const value = valueAt(written, pointer);
  if (value !== null && typeof value === 'object') return Array.isArray(value) ? '(a list)' : '(a mapping)';
  const text = JSON.stringify(value) ?? '(nothing)';
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
