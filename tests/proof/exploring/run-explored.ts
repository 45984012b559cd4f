/** Explores the reference service with a fault that only combinations show, or without one. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exploration } from '../../../harness/exploring/explore.ts';
import { runDefaults } from '../../../harness/profile/run-options.ts';
import { RunSession } from '../../../harness/running/run-session.ts';
import type { Sequence } from '../../../record/sequence.ts';
import type { CombinedFaultId } from '../../../reference/faults/combined.ts';
import { startReferenceTarget } from '../../running/reference-target.ts';

export interface ExploredJob {
  /** `null`: the service as it is. */
  readonly fault: CombinedFaultId | null;
  readonly seed: number;
  readonly steps: number;
  /** Instead of drawn ones. */
  readonly sequence?: Sequence;
}

export interface ExploredResult extends Pick<Exploration, 'explored'> {
  readonly fault: ExploredJob['fault'];
  readonly seed: number;
  /** Requirements that failed. */
  readonly red: readonly string[];
  readonly calls: number;
  readonly ms: number;
}

export async function runExplored({ fault, seed, steps, sequence }: ExploredJob): Promise<ExploredResult> {
  const folder = await mkdtemp(join(tmpdir(), 'esign-explored-'));
  const target = await startReferenceTarget(fault === null ? {} : { faults: [fault] });
  const options = { ...runDefaults, out: folder, seed, only: [], exploreSteps: steps };
  const given = { runId: 'explored', callbackUrl: 'http://127.0.0.1:9/', flows: [], profileDir: folder };
  const session = new RunSession(target.loaded, options, given);
  const began = performance.now();
  try {
    const stop = new AbortController().signal;
    const { explored, results } = await session.explore({ seed, steps, sequence, atOnce: 8, stop });
    return {
      fault,
      seed,
      explored,
      red: results.flatMap(({ id, verdict }) => (verdict === 'failed' ? [id] : [])),
      calls: session.recorder.exchanges.length,
      ms: Math.round(performance.now() - began),
    };
  } finally {
    await session.close();
    session.stages.assertWhole();
    await target.close();
    await rm(folder, { recursive: true, force: true });
  }
}
