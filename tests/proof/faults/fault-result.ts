/** The result of one fault: which requirements turned red, by which rows, what could not run, and what is wrong with that. */
import { type FaultId, faults } from '../../../reference/faults.ts';

export interface RedRow {
  readonly row: string;
  /** What was expected and what was received, in words that are the same in each run. */
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
  /** The flow that shows the fault with no other flow beside it, where one was looked for and found. */
  readonly alone?: string;
}

/** What is wrong, in sentences; none when the fault turns its own requirement red, and no other one. */
export function inexactness(result: FaultResult): string[] {
  const { fault, red, couldNotRun, errors } = result;
  const broke = Object.entries(errors).map(([id, message]) => `${id} ended with an error: ${message}`);
  const redIds = Object.keys(red);
  if (fault === null) {
    const silent = Object.entries(couldNotRun).map(([id, reason]) => `${id} could not run: ${reason}`);
    return [
      ...broke,
      ...redIds.map((id) => `${id} is red without a fault: ${reasonOf(result, id)}`),
      ...silent,
    ];
  }
  const { requirement } = faults[fault];
  return [
    ...broke,
    ...(redIds.includes(requirement) ? [] : [`${requirement} is not red: ${insteadOf(result, requirement)}`]),
    ...redIds
      .filter((id) => id !== requirement)
      .map((id) => `${id} is red, which has nothing to do with it: ${reasonOf(result, id)}`),
  ];
}

function reasonOf({ red }: FaultResult, id: string): string {
  return (red[id] ?? []).map(({ row, reason }) => `${row}: ${reason}`).join('; ');
}

function insteadOf({ couldNotRun, ran }: FaultResult, id: string): string {
  const reason = couldNotRun[id];
  if (reason !== undefined) return `it could not run, ${reason}`;
  return ran.includes(id) ? 'its check passed' : 'its check did not run';
}
