/** What a fuzz run is told and what it tells. */

export interface FuzzRun {
  readonly inputs: number;
  readonly seed: number;
  /** Of a failure, to have that one input again. */
  readonly path?: string;
}

export interface FuzzResult {
  /** How often which status, or other outcome, was met. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Bytes that are held after the run and were not before. */
  readonly grownBytes: number;
}

/** What fast-check is given. */
export function parametersOf({ inputs, seed, path }: FuzzRun) {
  return {
    numRuns: path === undefined ? inputs : 1,
    seed,
    includeErrorInReport: true,
    ...(path === undefined ? {} : { path }),
  };
}

/** Counts outcomes. */
export class Outcomes {
  readonly #counts = new Map<string, number>();

  add(outcome: string | number): void {
    this.#counts.set(String(outcome), (this.#counts.get(String(outcome)) ?? 0) + 1);
  }

  all(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}
