/** Which checks and flows run against a fault: those of its area, and a sample of the others. */
import { createHash } from 'node:crypto';
import { alsoShown, provable } from '../../../harness/flows/choose-flows.ts';
import { type FlowDefinition, withNeighbours } from '../../../harness/flows/flow.ts';
import { event } from '../../../openapi/codes.ts';
import { isJudgedByFlows, type RequirementId, requirement } from '../../../openapi/requirements/catalogue.ts';
import { type FaultId, faults } from '../../../reference/faults.ts';
import type { LoadedCheck } from '../../../running/load-checks.ts';

/**
 * How large the samples are: one in so many of the other checks of the area, where the requirement has an earlier fault; of
 * the checks that call the operation of the fault; of the rest; and of the flows that cannot prove the fault's requirement, or,
 * where it is known which one shows the fault, of all flows.
 */
const spread = { area: 3, sameOperation: 6, other: 24, flow: 4, flowBesideKnown: 8 };

export interface Selection {
  readonly checks: readonly LoadedCheck[];
  readonly flows: readonly FlowDefinition[];
}

/**
 * The checks of the fault's requirement; those of its area, all for the first fault of the requirement and one in three for
 * further ones; one in six of the others that call its operation, and one in 24 of the rest; the flows that can prove its
 * requirement, and one in four of the others. The sample is always the same for a fault, and differs between faults. Checks that are judged from flows are all taken or none, since they cost nothing beside the flows.
 * @param known the name of a flow that shows the fault: it takes the place of those that can prove the requirement, which are
 * most flows, and take most of the time
 */
export function selectionFor(
  fault: FaultId,
  checks: readonly LoadedCheck[],
  flows: readonly FlowDefinition[],
  known?: string,
): Selection {
  const { requirement: own } = faults[fault];
  const { area, operation } = requirement(own as RequirementId);
  const isFirst = Object.values(faults).find(({ requirement: id }) => id === own) === faults[fault];
  // Drawn by name and not by position, so that a new check changes nothing for the others.
  const drawn = (name: string, oneIn: number) =>
    createHash('sha256').update(`${fault} ${name}`).digest().readUInt32BE() % oneIn === 0;
  const withFlows = isOfFlows(own) || drawn('flows', spread.other);
  const mayShow = (flow: FlowDefinition) =>
    withNeighbours([flow]).some((plan) =>
      known === undefined
        ? [...provable(plan), ...alsoShown(plan)].some((id) => id === own)
        : plan.name === known,
    );
  const oneInFlows = known === undefined ? spread.flow : spread.flowBesideKnown;
  return {
    checks: checks.filter(({ ids, title }) => {
      const entries = ids.map(requirement);
      if (entries.some(({ id }) => isOfFlows(id))) return withFlows;
      if (entries.some(({ id }) => id === own)) return true;
      if (entries.some((entry) => entry.area === area)) return isFirst || drawn(title, spread.area);
      const sameOperation = operation !== null && entries.some((entry) => entry.operation === operation);
      return drawn(title, sameOperation ? spread.sameOperation : spread.other);
    }),
    flows: flows.filter((flow) => mayShow(flow) || isPlain(flow) || drawn(flow.name, oneInFlows)),
  };
}

/**
 * Whether a flow has one signer, and event 3 alone or not at all. That event 3 comes is needed to see whom other requests wait
 * for, and that of event 1 is under way at once: callbacks of others may go to its CallbackUrl.
 */
function isPlain({ signatories, subscription = [] }: FlowDefinition): boolean {
  const [code, ...others] = subscription;
  const isAlone = code === event.processCompleted && others.length === 0;
  return signatories.length === 1 && (code === event.requestReceived || isAlone);
}

export function isOfFlows(id: string): boolean {
  return isJudgedByFlows(requirement(id as RequirementId));
}
