/** Runs some checks at a target in this process, and tells what came of each: cheaper than a whole run. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadedProfile } from '../../../harness/profile/load.ts';
import { runDefaults } from '../../../harness/profile/run-options.ts';
import { RunSession } from '../../../harness/running/run-session.ts';
import type { RequirementId } from '../../../openapi/requirements/catalogue.ts';
import { judged } from '../../proof/faults/run-fault.ts';
import { type LoadedCheck, loadJudgingChecks } from '../../running/load-checks.ts';
import { runCheck } from '../../running/run-check.ts';

export interface CheckedAt {
  /** Ids of the requirements by their verdict. */
  readonly verdicts: Readonly<Record<string, readonly string[]>>;
  /** What is said about those that could not run. */
  readonly reasons: readonly string[];
  /** What is said about those that failed, to be read where nobody ought to be blamed. */
  readonly blame: readonly string[];
  readonly calls: number;
  readonly tookMs: number;
}

let loaded: Promise<readonly LoadedCheck[]> | undefined;

export async function checksAt(
  target: {
    readonly baseUrl: string;
    readonly token: string;
    readonly deadlineMs: number;
    readonly ca?: string;
  },
  ids: readonly RequirementId[],
): Promise<CheckedAt> {
  loaded ??= loadJudgingChecks();
  const checks = (await loaded).filter((check) => check.ids.some((id) => ids.includes(id)));
  const folder = await mkdtemp(join(tmpdir(), 'esign-trouble-'));
  const { baseUrl, token, deadlineMs, ca } = target;
  const profile: LoadedProfile = {
    profile: { address: { baseUrl, deadlineMs }, auth: { kind: 'static', token } },
    hash: '',
    secrets: new Map(),
    ...(ca === undefined ? {} : { ca }),
  };
  const session = new RunSession(
    profile,
    { ...runDefaults, out: folder },
    { runId: 'trouble', callbackUrl: 'http://127.0.0.1:9/', flows: [], profileDir: folder },
  );
  const started = performance.now();
  try {
    const facts = await session.facts();
    const results = (await Promise.all(checks.map((check) => runCheck(check, { session, facts })))).flat();
    const requirements = judged(results, session);
    const verdicts: Record<string, string[]> = {};
    for (const { id, verdict } of requirements) verdicts[verdict] = [...(verdicts[verdict] ?? []), id];
    return {
      verdicts,
      reasons: requirements.flatMap(({ verdict, reason, checks: of }) =>
        verdict === 'could-not-run' ? (reason ?? of[0]?.rows[0]?.message ?? []) : [],
      ),
      blame: requirements.flatMap(({ id, verdict, checks: of }) =>
        verdict === 'failed'
          ? of.flatMap(({ message, rows }) => [
              `${id}: ${message ?? ''}`,
              ...rows.flatMap((row) => row.message ?? []),
            ])
          : [],
      ),
      calls: session.recorder.exchanges.length,
      tookMs: performance.now() - started,
    };
  } finally {
    await session.close();
    await rm(folder, { recursive: true, force: true });
  }
}
