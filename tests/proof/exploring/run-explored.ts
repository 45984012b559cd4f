/** Explores the reference service, with a fault that only combinations show or without one, or the service of a dialect row. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exploration } from '../../../harness/exploring/explore.ts';
import { runDefaults } from '../../../harness/profile/run-options.ts';
import { RunSession } from '../../../harness/running/run-session.ts';
import type { Sequence } from '../../../record/sequence.ts';
import type { CombinedFaultId } from '../../../reference/faults/combined.ts';
import { startReferenceTarget } from '../../running/reference-target.ts';
import { dialectRow } from '../dialects/rows.ts';
import { withDialect } from '../dialects/session.ts';

export interface Given {
  readonly seed: number;
  readonly steps: number;
  /** Instead of drawn ones. */
  readonly sequence?: Sequence;
}

export interface ExploredResult extends Pick<Exploration, 'explored'> {
  /** Requirements that failed. */
  readonly red: readonly string[];
  readonly calls: number;
  readonly ms: number;
}

/** @param fault `null`: the service as it is */
export async function exploreFault(fault: CombinedFaultId | null, given: Given): Promise<ExploredResult> {
  const folder = await mkdtemp(join(tmpdir(), 'esign-explored-'));
  const target = await startReferenceTarget(fault === null ? {} : { faults: [fault] });
  const options = { ...runDefaults, out: folder, seed: given.seed, only: [], exploreSteps: given.steps };
  const run = { runId: 'explored', callbackUrl: 'http://127.0.0.1:9/', flows: [], profileDir: folder };
  const session = new RunSession(target.loaded, options, run);
  try {
    return await explored(session, given);
  } finally {
    await session.close();
    session.stages.assertWhole();
    await target.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A compliant service that fills the gaps in its own way. */
export async function exploreDialect(row: string, given: Given): Promise<ExploredResult | undefined> {
  let result: ExploredResult | undefined;
  await withDialect(dialectRow(row), async (session) => {
    result = await explored(session, given);
  });
  return result;
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
