/** The job of one fault: to run the checks against the service that has it. */
import type { FaultId } from '../../../reference/faults.ts';
import { loadJudgingChecks } from '../../../running/load-checks.ts';
import { flows } from '../../flows/all.ts';
import { type FaultResult, inexactness } from './fault-result.ts';
import { runFault } from './run-fault.ts';
import { type Known, selectionFor, selectionOfKnown } from './selection.ts';

export interface Job {
  /** `null`: the service as it is. */
  readonly fault: FaultId | null;
  readonly everyCheck: boolean;
  /** How the fault was seen before: tried first with few checks and flows, which take a fraction of the time of all. */
  readonly known?: Known | undefined;
}

const checks = loadJudgingChecks();

/** Runs the checks of the job; all of them for the service without a fault. */
export async function doJob({ fault, everyCheck, known }: Job): Promise<FaultResult> {
  const all = await checks;
  if (everyCheck || fault === null) return runFault(fault, { checks: all, flows });
  if (known) {
    const result = await runFault(fault, selectionOfKnown(fault, known, all, flows));
    if (inexactness(result).length === 0) return result;
  }
  return runFault(fault, selectionFor(fault, all, flows));
}
