/** Chooses the flows of a run: all of them, or, where people sign by hand, no more requests than the profile asks for. */
import { event, type Role, role } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { actsByIds } from '../people/template-call.ts';
import type { Profile } from '../profile/schema.ts';
import { signingDefaults } from '../profile/signing-settings.ts';
import { isProduction } from '../profile/smoke.ts';
import type { FlowDefinition } from './flow.ts';
import type { FlowPlan } from './flow-plan.ts';
import type { WaitingLedger } from './resuming/ledger.ts';

interface FlowWishes {
  /** Whether observations may create requests. */
  readonly explore: boolean;
  /** Requirements that the run is about; absent: all. */
  readonly only: readonly string[] | undefined;
  /** Requirements that cannot be checked with this profile. */
  readonly notApplicable: Readonly<Record<string, string>>;
  readonly waiting: WaitingLedger | undefined;
}

/**
 * The flows that can be run. Left out are those that can prove nothing applicable, and those that only observe,
 * unless the run explores, is about all requirements, and the profile has the call that they need. A flow with more
 * signatories than a request may have is replaced by its parts, one that rests on a requirement which is not
 * applicable by another flow.
 */
function offeredFlows(
  flows: readonly FlowDefinition[],
  { calls, limits, signing }: Pick<Profile, 'calls' | 'limits' | 'signing'>,
  { explore, only, notApplicable }: Pick<FlowWishes, 'explore' | 'only' | 'notApplicable'>,
): readonly FlowDefinition[] {
  const exploring = explore && only === undefined;
  const most = limits?.signatories ?? Number.POSITIVE_INFINITY;
  const applies = (id: RequirementId) => notApplicable[id] === undefined;
  const withFew = (flow: FlowDefinition): readonly FlowDefinition[] =>
    flow.signatories.length > most && flow.parts ? flow.parts.flatMap(withFew) : [flow];
  return flows
    .map((flow) => replaced(flow, (id) => notApplicable[id] === undefined))
    .filter((flow) => flow.explores !== undefined || provable(flow).some(applies))
    .filter(({ explores }) => !explores || (exploring && calls?.[explores] !== undefined))
    .flatMap(withFew)
    .filter(({ neighbour }) => !neighbour || actsByIds({ signing, calls }));
}

function replaced(flow: FlowDefinition, applies: (id: string) => boolean): FlowDefinition {
  const [, other] = Object.entries(flow.without ?? {}).find(([id]) => !applies(id)) ?? [];
  return other ? replaced(other, applies) : flow;
}

/** The flows to run: all of them, if one of them can prove something that is wanted. */
export function neededFlows(
  offered: readonly FlowDefinition[],
  profile: Profile,
  wanted: (id: RequirementId) => boolean,
): readonly FlowDefinition[] {
  if (!profile.signing || isProduction(profile)) return [];
  return offered.some((flow) => flow.explores !== undefined || provable(flow).some(wanted)) ? offered : [];
}

export function chooseFlows(
  all: readonly FlowDefinition[],
  { signing, calls, limits }: Pick<Profile, 'signing' | 'calls' | 'limits'>,
  { explore, only, notApplicable, waiting }: FlowWishes,
) {
  const flows = offeredFlows(all, { calls, limits, signing }, { explore, only, notApplicable });
  if (signing?.driver !== 'manual') return { flows, notApplicable: {} };
  const wanted = (id: string) => notApplicable[id] === undefined && (!only || only.includes(id));
  const requests = signing.requests ?? signingDefaults.requests;
  // A resumed run creates no request, not even for flows that the first run left out.
  const resumed = waiting?.resumed ? waiting : undefined;
  const chosen = resumed
    ? flows.filter(({ name }) => resumed.left.includes(name))
    : theMostTelling(flows, requests, wanted);
  const kept = resumed ? flows.filter(({ name }) => resumed.names.includes(name)) : chosen;
  const tested = new Set(kept.flatMap(provable));
  const untested = [...new Set(flows.flatMap(provable))].filter((id) => wanted(id) && !tested.has(id));
  const reason = `people are asked to sign ${requests} requests (signing.requests), and this needs another one`;
  return { flows: chosen, notApplicable: Object.fromEntries(untested.map((id) => [id, reason])) };
}

/** Picks again and again the flow that proves most of what is still wanted; gives them in the order of the run. */
function theMostTelling(
  flows: readonly FlowDefinition[],
  most: number,
  wanted: (id: string) => boolean,
): readonly FlowDefinition[] {
  const chosen = new Set<FlowDefinition>();
  const tested = new Set<RequirementId>();
  const gain = (flow: FlowDefinition) => provable(flow).filter((id) => wanted(id) && !tested.has(id)).length;
  while (chosen.size < most) {
    const [best] = flows.filter((flow) => !chosen.has(flow)).sort((one, other) => gain(other) - gain(one));
    if (!best || gain(best) === 0) break;
    chosen.add(best);
    for (const id of provable(best)) tested.add(id);
  }
  return flows.filter((flow) => chosen.has(flow));
}

/** The requirements that a flow can prove: those that its plan names, and those that its people and callbacks show. */
export function provable(plan: FlowPlan): readonly RequirementId[] {
  const { proves, subscription, signatories, attached, stamped } = plan;
  const has = (...codes: readonly number[]) => codes.every((code) => subscription?.includes(code));
  const all = has(event.all);
  const { requestReceived: one, signatoryCompleted: two, processCompleted: three } = event;
  const having = (be: Role) => signatories.filter((each) => each.role === be);
  const shown: readonly (readonly [RequirementId, boolean])[] = [
    ['signatory.signatory-id-usable', !stamped],
    ['signing.signer-signs', having(role.signer).length > 0],
    ['otp.not-asked', having(role.signer).some(({ otp }) => otp === undefined)],
    ['events.optional', subscription === undefined],
    ['events.only-subscribed', subscription !== undefined && !all && !has(one, two, three)],
    ['events.to-callback-url', subscription !== undefined],
    ['events.request-received', has(one)],
    ['events.signatory-completed', has(two)],
    ['events.process-completed', has(three)],
    ['events.signatory-completed-after-action', all || has(two)],
    ['events.process-completed-last', all || has(three)],
    ['events.received-before-signatures', all || has(one, two)],
    ['events.signatures-before-completed', all || has(two, three)],
    ['events.request-received-first', all || has(one, three)],
    ['events.none-for-cc', (all || has(two)) && having(role.cc).length > 0],
    ['signing.color-no-effect', signatories.some(({ color }) => color !== undefined)],
    ['events.documents-attached', attached === true && (all || has(three))],
    ['events.documents-not-attached', attached === false && (all || has(three))],
  ];
  return [...new Set([...proves, ...shown.flatMap(([id, holds]) => (holds ? [id] : []))])];
}

const isCodedApprover = ({ role: part, otp }: FlowPlan['signatories'][number]) =>
  part === role.approver && otp !== undefined;

/** Requirements with checks of their own that the calls of a flow may violate as well. */
export function alsoShown({
  stamped,
  signatories,
  subscription = [],
  deleted,
}: FlowPlan): readonly RequirementId[] {
  return [
    ...(stamped ? [] : (['signatory.added'] as const)),
    ...(stamped || signatories.length < 2 ? [] : (['signatory.many'] as const)),
    ...(stamped || !signatories.some(isCodedApprover) ? [] : (['signatory.role-approver'] as const)),
    ...(subscription.length > 0 ? (['skeleton.callback-types'] as const) : []),
    ...(deleted ? (['signatory.deleted-request'] as const) : []),
  ];
}
