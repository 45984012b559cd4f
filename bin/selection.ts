/** Resolves what `--only` names: requirement ids and areas. */
import {
  adopted,
  areas,
  catalogue,
  checked,
  isRequirementId,
  requirement,
} from '../openapi/requirements/catalogue.ts';
import { ConfigurationError } from '../record/errors.ts';
import { didYouMean } from '../record/schema-errors.ts';

/**
 * The ids of all requirements with a check that `names` stand for (ids, areas, or the prefix of own requirements), in the
 * order of the catalogue.
 * @throws ConfigurationError for a name that stands for no requirement
 */
export function select(names: readonly string[]): string[] {
  const chosen = new Set(names.flatMap(idsOf));
  return [...catalogue, ...adopted()].filter(({ id }) => chosen.has(id)).map(({ id }) => id);
}

function idsOf(name: string): readonly string[] {
  const within = [...checked, ...adopted()].filter(({ area }) => area === name).map(({ id }) => id);
  if (within.length > 0) return within;
  if (!isRequirementId(name)) throw new ConfigurationError(unknown(name));
  const entry = requirement(name);
  if ('notTestable' in entry)
    throw new ConfigurationError(`--only ${name}: this requirement has no check: ${entry.notTestable}`);
  return [name];
}

function unknown(name: string): string {
  const hint = didYouMean(name, [
    ...areas,
    ...[...checked, ...adopted()].flatMap(({ id, area }) => [id, area]),
  ]);
  return `--only ${name}: there is no such requirement or area${hint} (all of them: esign-conformance list)`;
}
