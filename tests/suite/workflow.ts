/** Runs flows against the reference service without the checks that ask for them, and tells their verdicts. */
import type { FlowDefinition } from '../../harness/flows/flow.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import { checked, isJudgedByFlows, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import { type Verdict, worst } from '../../record/verdict.ts';
import type { Dialect } from '../../reference/dialect.ts';
import type { FaultId } from '../../reference/faults.ts';
import { startReferenceTarget } from '../../running/reference-target.ts';
import { withSession } from '../proof/session.ts';
import { type Behaviour, startProxy } from './services/proxy.ts';

/** The requirements that flows judge. */
export const workflow = checked.filter(isJudgedByFlows);

/** What flows meet: another dialect or faults of the service, a proxy before it that makes trouble, and another profile. */
interface Situation {
  readonly dialect?: Partial<Dialect>;
  readonly faults?: readonly FaultId[];
  readonly behave?: Behaviour;
  /** Parts of the profile, which names the proxy by then. */
  readonly change?: (profile: Profile) => Partial<Profile>;
}

/** Ids of those that came to each verdict. Of what the flows say nothing, nothing is told. */
export async function flowVerdicts(
  flows: readonly FlowDefinition[],
  { behave, change = () => ({}), ...service }: Situation = {},
): Promise<Readonly<Record<Verdict, readonly RequirementId[]>>> {
  const start = async () => {
    const { loaded, close } = await startReferenceTarget(service);
    const { address } = loaded.profile;
    const proxy = await startProxy(address.baseUrl, behave);
    const between: Profile = {
      ...loaded.profile,
      address: { ...address, ...(behave && { baseUrl: proxy.baseUrl }) },
      // What the reference service mails is there at once; less than this would blame nobody.
      outbox: { ...loaded.profile.outbox, waitMs: 1_000 },
    };
    return {
      loaded: { ...loaded, profile: { ...between, ...change(between) } },
      close: async () => {
        await close();
        await proxy.close();
      },
    };
  };
  return withSession(start, { runId: 'workflow', flows }, async (session) => {
    const found = { error: [], failed: [], 'could-not-run': [], passed: [], 'not-applicable': [] } as Record<
      Verdict,
      RequirementId[]
    >;
    for (const { id } of workflow) {
      const { rows } = await session.evidence(id);
      if (rows.length > 0) found[worst(rows.map(({ verdict }) => verdict))].push(id);
    }
    return found;
  });
}
