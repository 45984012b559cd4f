/** What a run may do to a target, counted beforehand: calls, objects, messages to people. */
import { otpType } from '../../openapi/codes.ts';
import { checked, type RequirementId } from '../../openapi/requirements/catalogue.ts';
import { offeredFlows } from '../flows/choose-flows.ts';
import { type FlowDefinition, type FlowPlan, withNeighbours } from '../flows/flow.ts';
import { notApplicable } from '../profile/needs.ts';
import type { RunOptions } from '../profile/run-options.ts';
import type { Profile } from '../profile/schema.ts';
import { type Cost, noCost, planFacts } from './plan-facts.ts';

/** Counts of a run in which the target answers each call, and as documented. */
export interface Plan {
  readonly calls: number;
  /** Objects that will be created. */
  readonly documents: number;
  readonly requests: number;
  readonly signatories: number;
  /** Of the requests, those that checks of `must`s, what these share, and flows need. */
  readonly requestsForMusts: number;
  /** Messages that the target may send to people, at most. */
  readonly emails: number;
  readonly sms: number;
}

export interface PlanBasis {
  readonly profile: Profile;
  readonly options: Pick<RunOptions, 'only' | 'explore' | 'manual'>;
  readonly flows: readonly FlowDefinition[];
}

/** Real counts lie within this share of the planned ones, as long as the target is not in trouble. */
export const planBound = 0.15;

/** Places in one shared request, unless the profile has a limit. */
const signatoriesOfRequest = 10;

/** Counts what the checks, what they share, the flows, the observations and the removal at the end come to. */
export function planOf({ profile, options, flows }: PlanBasis): Plan {
  const without = notApplicable(profile, options);
  const checks = checked.filter(
    ({ id }) => without[id] === undefined && (!options.only || options.only.includes(id)),
  );
  const costs = options.explore ? { ...planFacts.checks, ...planFacts.checksExplored } : planFacts.checks;
  const own = sum(checks.map(({ id }) => costs[id] ?? noCost));
  // Observations have no requirement, so that a selection leaves them out.
  const seen = sum(options.only ? [] : [planFacts.observations[options.explore ? 'explored' : 'usual']]);
  const offered = offeredFlows(flows, profile, {
    explore: options.explore,
    only: options.only,
    notApplicable: without,
  });
  // What only explores stands among the observations.
  const judging = offered.filter(({ explores }) => !explores);
  const flowing = profile.signing ? judging.filter((flow) => provesOne(flow, checks)) : [];
  const acted = sum(flowing.length > 0 ? withNeighbours(judging).map((flow) => costOf(flow)) : []);
  const spent = sum([own, seen]);
  const shared = sharedCost(spent, profile);
  const all = sum([own, seen, shared, acted]);
  const others = sum(checks.filter(({ level }) => level !== 'must').map(({ id }) => costs[id] ?? noCost));
  const removals =
    (profile.calls?.deleteRequest ? all.requests : 0) +
    (profile.calls?.invalidateDocument ? all.documents : 0);
  return {
    calls: Math.round(all.calls) + removals,
    documents: all.documents,
    requests: all.requests,
    signatories: all.signatories,
    requestsForMusts: all.requests - others.requests - seen.requests,
    ...messages(profile, all, flowing.length > 0 ? withNeighbours(offered) : []),
  };
}

const counted = Object.keys(noCost) as (keyof Cost)[];

function sum(costs: readonly Partial<Cost>[]): Cost {
  const total = (what: keyof Cost) => costs.reduce((all, each) => all + (each[what] ?? 0), 0);
  return { ...noCost, ...Object.fromEntries(counted.map((what) => [what, total(what)])) };
}

function provesOne({ proves }: FlowDefinition, checks: readonly { readonly id: RequirementId }[]): boolean {
  return proves.some((id) => checks.some((check) => check.id === id));
}

/** Calls that checks share: two documents, a call of each kind, requests with room for signatories. */
function sharedCost({ calls, slots }: Cost, { limits, create }: Profile): Cost {
  if (calls === 0) return noCost;
  const room = limits?.signatories ?? signatoriesOfRequest;
  const skeletons = Math.max(1, Math.ceil((slots + 1) / room));
  const creations = 2 + (create?.template ? 1 : 0) + (create?.fixed ? 1 : 0);
  return {
    calls: 2 + skeletons + 1 + creations,
    documents: 2,
    requests: skeletons + creations,
    slots: 1,
    signatories: 1,
    people: creations,
  };
}

/** Uploads, the creation, its signatories, and the calls by which people act and messages are read. */
function costOf({ documents, signatories, stamps }: FlowPlan): Cost {
  const added = stamps ? 0 : signatories.length;
  return {
    calls: documents.length + 1 + added + planFacts.callsOfFlow,
    documents: documents.length,
    requests: 1,
    slots: 0,
    signatories: added,
    people: stamps ? signatories.length : 0,
  };
}

/**
 * At most: each person of a request that is sent gets an invitation and the final copy, and who is asked for a
 * code by a channel gets two of them there. Requests of types 1 to 3 count as sent, since the document does not say.
 */
function messages(
  { signing }: Profile,
  { people, signatories }: Cost,
  flows: readonly FlowPlan[],
): Pick<Plan, 'emails' | 'sms'> {
  const acting = flows.flatMap((flow) => flow.signatories);
  const invited = signing && (signing.send ?? 'call') !== 'call' ? signatories : added(flows);
  const codes = (types: readonly number[]) =>
    acting.filter(({ otp }) => otp !== undefined && types.includes(otp)).length * 2;
  const byMail = [otpType.email, otpType.emailAndSms];
  const bySms = [otpType.sms, otpType.emailAndSms];
  return { emails: people + invited + acting.length + codes(byMail), sms: codes(bySms) };
}

function added(flows: readonly FlowPlan[]): number {
  return flows.filter(({ stamps }) => !stamps).reduce((total, each) => total + each.signatories.length, 0);
}
