/** Small samples of many combinations in which every pair of values occurs. */
type Combination = Readonly<Record<string, string | number | boolean>>;

/**
 * Takes combinations one by one, each time the one with most pairs not yet seen (the first of equals), until
 * no pair is missing: the same sample for the same list, always in its order.
 */
export function pairwise<T>(all: readonly T[], combinationOf: (item: T) => Combination): readonly T[] {
  const left = all.map((item) => ({ item, pairs: pairsOf(combinationOf(item)) }));
  const missing = new Set(left.flatMap(({ pairs }) => pairs));
  const taken = new Set<T>();
  while (missing.size > 0) {
    const gain = (pairs: readonly string[]) => pairs.filter((pair) => missing.has(pair)).length;
    const best = left.reduce((one, other) => (gain(other.pairs) > gain(one.pairs) ? other : one));
    taken.add(best.item);
    for (const pair of best.pairs) missing.delete(pair);
  }
  return all.filter((item) => taken.has(item));
}

/** The pairs of values of a combination, each as `one=1 other=2`; names in the order of the combination. */
export function pairsOf(combination: Combination): readonly string[] {
  const values = Object.entries(combination).map(([factor, value]) => `${factor}=${value}`);
  return values.flatMap((one, index) => values.slice(index + 1).map((other) => `${one} ${other}`));
}
