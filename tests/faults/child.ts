/** A process that puts faults before the checks: takes their ids, several at a time, and tells what came of each. */
import { loadChecks } from './checks.ts';
import { runFault } from './run-fault.ts';
import { selectionFor } from './selection.ts';

export interface Job {
  /** Id of a fault; `null`: the service as it is. */
  readonly fault: string | null;
  readonly everyCheck: boolean;
}

const checks = await loadChecks();

process.on('message', ({ fault, everyCheck }: Job) => {
  const chosen = everyCheck || fault === null ? checks : selectionFor(fault, checks);
  runFault(fault, chosen).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ fault, broke: error.stack ?? error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
