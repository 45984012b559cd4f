/** Explores the reference service, with or without a fault that shows only in combinations, or the service of a dialect row. */
import type { Exploration } from '../../../harness/exploring/explore.ts';
import { graceDefaults } from '../../../harness/profile/callback-settings.ts';
import type { RunSession } from '../../../harness/session/run-session.ts';
import type { Sequence } from '../../../record/sequence.ts';
import type { CombinedFaultId } from '../../../reference/faults/combined.ts';
import type { FaultId } from '../../../reference/faults.ts';
import { flows } from '../../flows/all.ts';
import { dialectRow } from '../dialects/rows.ts';
import { withDialect } from '../dialects/session.ts';
import { changedReference, withSession } from '../session.ts';

export interface Given {
  readonly seed: number;
  readonly steps: number;
  readonly sequence?: Sequence;
  readonly untilFound?: boolean;
  /** Ends once every situation was seen. */
  readonly thorough?: boolean;
  /** How long an event may take to arrive; 10 s by default. */
  readonly arrivalMs?: number;
}

interface ExploredResult extends Pick<Exploration, 'explored'> {
  readonly red: readonly string[];
  readonly calls: number;
  readonly ms: number;
}

/** @param fault `null`: the service as it is */
export function exploreFault(fault: FaultId | CombinedFaultId | null, given: Given): Promise<ExploredResult> {
  const { arrivalMs } = { ...graceDefaults, ...given };
  return withSession(
    () =>
      changedReference({ faults: fault === null ? [] : [fault] }, ({ callbacks }) => ({
        callbacks: { ...callbacks, grace: { ...callbacks?.grace, arrivalMs } },
      })),
    {
      runId: 'explored',
      flows: [],
      options: { seed: given.seed, exploreSteps: given.steps },
    },
    (session) => explored(session, given),
  );
}

/** Explores a compliant service that fills the gaps in its own way. */
export function exploreDialect(row: string, given: Given): Promise<ExploredResult> {
  return withDialect(dialectRow(row), flows, (session) => explored(session, given));
}

async function explored(session: RunSession, given: Given): Promise<ExploredResult> {
  const began = performance.now();
  const stop = new AbortController().signal;
  const { explored: found, results } = await session.explore({ ...given, atOnce: 8, stop });
  return {
    explored: found,
    red: results.flatMap(({ id, verdict }) => (verdict === 'failed' ? [id] : [])),
    calls: session.recorder.exchanges.length,
    ms: Math.round(performance.now() - began),
  };
}
