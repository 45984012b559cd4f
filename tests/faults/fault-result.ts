/** What came of one fault: which requirements turned red, by which rows, and what could not run. */

/** A row that failed, in words that are the same in each run. */
export interface RedRow {
  readonly row: string;
  /** What was expected and what came, without ids and bodies. */
  readonly reason: string;
}

export interface FaultResult {
  readonly fault: string;
  /** Ids of the checks that ran, by their first requirement. */
  readonly ran: readonly string[];
  /** Rows that passed, as `<requirement> / <row>`; only where there is no fault. */
  readonly rows: readonly string[];
  readonly red: Readonly<Record<string, readonly RedRow[]>>;
  readonly couldNotRun: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
}
