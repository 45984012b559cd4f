/** The job of one fault: to run the checks against the service that has it. */
import { type FaultId, faults } from '../../../reference/faults.ts';
import { loadJudgingChecks } from '../../../running/load-checks.ts';
import { flows } from '../../flows/all.ts';
import { type FaultResult, inexactness } from './fault-result.ts';
import { runFault } from './run-fault.ts';
import { type Known, selectionFor, selectionOfKnown } from './selection.ts';
import { isFlow, smallestFirst } from './table.ts';

export interface Job {
  /** `null`: the service as it is. */
  readonly fault: FaultId | null;
  readonly everyCheck: boolean;
  /**
   * How the fault was seen before: tried first with few checks and flows, which take a fraction of the time of all. `look`:
   * a flow is looked for that shows it alone, and will be known from then on.
   */
  readonly known?: Known | 'look' | undefined;
}

const checks = loadJudgingChecks();

/** Runs the checks of the job; all of them for the service without a fault. */
export async function doJob({ fault, everyCheck, known }: Job): Promise<FaultResult> {
  const all = await checks;
  if (everyCheck || fault === null) return runFault(fault, { checks: all, flows });
  const alone = (row: string | null) => runFault(fault, selectionOfKnown(fault, { flow: row }, all, flows));
  if (known && known !== 'look') {
    const result = await alone(known.flow);
    if (inexactness(result).length === 0) return result;
  }
  const result = await runFault(fault, selectionFor(fault, all, flows));
  if (known !== 'look') return result;
  for (const { row } of smallestFirst(result.red[faults[fault].requirement] ?? [])) {
    if (!isFlow(row)) break;
    if (inexactness(await alone(row)).length === 0) return { ...result, alone: row };
  }
  return result;
}
