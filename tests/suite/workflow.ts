/** Runs flows against the reference service without the checks that ask for them, and tells their verdicts. */
import { expect } from '@playwright/test';
import type { FlowDefinition } from '../../harness/flows/flow.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import { checked, isJudgedByFlows, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import { type Verdict, worst } from '../../record/verdict.ts';
import type { Dialect } from '../../reference/dialect.ts';
import type { FaultId } from '../../reference/faults.ts';
import { startReferenceTarget, type Target } from '../../running/reference-target.ts';
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

/** The reference service in a situation, with the profile that flows have there. */
export async function startSituation({
  behave,
  change = () => ({}),
  ...service
}: Situation): Promise<Target> {
  const { loaded, close } = await startReferenceTarget(service);
  const { address } = loaded.profile;
  const proxy = behave && (await startProxy(address.baseUrl, behave));
  const between: Profile = {
    ...loaded.profile,
    address: { ...address, ...(proxy && { baseUrl: proxy.baseUrl }) },
    // What the reference service mails is there at once; less than this would blame nobody.
    outbox: { ...loaded.profile.outbox, waitMs: 1_000 },
  };
  return {
    loaded: { ...loaded, profile: { ...between, ...change(between) } },
    close: async () => {
      await close();
      await proxy?.close();
    },
  };
}

/** Ids of those that came to each verdict. Of what the flows say nothing, nothing is told. */
export async function flowVerdicts(
  flows: readonly FlowDefinition[],
  situation: Situation = {},
): Promise<Readonly<Record<Verdict, readonly RequirementId[]>>> {
  const start = () => startSituation(situation);
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

/** As `flowVerdicts`, where nobody may be blamed: nothing fails, and these requirements are among those that pass or are unproved. */
export async function expectNoBlame(
  flows: readonly FlowDefinition[],
  {
    passed = [],
    unproved = [],
    ...situation
  }: Situation & { readonly passed?: RequirementId[]; readonly unproved?: RequirementId[] },
) {
  const found = await flowVerdicts(flows, situation);
  expect(found.failed).toEqual([]);
  expect(found.passed).toEqual(expect.arrayContaining(passed));
  expect(found['could-not-run']).toEqual(expect.arrayContaining(unproved));
  return found;
}
