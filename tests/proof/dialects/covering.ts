/** Makes few rows of settings in which every pair of values of two settings occurs; dialect rows are made of them. */
import { type Draw, drawing } from '../../../generators/seed.ts';

type Value = string | number | boolean;

/** How many rows are tried for each one that is taken: more attempts make the set a little smaller. */
const attempts = 6;

/**
 * Rows with a value for each factor, far fewer than all combinations, in which every pair of values of two factors
 * occurs. They are made by the greedy method of AETG: each row begins with a missing pair, and each further factor, in
 * random order, takes the value that brings the most missing pairs. The same factors and seed give the same rows.
 */
export function coveringRows<Name extends string>(
  factors: Readonly<Record<Name, readonly Value[]>>,
  seed: number,
): readonly Readonly<Record<Name, Value>>[] {
  const draw = drawing(seed, 'pairwise');
  const names = Object.keys(factors) as Name[];
  const all = names.flatMap((name) => factors[name].map((value) => ({ name, value })));
  // From here on a value is its index in `all`, and a row a list of such indexes.
  const choices = names.map((name) => [...all.keys()].filter((at) => all[at]?.name === name));
  const most = choices.toSorted((one, other) => other.length - one.length);
  const pair = (one: number, other: number) => one * all.length + other;
  // A byte for each pair, 1 while it is missing: sets took seconds in each process that wants the rows.
  const missing = new Uint8Array(all.length ** 2);
  for (const [one, { name }] of all.entries()) {
    for (const [other, at] of all.entries()) if (at.name !== name) missing[pair(one, other)] = 1;
  }
  const gain = (value: number, row: readonly number[]) => {
    let sum = 0;
    for (const other of row) sum += missing[pair(value, other)] ?? 0;
    return sum;
  };

  /** A missing pair; those of the factors with most values come first. */
  function firstMissing(): readonly number[] {
    for (const ones of most) {
      for (const others of most) {
        for (const one of ones) {
          const other = others.find((value) => missing[pair(one, value)] === 1);
          if (other !== undefined) return [one, other];
        }
      }
    }
    return [];
  }

  function grown(start: readonly number[]): readonly number[] {
    const row = [...start];
    for (const choice of shuffled(choices, draw)) {
      if (choice.some((value) => start.includes(value))) continue;
      // Starts at a random value, so that of equally good values not always the same is taken.
      const from = draw(choice.length);
      row.push(best([...choice.slice(from), ...choice.slice(0, from)], (value) => gain(value, row)));
    }
    return row;
  }

  const rows: Readonly<Record<Name, Value>>[] = [];
  for (let start = firstMissing(); start.length > 0; start = firstMissing()) {
    const row = best(
      Array.from({ length: attempts }, () => grown(start)),
      (each) => each.reduce((sum, value) => sum + gain(value, each), 0),
    );
    for (const one of row) for (const other of row) missing[pair(one, other)] = 0;
    const chosen = all.filter((_, at) => row.includes(at)).map(({ name, value }) => [name, value]);
    rows.push(Object.fromEntries(chosen) as Record<Name, Value>);
  }
  return rows;
}

/** The item of most worth; of equal ones the first. */
function best<Item>(items: readonly Item[], worth: (item: Item) => number): Item {
  const worths = items.map(worth);
  return items[worths.indexOf(Math.max(...worths))] as Item;
}

function shuffled<Item>(items: readonly Item[], draw: Draw): readonly Item[] {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = draw(at + 1);
    [order[at], order[other]] = [order[other] as Item, order[at] as Item];
  }
  return order;
}
