/** The job of one fault: to run the checks against the service that has it. */
import type { FaultId } from '../../../reference/faults.ts';
import { loadJudgingChecks } from '../../../running/load-checks.ts';
import { flows } from '../../flows/all.ts';
import type { FaultResult } from './fault-result.ts';
import { runFault } from './run-fault.ts';
import { selectionFor } from './selection.ts';

export interface Job {
  /** `null`: the service as it is. */
  readonly fault: FaultId | null;
  readonly everyCheck: boolean;
}

const checks = loadJudgingChecks();

/** Runs the checks of the job; all of them for the service without a fault. */
export async function doJob({ fault, everyCheck }: Job): Promise<FaultResult> {
  const all = await checks;
  const everything = { checks: all, flows };
  return runFault(fault, everyCheck || fault === null ? everything : selectionFor(fault, all, flows));
}
