/** Counts beforehand what a run will do to a target: calls, objects, messages to people. */
import { readFileSync } from 'node:fs';
import { otpType } from '../../openapi/codes.ts';
import {
  type CatalogueEntry,
  checked,
  isJudgedByFlows,
  type RequirementId,
} from '../../openapi/requirements/catalogue.ts';
import { chooseFlows, neededFlows } from '../flows/choose-flows.ts';
import { type FlowDefinition, withNeighbours } from '../flows/flow.ts';
import type { FlowPlan } from '../flows/flow-plan.ts';
import { notApplicable } from '../profile/needs.ts';
import type { RunOptions } from '../profile/run-options.ts';
import { limitsByDefault, type Profile } from '../profile/schema.ts';
import { isProduction } from '../profile/smoke.ts';
import { keptForRefusals } from '../target/budgets/requests.ts';

/** The calls of a check and what they create. `slots`: places taken in shared requests. `people`: those of requests of types 1 to 3. */
export interface Cost {
  readonly calls: number;
  readonly requests: number;
  readonly documents: number;
  readonly slots: number;
  readonly signatories: number;
  readonly people: number;
}

const noCost: Cost = { calls: 0, requests: 0, documents: 0, slots: 0, signatories: 0, people: 0 };

/** The content of plan-facts.json; counts that are 0 are left out. */
export interface PlanFacts {
  /** By requirement. One that is missing costs nothing of its own: it uses shared calls or flows. */
  readonly checks: Readonly<Record<string, Partial<Cost>>>;
  /** Checks that cost something else with --explore. */
  readonly checksExplored: Readonly<Record<string, Partial<Cost>>>;
  /** Calls that are observed and not judged. */
  readonly observations: Readonly<Record<'usual' | 'explored', Partial<Cost>>>;
  /** Calls of a flow, on average, besides those that create its request: refused ones, sending, signing, reading messages. */
  readonly callsOfFlow: number;
}

/** Counted in runs against the reference service: bench/plan-facts.ts writes it. */
const planFacts: PlanFacts = JSON.parse(readFileSync(new URL('./plan-facts.json', import.meta.url), 'utf8'));

/** Counts of a run in which the target answers every call as documented. */
export interface RunPlan {
  readonly calls: number;
  readonly documents: number;
  /** Includes those that are kept for calls that should be refused: a limit of this number leaves none over. */
  readonly requests: number;
  readonly signatories: number;
  /** How many of the requests are needed for `must`s: by their checks, by shared calls, and by flows. */
  readonly requestsForMusts: number;
  /** Messages that the target may send to people, at most. */
  readonly emails: number;
  readonly sms: number;
}

interface PlanBasis {
  readonly profile: Profile;
  readonly options: Pick<RunOptions, 'only' | 'explore' | 'manual'>;
  readonly flows: readonly FlowDefinition[];
}

/** Real counts lie within this share of the planned ones, as long as the target is not in trouble. */
export const planBound = 0.15;

const closedEarly = 2;

/** Counts the checks, the shared calls, the flows, the observations and the removal at the end. */
export function planOf({ profile, options, flows }: PlanBasis): RunPlan {
  const unavailable = notApplicable(profile, options);
  const { explore, only } = options;
  const wishes = { explore, only, notApplicable: unavailable, waiting: undefined };
  const chosen = chooseFlows(flows, profile, wishes);
  const without = { ...chosen.notApplicable, ...unavailable };
  const wanted = (id: RequirementId) => without[id] === undefined && (!only || only.includes(id));
  const checks = checked.filter(({ id }) => wanted(id));
  const costs = explore ? { ...planFacts.checks, ...planFacts.checksExplored } : planFacts.checks;
  const own = sum(checks.map(({ id }) => costs[id] ?? noCost));
  // Observations belong to no requirement, so a selection leaves them out.
  const seen = sum(only ? [] : [planFacts.observations[explore ? 'explored' : 'usual']]);
  const made = withNeighbours(neededFlows(chosen.flows, profile, wanted));
  // Flows that only explore are counted among the observations.
  const acted = sum(made.filter(({ explores }) => !explores).map((flow) => costOf(flow)));
  const ends = endings.flatMap(({ by, cost }) =>
    without[by[0]] === undefined && by.some(wanted) ? [cost] : [],
  );
  const shared = sum([sharedCost(checks, sum([own, seen]), profile, only === undefined), ...ends]);
  const all = sum([own, seen, shared, acted]);
  const others = sum(checks.filter(({ level }) => level !== 'must').map(({ id }) => costs[id] ?? noCost));
  const removals =
    (profile.calls?.deleteRequest ? all.requests : 0) +
    (profile.calls?.invalidateDocument ? all.documents : 0);
  return {
    calls: Math.round(all.calls) + removals,
    documents: all.documents,
    requests: all.requests + (isProduction(profile) ? 0 : keptForRefusals),
    signatories: all.signatories,
    requestsForMusts: all.requests - others.requests - seen.requests,
    ...messages(profile, all, made),
  };
}

const counted = Object.keys(noCost) as (keyof Cost)[];

function sum(costs: readonly Partial<Cost>[]): Cost {
  const total = (what: keyof Cost) => costs.reduce((all, each) => all + (each[what] ?? 0), 0);
  return { ...noCost, ...Object.fromEntries(counted.map((what) => [what, total(what)])) };
}

/** Signature requests that exploring may create: at most one a step; by time, at most ten a second. */
export function exploredRequests({
  exploreSteps,
  exploreMs = 0,
}: Pick<RunOptions, 'exploreSteps' | 'exploreMs'>): number {
  return exploreSteps ?? Math.ceil(exploreMs / 100);
}

/** Objects that checks share and end; none is made where the first requirement in `by` is not applicable. */
const endings = [
  {
    by: ['signatory.deleted-request', 'signatory.unknown-request-message'],
    cost: { calls: 2, requests: 1, signatories: 1 },
  },
  {
    by: ['skeleton.invalidated-document', 'skeleton.unknown-document-message'],
    cost: { calls: 1, documents: 1 },
  },
] as const;

/** Calls that checks share: documents, a call of each kind that some check needs, requests with room for signatories. */
function sharedCost(
  checks: readonly CatalogueEntry[],
  { slots }: Cost,
  { limits, create, signing }: Profile,
  observes: boolean,
): Cost {
  const areas = new Set(checks.filter((entry) => !isJudgedByFlows(entry)).map(({ area }) => area));
  const has = (...names: readonly string[]) => names.some((name) => areas.has(name));
  const asks = (id: string) =>
    checks.some((entry) => entry.id === id || entry.id.startsWith('create.token-'));
  if (checks.length === 0 && !observes) return noCost;
  const adds = has('signatory', 'otp') || observes;
  const room = limits?.signatories ?? limitsByDefault.signatories;
  // Requests that the service sends by itself may close before they are full.
  const closed = signing?.send === 'delay' ? closedEarly : 0;
  const rooms = adds ? Math.ceil((slots + 1) / room) + closed : has('skeleton', 'service') ? 1 : 0;
  const creations = [
    has('stamping') || observes,
    asks('create.stamping-200') || observes,
    create?.template !== undefined && asks('create.template-200'),
    create?.fixed !== undefined && asks('create.fixed-200'),
  ].filter(Boolean).length;
  const documents = has('skeleton', 'stamping', 'create') || observes ? 2 : 1;
  const signatories = adds ? 1 : 0;
  return {
    calls: documents + rooms + signatories + creations,
    documents,
    requests: rooms + creations,
    slots: signatories,
    signatories,
    people: creations,
  };
}

/** Uploads, the creation, its signatories, and the calls by which people act and messages are read. */
function costOf({ documents, signatories, stamped }: FlowPlan): Cost {
  const added = stamped ? 0 : signatories.length;
  return {
    calls: documents.length + 1 + added + planFacts.callsOfFlow,
    documents: documents.length,
    requests: 1,
    slots: 0,
    signatories: added,
    people: stamped ? signatories.length : 0,
  };
}

/**
 * At most: each person of a sent request gets an invitation and the final copy, and a person who needs a code gets two
 * by its channel. Requests of types 1 to 3 count as sent, since the document does not say.
 */
function messages(
  { signing }: Profile,
  { people, signatories }: Cost,
  flows: readonly FlowPlan[],
): Pick<RunPlan, 'emails' | 'sms'> {
  const acting = flows.flatMap((flow) => flow.signatories);
  const invited = signing && (signing.send ?? 'call') !== 'call' ? signatories : added(flows);
  const codes = (types: readonly number[]) =>
    acting.filter(({ otp }) => otp !== undefined && types.includes(otp)).length * 2;
  const byMail = [otpType.email, otpType.emailAndSms];
  const bySms = [otpType.sms, otpType.emailAndSms];
  return { emails: people + invited + acting.length + codes(byMail), sms: codes(bySms) };
}

function added(flows: readonly FlowPlan[]): number {
  return flows.filter(({ stamped }) => !stamped).reduce((total, each) => total + each.signatories.length, 0);
}
