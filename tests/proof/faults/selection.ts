/** Which checks and flows run against a fault: those of its area, and a sample of the others. */
import { createHash } from 'node:crypto';
import { alsoShown, provable } from '../../../harness/flows/choose-flows.ts';
import { type FlowDefinition, withNeighbours } from '../../../harness/flows/flow.ts';
import { event } from '../../../openapi/codes.ts';
import { isJudgedByFlows, type RequirementId, requirement } from '../../../openapi/requirements/catalogue.ts';
import { type FaultId, faults } from '../../../reference/faults.ts';
import type { LoadedCheck } from '../../../running/load-checks.ts';

/** How large the samples are: one in so many. */
interface Samples {
  /** Of the other checks of the area; `firstOfRequirement` where the requirement has no earlier fault. */
  readonly area: number;
  readonly firstOfRequirement: number;
  /** Of the checks that call the operation of the fault. */
  readonly sameOperation: number;
  readonly other: number;
  /** Of the flows that cannot prove the fault's requirement or, where it is known which one shows the fault, of all. */
  readonly flow: number;
}

const usual: Samples = { area: 3, firstOfRequirement: 1, sameOperation: 6, other: 24, flow: 4 };

/** Enough to compare a known fault with what is known; where it comes out otherwise, the usual samples decide. */
const thin: Samples = { area: 18, firstOfRequirement: 12, sameOperation: 24, other: 48, flow: 24 };

export interface Selection {
  readonly checks: readonly LoadedCheck[];
  readonly flows: readonly FlowDefinition[];
}

/** How a fault was seen before: in single calls, or in the flow of this name. */
export type Known = { readonly flow: string | null };

/**
 * The checks of the fault's requirement, a sample of the others, the flows that can prove its requirement, and a sample of the
 * others. The samples are always the same for a fault, and differ between faults. Checks that are judged from flows are all
 * taken or none, since they cost nothing beside the flows.
 * @param known makes the samples thin. The flow that showed the fault takes the place of those that can prove the requirement
 * and of the plain ones, which are most flows and take most of the time; a fault that single calls showed needs no flow
 */
export function selectionFor(
  fault: FaultId,
  checks: readonly LoadedCheck[],
  flows: readonly FlowDefinition[],
  known?: Known,
): Selection {
  const { requirement: own } = faults[fault];
  const { area, operation } = requirement(own as RequirementId);
  const isFirst = Object.values(faults).find(({ requirement: id }) => id === own) === faults[fault];
  const samples = known ? thin : usual;
  // Drawn by name and not by position, so that a new check changes nothing for the others.
  const drawn = (name: string, oneIn: number) => isDrawn(`${fault} ${name}`, oneIn);
  const isFromFlows = ({ ids, tags }: LoadedCheck) => tags.includes('@flows') || ids.some(isOfFlows);
  const needsFlows = known
    ? known.flow !== null
    : checks.some((check) => isFromFlows(check) && check.ids.some((id) => id === own));
  const withFlows = needsFlows || drawn('flows', samples.other);
  const mayShow = (flow: FlowDefinition) =>
    withNeighbours([flow]).some((plan) =>
      known ? plan.name === known.flow : [...provable(plan), ...alsoShown(plan)].some((id) => id === own),
    );
  return {
    checks: checks.filter((check) => {
      if (isFromFlows(check)) return withFlows;
      const entries = check.ids.map(requirement);
      if (entries.some(({ id }) => id === own)) return true;
      if (entries.some((entry) => entry.area === area))
        return drawn(check.title, isFirst ? samples.firstOfRequirement : samples.area);
      const sameOperation = operation !== null && entries.some((entry) => entry.operation === operation);
      return drawn(check.title, sameOperation ? samples.sameOperation : samples.other);
    }),
    flows: flows.filter(
      (flow) => mayShow(flow) || (isPlain(flow) && !known?.flow) || drawn(flow.name, samples.flow),
    ),
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

/** Whether a name is in a sample of one in so many, always the same ones. */
export function isDrawn(name: string, oneIn: number): boolean {
  return createHash('sha256').update(name).digest().readUInt32BE() % oneIn === 0;
}

export function isOfFlows(id: string): boolean {
  return isJudgedByFlows(requirement(id as RequirementId));
}
