/** Where each exchange stands on the page: at the row that it decides, or among the other calls. */
import type { Exchange } from '../../record/exchange.ts';
import type { Run, RunCheck } from '../run.ts';

type Row = RunCheck['rows'][number];

/** Decides once for a run, so that no exchange stands on the page twice. */
export class Placing {
  readonly #rows = new Map<number, Row>();
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
    const all = run.requirements.flatMap((requirement) =>
      requirement.checks.flatMap(({ rows }) => rows.map((row) => ({ requirement, row }))),
    );
    // The requirement whose check made a call comes before others that look at it too.
    for (const own of [true, false]) {
      for (const { requirement, row } of all) {
        for (const index of row.exchanges) {
          if (this.#rows.has(index) || (own && run.exchanges[index]?.check !== requirement.id)) continue;
          this.#rows.set(index, row);
        }
      }
    }
  }

  /** The exchanges that are shown at this row, and the numbers of those that it only names. */
  at(row: Row): { readonly shown: readonly Exchange[]; readonly named: readonly number[] } {
    const shown = row.exchanges.flatMap((index) => {
      const exchange = this.#run.exchanges[index];
      return exchange && this.#rows.get(index) === row ? [exchange] : [];
    });
    const named = row.exchanges.filter(
      (index) => this.#rows.get(index) !== row && this.#run.exchanges[index],
    );
    // They are numbered as they were sent; the decisive one, which is last among the references, is marked.
    shown.sort((one, other) => one.index - other.index);
    return { shown: [...new Set(shown)], named: [...new Set(named)] };
  }

  /** The exchanges that no row shows. */
  others(): readonly Exchange[] {
    return this.#run.exchanges.filter(({ index }) => !this.#rows.has(index));
  }
}
