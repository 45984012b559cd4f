/** Resolves what `--only` names: requirement ids and areas. */
import {
  areas,
  type CatalogueEntry,
  catalogue,
  checked,
  isRequirementId,
  requirement,
} from '../openapi/requirements/catalogue.ts';
import { nearest } from './nearest.ts';
import { UsageError } from './usage-error.ts';

/**
 * The ids of all requirements with a check that `names` (ids and areas) stand for, in the order of the catalogue.
 * @throws UsageError for a name that stands for none
 */
export function select(names: readonly string[]): string[] {
  const chosen = new Set(names.flatMap(idsOf));
  return catalogue.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
}

function idsOf(name: string): readonly string[] {
  if (areas.includes(name)) {
    const ids = checked.filter(({ area }) => area === name).map(({ id }) => id);
    if (ids.length === 0) throw new UsageError(`--only ${name}: no check of this area is written yet`);
    return ids;
  }
  if (!isRequirementId(name)) throw new UsageError(unknown(name));
  const entry = requirement(name);
  if (!('check' in entry))
    throw new UsageError(`--only ${name}: this requirement has no check: ${why(entry)}`);
  return [name];
}

function why(entry: CatalogueEntry): string {
  return 'pending' in entry ? `pending, ${entry.pending}` : 'notTestable' in entry ? entry.notTestable : '';
}

function unknown(name: string): string {
  const near = nearest(name, [...areas, ...checked.map(({ id }) => id)]);
  const hint = near ? `; did you mean ${near}?` : '';
  return `--only ${name}: there is no such requirement or area${hint} (all of them: esign-conformance list)`;
}
