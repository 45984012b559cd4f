/** What is wrong with the result of a fault: it has to turn its own requirement red, and no other one. */
import { faults } from '../../../reference/faults.ts';
import type { FaultResult } from './fault-result.ts';

/** Sentences; none when the result is as it has to be. */
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
  const { requirement, alsoRed } = faults[fault];
  const allowed = [requirement, ...Object.keys(alsoRed)];
  return [
    ...broke,
    ...allowed.filter((id) => !redIds.includes(id)).map((id) => `${id} is not red: ${insteadOf(result, id)}`),
    ...redIds
      .filter((id) => !allowed.includes(id))
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
