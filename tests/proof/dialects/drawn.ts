/** Services with many habits at once, drawn by a seed: what three of them bring about together stands in no pair. */
import { drawing } from '../../../generators/seed.ts';
import { type Dialect, settings } from '../../../reference/dialect.ts';
import { type FirstProfile, firstProfiles } from './first-profiles.ts';

/** How many settings a row has, drawn too. */
const habits = { least: 4, most: 16 } as const;

const name = /^drawn-(\d+)$/;

/** The row `drawn-SEED`, of half of which the profile is a first one; nothing for any other name. */
export function drawnRow(row: string) {
  const [, seed] = name.exec(row) ?? [];
  if (seed === undefined) return undefined;
  const draw = drawing(Number(seed), 'dialect');
  const left = Object.keys(settings) as (keyof Dialect)[];
  const count = habits.least + draw(habits.most - habits.least + 1);
  const chosen = Array.from({ length: count }, () => left.splice(draw(left.length), 1)).flat();
  const dialect = chosen.map((each) => {
    const [usual, ...others] = settings[each].values;
    return [each, others[draw(Math.max(1, others.length))] ?? usual] as const;
  });
  const first = Object.keys(firstProfiles) as FirstProfile[];
  const profile = first[draw(2 * first.length)];
  return {
    name: row,
    dialect: Object.fromEntries(dialect),
    profile: profile === undefined ? ('derived' as const) : { first: profile },
  };
}
