/** Observations of one gap, each key once: what several requests showed becomes one list of values. */
import type { Observation } from '../openapi/observation.ts';
import type { RunGap } from './run.ts';

type Seen = RunGap['observations'][number];

/**
 * Where all agree the value stays as it is. Else it is the sorted list of the different values, those of lists
 * among them; a key is stable only if each of its observations is.
 */
export function byKey(observations: readonly Omit<Observation, 'gap'>[]): Seen[] {
  const groups = new Map<string, (typeof observations)[number][]>();
  for (const each of observations) groups.set(each.key, [...(groups.get(each.key) ?? []), each]);
  // Which call came first differs from run to run.
  const sorted = [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([key, group]) => ({
    key,
    value: together(group.map(({ value }) => value)),
    stability: group.every(({ stability }) => stability === 'stable') ? 'stable' : 'volatile',
    exchanges: [...new Set(group.flatMap(({ exchanges }) => exchanges))],
  }));
}

function together(values: readonly Seen['value'][]): Seen['value'] {
  const [first] = values;
  const alike = values.every((value) => JSON.stringify(value) === JSON.stringify(first));
  if (alike && first !== undefined) return first;
  const parts = values.flat().map((value) => (typeof value === 'boolean' ? String(value) : value));
  return [...new Set(parts)].sort(inOrder);
}

function inOrder(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one) < String(other) ? -1 : 1;
}
