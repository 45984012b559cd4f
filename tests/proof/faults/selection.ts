/** Which checks and flows run against a fault: those that may show it, and a sample of the others. */
import { createHash } from 'node:crypto';
import { alsoShown, provable } from '../../../harness/flows/choose-flows.ts';
import { type FlowDefinition, withNeighbours } from '../../../harness/flows/flow.ts';
import { event } from '../../../openapi/codes.ts';
import { isJudgedByFlows, type RequirementId, requirement } from '../../../openapi/requirements/catalogue.ts';
import { type FaultId, faults } from '../../../reference/faults.ts';
import type { LoadedCheck } from '../../../running/load-checks.ts';

/** How large the samples are: one in so many. */
const samples = {
  /** Of the other checks of the area; `firstOfRequirement` where the requirement has no earlier fault. */
  area: 3,
  firstOfRequirement: 1,
  /** Of the checks that call the operation of the fault. */
  sameOperation: 6,
  other: 24,
  /** Of the flows that cannot prove the fault's requirement. */
  flow: 4,
};

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
 */
export function selectionFor(
  fault: FaultId,
  checks: readonly LoadedCheck[],
  flows: readonly FlowDefinition[],
): Selection {
  const { requirement: own } = faults[fault];
  const { area, operation } = requirement(own as RequirementId);
  const isFirst = isFirstOfRequirement(fault);
  // Drawn by name and not by position, so that a new check changes nothing for the others.
  const drawn = (name: string, oneIn: number) => isDrawn(`${fault} ${name}`, oneIn);
  const withFlows =
    checks.some((check) => isFromFlows(check) && isOf(check, own)) || drawn('flows', samples.other);
  // Code 0 stands for each of the others, and so shows what becomes of acts.
  const isOfAll = ({ subscription }: FlowDefinition) =>
    ['events', 'signing'].includes(area) && subscription?.includes(event.all);
  const mayShow = (flow: FlowDefinition) =>
    withNeighbours([flow]).some((plan) => [...provable(plan), ...alsoShown(plan)].some((id) => id === own));
  return {
    checks: checks.filter((check) => {
      if (isFromFlows(check)) return withFlows;
      if (isOf(check, own)) return true;
      const entries = check.ids.map(requirement);
      if (entries.some((entry) => entry.area === area))
        return drawn(check.title, isFirst ? samples.firstOfRequirement : samples.area);
      const sameOperation = operation !== null && entries.some((entry) => entry.operation === operation);
      return drawn(check.title, sameOperation ? samples.sameOperation : samples.other);
    }),
    flows: flows.filter(
      (flow) => mayShow(flow) || isPlain(flow) || isOfAll(flow) || drawn(flow.name, samples.flow),
    ),
  };
}

/**
 * What shows a known fault: the checks of its requirement or, where a flow shows it, that flow with all that is judged from
 * flows. That nothing else turns red is seen here within these alone; where it comes out otherwise than it is known, the
 * usual selection decides.
 */
export function selectionOfKnown(
  fault: FaultId,
  { flow: shownBy }: Known,
  checks: readonly LoadedCheck[],
  flows: readonly FlowDefinition[],
): Selection {
  const own = faults[fault].requirement;
  return {
    checks: checks.filter((check) => isOf(check, own) || (shownBy !== null && isFromFlows(check))),
    flows: flows.filter((flow) => withNeighbours([flow]).some(({ name }) => name === shownBy)),
  };
}

const isFirstOfRequirement = (fault: FaultId): boolean =>
  Object.values(faults).find(({ requirement: id }) => id === faults[fault].requirement) === faults[fault];

/** Whether a sample of all faults has this one: the first of each requirement, and one in three of the others. */
export const isInSample = (fault: FaultId): boolean => isFirstOfRequirement(fault) || isDrawn(fault, 3);

const isOf = ({ ids }: LoadedCheck, own: string) => ids.some((id) => id === own);

const isFromFlows = ({ ids, tags }: LoadedCheck) => tags.includes('@flows') || ids.some(isOfFlows);

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
