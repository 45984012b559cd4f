/** Says in words for people what is wrong with a profile: key, value as written, and the fix. */
import type { ErrorObject } from 'ajv/dist/2020.js';
import { closest, distance } from 'fastest-levenshtein';
import { stepsOf, valueAt } from '../../openapi/json-pointer.ts';
import { inShort } from '../untrusted/text.ts';
import { patternProblem } from './parts.ts';

/** How many errors of the schema are looked at: more are told when these are mended. */
const most = 1000;

/**
 * One line for each thing that is wrong, without the names of files.
 * @param written the profile before its `${ENV}` references were filled in: values from there are no secrets
 */
export function explain(errors: readonly ErrorObject[], written: unknown): string[] {
  const some = errors.slice(0, most);
  const told = withoutOtherBranches(some).map((error) => sentence(error, written));
  return [...new Set([...unknownKinds(some, written), ...told])];
}

/** `; did you mean x?` when one of the names resembles what was written. */
export function meant(name: string, known: readonly string[]): string {
  if (known.length === 0) return '';
  const near = closest(name, known);
  return distance(name, near) <= Math.max(2, Math.ceil(name.length * 0.45)) ? `; did you mean ${near}?` : '';
}

/** A union and the errors of each of its branches, none of which fits. */
interface Union {
  readonly error: ErrorObject;
  readonly branches: readonly (readonly ErrorObject[])[];
}

function unionsOf(errors: readonly ErrorObject[]): Union[] {
  return errors
    .filter(({ keyword }) => keyword === 'anyOf')
    .map((error) => ({
      error,
      branches: (error.schema as readonly unknown[]).map((_, index) =>
        errors.filter(({ schemaPath }) => schemaPath.startsWith(`${error.schemaPath}/${index}/`)),
      ),
    }));
}

/** A branch that was not meant: another kind of value, or another name in the field that tells branches apart. */
function isOther(branch: readonly ErrorObject[], { instancePath }: ErrorObject): boolean {
  return branch.some(
    (error) =>
      (error.keyword === 'type' && error.instancePath === instancePath) ||
      (error.keyword === 'const' &&
        error.instancePath.slice(instancePath.length).split('/').filter(Boolean).length <= 1),
  );
}

/** Of each union the errors of the one branch that was meant: the fitting one with the fewest errors. */
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

/** What a union may be, where what was written is none of it. */
function unknownKinds(errors: readonly ErrorObject[], written: unknown): string[] {
  return unionsOf(errors)
    .filter(({ error, branches }) => branches.every((branch) => isOther(branch, error)))
    .map(({ error, branches }) => {
      const names = branches.flat().filter(({ keyword }) => keyword === 'const');
      const place = names.find(({ instancePath }) => instancePath !== error.instancePath) ?? error;
      const at = place.instancePath;
      const allowed = names
        .filter(({ instancePath }) => instancePath === at)
        .map(({ params }) => String((params as { allowedValue: unknown }).allowedValue));
      const objects = (error.schema as readonly { type?: unknown }[]).some(({ type }) => type === 'object');
      const choice = [...allowed, ...(objects && at === error.instancePath ? ['an object'] : [])];
      return `${keyOf(at)} ${shown(written, at)} is unknown; use ${listed(choice)}`;
    });
}

function sentence(error: ErrorObject, written: unknown): string {
  const { instancePath, keyword, params, parentSchema, message } = error;
  const key = keyOf(instancePath);
  const value = shown(written, instancePath);
  const { title, description, properties } = (parentSchema ?? {}) as {
    title?: string;
    description?: string;
    properties?: Record<string, unknown>;
  };
  if (title === 'place' && keyword !== 'additionalProperties') {
    return keyword === 'not'
      ? `${key} names several places; keep one, or one and a pattern`
      : `${key} ${value} is no place; write a JSON Pointer such as /data/id, "text" for the whole body, or a mapping with one of ${Object.keys(properties ?? {}).join(', ')}`;
  }
  switch (keyword) {
    case 'oneGroup':
      return `${key} ${value} ${patternProblem(String(valueAt(written, instancePath)))}`;
    case 'additionalProperties': {
      const name = String(params.additionalProperty);
      const known = Object.keys(properties ?? {});
      // The calls that give an access token have it.
      const how =
        name === 'encoding' && known.includes('body')
          ? '; a body that is a text is sent as it stands, with the Content-Type of headers: a form as "a={x}&b=1"'
          : meant(name, known);
      return `${keyOf(`${instancePath}/${name}`)} is unknown${how} (known: ${known.join(', ')})`;
    }
    case 'required':
      return `${keyOf(`${instancePath}/${String(params.missingProperty)}`)} is missing`;
    case 'pattern':
      return `${key} ${value} does not have the form ${String(params.pattern)}${description ? `: ${description}` : ''}`;
    case 'const':
      return `${key} ${value} is not ${JSON.stringify(params.allowedValue)}`;
    default:
      return `${key} ${value} ${message ?? 'is not valid'}`;
  }
}

/** `/calls/send/accept/0` as a person writes it: `calls.send.accept[0]`. */
export function keyOf(pointer: string): string {
  const key = stepsOf(pointer)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('');
  return key.replace(/^\./, '') || 'the profile';
}

/** The value as it was written, in few words. */
function shown(written: unknown, pointer: string): string {
  const value = valueAt(written, pointer);
  if (value !== null && typeof value === 'object') return Array.isArray(value) ? '(a list)' : '(a mapping)';
  return inShort(JSON.stringify(value) ?? '(nothing)', 80);
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
