/** Runs flows against the reference service without the checks that ask for them, and tells their verdicts. */
import type { FlowDefinition } from '../../harness/flows/flow.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import { checked, isJudgedByFlows, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import { type Verdict, worst } from '../../record/verdict.ts';
import type { FaultId } from '../../reference/faults.ts';
import { startReferenceTarget } from '../../running/reference-target.ts';
import { withSession } from '../proof/session.ts';
import { type Behaviour, startProxy } from './services/proxy.ts';

/** The requirements that flows judge. */
export const workflow = checked.filter(isJudgedByFlows);

/**
 * Ids of those that came to each verdict, with parts of the profile changed, behind a proxy that makes trouble, and with faults. Of
 * what the flows say nothing, nothing is told.
 */
export async function flowVerdicts(
  flows: readonly FlowDefinition[],
  change: (profile: Profile) => Partial<Profile>,
  behave?: Behaviour,
  faults: readonly FaultId[] = [],
): Promise<Readonly<Partial<Record<Verdict, readonly RequirementId[]>>>> {
  const start = async () => {
    const { loaded, close } = await startReferenceTarget({ faults });
    const { address } = loaded.profile;
    const proxy = await startProxy(address.baseUrl, behave);
    const between = { ...loaded.profile, address: { ...address, ...(behave && { baseUrl: proxy.baseUrl }) } };
    return {
      loaded: { ...loaded, profile: { ...between, ...change(between) } },
      close: async () => {
        await close();
        await proxy.close();
      },
    };
  };
  return withSession(start, { runId: 'workflow', flows }, async (session) => {
    const found: Partial<Record<Verdict, RequirementId[]>> = {};
    for (const { id } of workflow) {
      const { rows } = await session.evidence(id);
      if (rows.length === 0) continue;
      const verdict = worst(rows.map((row) => row.verdict));
      found[verdict] = [...(found[verdict] ?? []), id];
    }
    return found;
  });
}
