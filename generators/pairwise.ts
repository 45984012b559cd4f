/** Pairs of values: what one of many combinations has, so that it can be told which were seen. */
type Combination = Readonly<Record<string, string | number | boolean>>;

/** The pairs of values of a combination, each as `one=1 other=2`; names in the order of the combination. */
export function pairsOf(combination: Combination): readonly string[] {
  const values = Object.entries(combination).map(([factor, value]) => `${factor}=${value}`);
  return values.flatMap((one, index) => values.slice(index + 1).map((other) => `${one} ${other}`));
}
