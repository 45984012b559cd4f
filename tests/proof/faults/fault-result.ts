/** What came of one fault: which requirements turned red, by which rows, and what could not run. */
import type { FaultId } from '../../../reference/faults.ts';

/** A row that failed. */
export interface RedRow {
  readonly row: string;
  /** What was expected and what came, in words that are the same in each run. */
  readonly reason: string;
}

export interface FaultResult {
  /** `null`: the service as it is. */
  readonly fault: FaultId | null;
  /** Requirements whose checks ran. */
  readonly ran: readonly string[];
  /** Titles of all rows, by requirement. */
  readonly rows: Readonly<Record<string, readonly string[]>>;
  readonly red: Readonly<Record<string, readonly RedRow[]>>;
  /** Reasons by requirement. */
  readonly couldNotRun: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
}
