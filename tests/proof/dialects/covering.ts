/** Few rows of settings in which every pair of values of two settings occurs: what the dialect rows are made of. */
import { type Draw, drawing } from '../../../generators/seed.ts';

type Value = string | number | boolean;
type Combination = Readonly<Record<string, Value>>;

/** The pairs of values of different factors that occur in none of the rows, each as `one=1 other=2`. */
export function uncovered(
  factors: Readonly<Record<string, readonly Value[]>>,
  rows: readonly Combination[],
): readonly string[] {
  const names = Object.keys(factors);
  const seen = new Set(rows.flatMap((row) => pairsOf(names, row)));
  return names.flatMap((one, index) =>
    names
      .slice(index + 1)
      .flatMap((other) =>
        (factors[one] ?? []).flatMap((value) =>
          (factors[other] ?? [])
            .map((otherValue) => `${one}=${value} ${other}=${otherValue}`)
            .filter((pair) => !seen.has(pair)),
        ),
      ),
  );
}

/** The pairs of values of a row, names in their order. */
function pairsOf(names: readonly string[], row: Combination): readonly string[] {
  const values = names.flatMap((name) => (row[name] === undefined ? [] : [`${name}=${row[name]}`]));
  return values.flatMap((one, index) => values.slice(index + 1).map((other) => `${one} ${other}`));
}

/** Rows that are tried for each one that is taken: more of them make the set a little smaller. */
const attempts = 6;

/**
 * Rows with a value for each factor, so few that no list of all combinations is needed, in which every pair of
 * values of two factors occurs (the greedy way of AETG: each row begins with a pair that is missing, and each
 * further factor takes the value with which most missing pairs come along). The same rows for the same factors
 * and seed.
 */
export function coveringRows<Name extends string>(
  factors: Readonly<Record<Name, readonly Value[]>>,
  seed: number,
): readonly Readonly<Record<Name, Value>>[] {
  const names = Object.keys(factors) as Name[];
  const values = names.map((name) => factors[name]);
  const missing = new Missing(values.map(({ length }) => length));
  const draw = drawing(seed, 'pairwise');
  const rows: Readonly<Record<Name, Value>>[] = [];
  for (let pair = missing.first(); pair; pair = missing.first()) {
    const start = pair;
    const candidates = Array.from({ length: attempts }, () => missing.grown(start, draw));
    const best = candidates.reduce((one, other) => (missing.gain(other) > missing.gain(one) ? other : one));
    missing.remove(best);
    const filled = names.map((name, index) => [name, values[index]?.[best[index] ?? 0]] as const);
    rows.push(Object.fromEntries(filled) as Record<Name, Value>);
  }
  return rows;
}

type Pair = readonly [factor: number, value: number, otherFactor: number, otherValue: number];

/** Which pairs of values do not occur yet; values are positions in the list of their factor. */
class Missing {
  readonly #sizes: readonly number[];
  /** Position of the first value of each factor in a row of all values. */
  readonly #offsets: readonly number[];
  readonly #total: number;
  readonly #pairs: Uint8Array;

  constructor(sizes: readonly number[]) {
    this.#sizes = sizes;
    let total = 0;
    this.#offsets = sizes.map((size) => {
      total += size;
      return total - size;
    });
    this.#total = total;
    this.#pairs = new Uint8Array(total * total).fill(1);
  }

  #at(factor: number, value: number, otherFactor: number, otherValue: number): number {
    return (
      ((this.#offsets[factor] ?? 0) + value) * this.#total + (this.#offsets[otherFactor] ?? 0) + otherValue
    );
  }

  /** A pair that is missing, of the factors with most values first. */
  first(): Pair | null {
    const order = this.#sizes.map((_, index) => index);
    order.sort((one, other) => (this.#sizes[other] ?? 0) - (this.#sizes[one] ?? 0));
    for (const factor of order) {
      for (const other of order) {
        if (other === factor) continue;
        for (let value = 0; value < (this.#sizes[factor] ?? 0); value += 1) {
          for (let otherValue = 0; otherValue < (this.#sizes[other] ?? 0); otherValue += 1) {
            if (this.#pairs[this.#at(factor, value, other, otherValue)] === 1)
              return [factor, value, other, otherValue];
          }
        }
      }
    }
    return null;
  }

  /** A row that begins with a pair; the other factors follow in an order of chance. */
  grown([factor, value, otherFactor, otherValue]: Pair, draw: Draw): readonly number[] {
    const row = this.#sizes.map(() => -1);
    row[factor] = value;
    row[otherFactor] = otherValue;
    const set = [factor, otherFactor];
    for (const next of shuffled(this.#sizes.length, draw)) {
      if (set.includes(next)) continue;
      const size = this.#sizes[next] ?? 0;
      // From a value of chance on, so that equals are taken in turn.
      const from = draw(size);
      let best = from;
      let most = -1;
      for (let step = 0; step < size; step += 1) {
        const candidate = (from + step) % size;
        const gain = set.reduce(
          (sum, other) => sum + (this.#pairs[this.#at(next, candidate, other, row[other] ?? 0)] ?? 0),
          0,
        );
        if (gain > most) [best, most] = [candidate, gain];
      }
      row[next] = best;
      set.push(next);
    }
    return row;
  }

  gain(row: readonly number[]): number {
    let sum = 0;
    this.#each(row, (at) => {
      sum += this.#pairs[at] ?? 0;
    });
    return sum / 2;
  }

  remove(row: readonly number[]): void {
    this.#each(row, (at) => {
      this.#pairs[at] = 0;
    });
  }

  /** Both ways round. */
  #each(row: readonly number[], work: (at: number) => void): void {
    for (const [factor, value] of row.entries()) {
      for (const [other, otherValue] of row.entries()) {
        if (other !== factor) work(this.#at(factor, value, other, otherValue));
      }
    }
  }
}

function shuffled(length: number, draw: Draw): readonly number[] {
  const order = Array.from({ length }, (_, index) => index);
  for (let at = length - 1; at > 0; at -= 1) {
    const other = draw(at + 1);
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
  return order;
}
