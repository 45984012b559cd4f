/** Runs checks of the endpoints at a target in this process, and tells what came of each: cheaper than a whole run. */
import type { LoadedProfile } from '../../../harness/profile/load.ts';
import type { Profile } from '../../../harness/profile/schema.ts';
import type { RequirementId } from '../../../openapi/requirements/catalogue.ts';
import { loadJudgingChecks } from '../../../running/load-checks.ts';
import { runChecks } from '../../../running/run-checks.ts';
import { judged } from '../../proof/faults/run-fault.ts';
import { isOfFlows } from '../../proof/faults/selection.ts';
import { asLoaded, withSession } from '../../proof/session.ts';
import { startPlainService } from './plain-service.ts';
import { type Behaviour, startProxy } from './proxy.ts';

interface CheckedTarget {
  readonly baseUrl: string;
  readonly token: string;
  readonly deadlineMs: number;
}

/** As many as in a run of the command line. */
const atOnce = 8;

let checksOfAll: ReturnType<typeof loadJudgingChecks> | undefined;

/**
 * @param target an address with an access token, or a profile as it was loaded
 * @param ids the requirements to judge; without any, all but those that are judged from flows
 */
export async function checksAt(target: CheckedTarget | LoadedProfile, ids?: readonly RequirementId[]) {
  checksOfAll ??= loadJudgingChecks();
  const wanted = (id: RequirementId) => (ids ? ids.includes(id) : !isOfFlows(id));
  const checks = (await checksOfAll).filter((check) => check.ids.some(wanted));
  const loaded = 'profile' in target ? target : profileOf(target);
  const start = async () => ({ loaded, close: async () => undefined });
  return withSession(start, { runId: 'trouble', flows: [] }, async (session) => {
    const facts = await session.facts();
    const results = await runChecks(checks, {
      session,
      facts,
      atOnce,
      stop: new AbortController().signal,
      broken: (problem) => {
        throw new Error(problem);
      },
    });
    const requirements = judged(results, session);
    /** Ids of the requirements by their verdict. */
    const verdicts: Record<string, string[]> = {};
    for (const { id, verdict } of requirements) verdicts[verdict] = [...(verdicts[verdict] ?? []), id];
    return {
      verdicts,
      /** What is said about those that could not run. */
      reasons: requirements.flatMap(({ verdict, reason, checks: of }) =>
        verdict === 'could-not-run' ? (reason ?? of[0]?.rows[0]?.message ?? []) : [],
      ),
      /** What is said about those that failed, to be read where nobody ought to be blamed. */
      blame: requirements.flatMap(({ id, verdict, checks: of }) =>
        verdict === 'failed'
          ? of.flatMap(({ message, rows }) => [
              `${id}: ${message ?? ''}`,
              ...rows.flatMap((row) => (row.verdict === 'failed' ? (row.message ?? []) : [])),
            ])
          : [],
      ),
      exchanges: session.recorder.exchanges,
      observations: await session.observations(),
      requirements,
    };
  });
}

function profileOf({ baseUrl, token, deadlineMs }: CheckedTarget): LoadedProfile {
  const profile: Profile = { address: { baseUrl, deadlineMs }, auth: { kind: 'static', token } };
  return asLoaded(profile);
}

/** The checks at a correct service, with a proxy before it that may make trouble. */
export async function checksThrough(behave: Behaviour, deadlineMs: number, ids?: readonly RequirementId[]) {
  const service = await startPlainService();
  const proxy = await startProxy(service.baseUrl, behave);
  try {
    return await checksAt({ baseUrl: proxy.baseUrl, token: service.token, deadlineMs }, ids);
  } finally {
    await proxy.close();
    await service.close();
  }
}
