/** What all flows together have shown; `settle.ts` excuses failures by it, or blames another requirement. Pure. */
import { event, otpType, role } from '../../../openapi/codes.ts';
import type { RequirementId } from '../../../openapi/requirements/catalogue.ts';
import type { Plan } from '../../../record/facts.ts';
import type { Cause } from '../../../record/finding.ts';
import type { FlowJudgement } from './judgement.ts';
import type { oddAnswers, SendingCall } from './odd-answers.ts';

/** What is known of the listener and of the run. */
export interface Around {
  /** Why a missing callback proves nothing in this run. */
  readonly silence?: Cause;
  /** The run resumes another one, and nobody listened in between. */
  readonly resumed: boolean;
  /** By event code, how many milliseconds after the last action its callbacks came. */
  readonly lateMs?: ReadonlyMap<number, readonly number[]>;
  /** The target sends requests before the profile's call: people asked by then need not wait for those added later. */
  readonly sendsEarly?: boolean | 'unknown';
  /** The profile's call for codes has a name that does not say that it sends them. */
  readonly mayNotAsk?: boolean;
  /** What a gateway changes in each call between the public URL and the listener. */
  readonly onTheWay?: string | undefined;
  /** The profile may have exchanged the calls to sign and to approve: their names do not tell which is which. */
  readonly mayBeExchanged?: boolean;
  /** Exchanges answered with web pages of something other than the service: nobody knows whether these were done. */
  readonly foreignPages?: ReadonlySet<number>;
  /** Refusals for the access token of the run, by exchange, each with an exchange in which that token was refused. */
  readonly denied?: ReadonlyMap<number, number>;
}

/** Why nobody knows whether a call was done, by its exchange. */
export type Doubts = ReadonlyMap<number, Cause>;

/** The parts of an ended flow that are used here. */
export interface EndedFlow {
  readonly plan: Plan;
  readonly run: {
    readonly request: {
      readonly definition: {
        readonly stamped?: true;
        readonly signatories?: readonly { readonly otp?: number; readonly idleOtp?: number }[];
        readonly neighbour?: unknown;
      };
      readonly beside?: unknown;
      /** `hasAddition`: whether an addition was refused. */
      readonly refusals: { readonly hasAddition: boolean };
      /** Exchanges of calls that the flow took as done, and went on from. */
      readonly wentOnFrom: readonly number[];
      /** The answer to the call that sent the request; absent if it is sent in another way. */
      readonly sentBy?: SendingCall;
    };
    /** The acts that the target accepted. */
    readonly completed: readonly (Pick<FlowJudgement, 'afterTry'> & {
      readonly signatory: number;
      readonly exchange?: number | undefined;
    })[];
    readonly answers: Parameters<typeof oddAnswers>[0][number]['answers'];
  };
}

/** A person who does not have to act: a CC, or somebody whose addition was refused. */
export type Idle = 'cc' | 'refused';

const acts = ['sign', 'approve'] as const;
type Act = (typeof acts)[number];
const actOf = (of: number | undefined): Act => (of === role.approver ? 'approve' : 'sign');

export type FlowFacts = ReturnType<typeof flowFactsOf>;

export function flowFactsOf({ plan, run }: EndedFlow, judgements: readonly FlowJudgement[], doubts: Doubts) {
  const { definition, refusals, wentOnFrom, beside } = run.request;
  // A person who was not added leaves a hole in the array, which `flatMap` skips.
  const acting = plan.signatories.flatMap((each, index) =>
    each.role === role.cc ? [] : [{ index, order: each.order }],
  );
  const orders = new Set(plan.signatories.map(({ order }) => order)).size;
  const hasCc = plan.signatories.some((each) => each.role === role.cc);
  const idle: Idle | undefined = hasCc ? 'cc' : refusals.hasAddition ? 'refused' : undefined;
  const isCoded = (signatory: number) => definition.signatories?.[signatory]?.otp !== undefined;
  const idleOtpOf = (signatory: number) => definition.signatories?.[signatory]?.idleOtp;
  return {
    subscription: plan.subscription ?? [],
    isCoded,
    idleOtpOf,
    /** The Types of OTP, not required, of those who acted. How type 3 sends requests is not shown, so none of these. */
    actedIdle: definition.stamped ? [] : run.completed.map(({ signatory }) => idleOtpOf(signatory)),
    /** Exchanges in which somebody acted with a code. */
    codedActs: run.completed.flatMap(({ signatory, exchange }) =>
      isCoded(signatory) && exchange !== undefined ? [exchange] : [],
    ),
    failed: judgements.flatMap(({ requirement, verdict }) => (verdict === 'failed' ? [requirement] : [])),
    idle,
    /** The CC got the final copy, so the request was completed. */
    copied: judgements.some(
      ({ requirement, verdict }) => requirement === 'signing.cc-receives-copy' && verdict === 'passed',
    ),
    ordered: orders > 1,
    sameOrder: orders === 1 && acting.length > 1,
    stamped: definition.stamped === true,
    /** Its person has another request beside it. */
    isOneOfTwo: (definition.neighbour ?? beside) !== undefined,
    /** The acts that its people have to do. */
    acts: new Set(acting.map(({ index }) => actOf(plan.signatories[index]?.role))),
    acted: run.completed.length > 0,
    /** The refused attempts after which somebody acted. */
    actedAfterTry: run.completed.flatMap(({ afterTry }) => afterTry ?? []),
    /** Positions of people who were added in another sequence than that of their Orders. */
    addedOutOfOrder: acting.flatMap(({ index, order }) =>
      acting.some((other) => (other.index - index) * (other.order - order) < 0) ? [index] : [],
    ),
    withAccessCode: (definition.signatories ?? []).flatMap(({ otp }, signatory) =>
      otp === otpType.accessCode ? [signatory] : [],
    ),
    /** Why nobody knows whether a call that the flow took as done was done. */
    doubt: wentOnFrom.flatMap((exchange) => doubts.get(exchange) ?? [])[0],
  };
}

export type JudgementInFlow = FlowJudgement & { readonly flow: FlowFacts };

export const isFailed = ({ requirement, verdict }: FlowJudgement, which: RequirementId): boolean =>
  requirement === which && verdict === 'failed';

export function expectedSignatory({ found }: FlowJudgement): number | undefined {
  const expected = found.flow?.expected;
  return expected && 'person' in expected ? expected.person?.signatory : undefined;
}

/** Requirements that say that a person can act in their role. */
export const ofRole = /^signing\.(signer-signs|approver-approves)$/;

/** Requirements that say who may not act without the right code. */
const ofCodes = /^otp\.(gates-signing|access-code-asked)$/;

/** Whether only event 3 is missing, subscribed to by its code or by 0. */
export function lacksCompletion({ requirement, found }: FlowJudgement): boolean {
  const expected = found.flow?.expected;
  const isLast = expected?.is === 'events' && expected.codes.join() === String(event.processCompleted);
  return requirement === 'events.process-completed' || (requirement === 'events.all' && isLast);
}

/** The requirements that show, when they pass, that people acted. Event 2 may come for signers alone. */
export const shownByActs: Readonly<Record<Act, readonly RequirementId[]>> = {
  sign: [
    'events.signatory-completed',
    'events.process-completed',
    'signing.cc-receives-copy',
    'stamping.placed',
  ],
  approve: ['events.process-completed', 'events.all', 'signing.cc-receives-copy'],
};

/** What shows that people did this act, or should. Under code 0 that is event 3. */
const effectsOf = (act: Act, all: readonly JudgementInFlow[]): readonly JudgementInFlow[] =>
  all.filter(({ requirement, found: { flow: seen }, flow }) => {
    const { codes = [] } = seen?.expected.is === 'events' ? seen.expected : {};
    const isShown = requirement !== 'events.all' || codes.includes(event.processCompleted);
    return isShown && flow.acts.has(act) && shownByActs[act].includes(requirement);
  });

/** Whether somebody who had done this act could do it once more, and nobody came after them. */
const isUnkept = ({ found: { flow }, verdict }: FlowJudgement, act: Act): boolean =>
  verdict === 'failed' && flow?.expected.is === 'kept' && flow.expected.act === act;

/**
 * Whether this act was never refused to anybody, although it should have been, and nothing shows that anybody did it.
 * Then the profile's call may do nothing. A single violation explains only one such thing: people act out of turn,
 * without the role, or without their codes, or what should follow does not come, and nobody comes after them. Two violations at once are less
 * likely than a call that does nothing.
 */
function isTakenFromAnybody(act: Act, all: readonly JudgementInFlow[]): boolean {
  // Somebody who got no link could not act either, but was not refused.
  const tried = all.filter(({ found: { flow }, verdict, exchanges }) => {
    const expected = flow?.expected;
    const isTold = verdict === 'failed' || (verdict === 'passed' && exchanges.length > 0);
    return expected?.is === 'cannot' && expected.act === act && isTold;
  });
  const effects = effectsOf(act, all);
  const isMissing =
    effects.some(({ verdict }) => verdict === 'failed') || all.some((each) => isUnkept(each, act));
  const violated = tried.map(({ requirement }) => requirement.replace(/^otp\..*/, 'otp'));
  return (
    tried.length > 0 &&
    new Set(violated).size + Number(isMissing) > 1 &&
    tried.every(({ verdict }) => verdict === 'failed') &&
    !effects.some(({ verdict }) => verdict === 'passed')
  );
}

/** The single code whose event was expected. */
export const codeAlone = ({ found }: FlowJudgement): number | undefined => {
  const expected = found.flow?.expected;
  return expected?.is === 'events' && expected.codes.length === 1 ? expected.codes[0] : undefined;
};

/** Whether of several codes only the first counts, or only the last: so in each request with codes, two at least lost. */
function countsOneCode(all: readonly JudgementInFlow[]): boolean {
  const awaited = all.filter(
    (each) =>
      each.verdict !== 'could-not-run' &&
      codeAlone(each) !== undefined &&
      each.flow.subscription.length > 0 &&
      !each.flow.subscription.includes(event.all),
  );
  const lost = awaited.filter(({ verdict }) => verdict === 'failed');
  const isAt = (each: JudgementInFlow, place: number) => each.flow.subscription.at(place) === codeAlone(each);
  return (
    new Set(lost.map(codeAlone)).size > 1 &&
    [0, -1].some((place) => awaited.every((each) => lost.includes(each) !== isAt(each, place)))
  );
}

const otherThanApproving = /^signing\.(approver-cannot-sign|signer-signs)$/;

/**
 * An act that the target accepts and does not keep: nothing shows that anybody did it, and several things that should follow
 * it are missing. An approver who could sign was not asked to approve, and where a signer cannot sign nobody knows who is missed.
 */
function actNotKept(all: readonly JudgementInFlow[]): Act | undefined {
  return acts.find((act) => {
    const effects = effectsOf(act, all);
    const missing = effects.filter(({ verdict }) => verdict === 'failed');
    const isDone = all.some(({ verdict, found: { flow } }) => {
      return verdict === 'passed' && flow?.expected.is === 'can' && flow.expected.act === act;
    });
    return (
      isDone &&
      !(
        act === 'approve' &&
        all.some((each) => otherThanApproving.test(each.requirement) && each.verdict === 'failed')
      ) &&
      new Set(missing.map(({ requirement }) => requirement)).size > 1 &&
      !effects.some(({ verdict }) => verdict === 'passed')
    );
  });
}

/** What all flows have shown together. */
export type Together = ReturnType<typeof togetherOf>;

export function togetherOf(
  results: readonly { readonly judgements: readonly FlowJudgement[] }[],
  flows: readonly FlowFacts[],
  around: Around,
  doubts: Doubts,
) {
  const all = flows.flatMap((flow, index) =>
    (results[index]?.judgements ?? []).map((judgement): JudgementInFlow => ({ ...judgement, flow })),
  );
  const isUnmet = (of: FlowFacts, is: string) =>
    all.some(({ flow, verdict, found }) => {
      return flow === of && verdict === 'failed' && found.flow?.expected.is === is;
    });
  const passed = all.filter(({ verdict }) => verdict === 'passed');
  const proved: ReadonlySet<RequirementId> = new Set(passed.map(({ requirement }) => requirement));
  const completed = passed.filter(({ requirement }) =>
    ['events.process-completed', 'events.process-completed-last'].includes(requirement),
  );
  const completes =
    completed.some(({ flow }) => !flow.idle) &&
    !all.some((each) => isFailed(each, 'events.process-completed') && !each.flow.idle);
  const lastCoded = Math.max(-1, ...flows.flatMap(({ codedActs }) => codedActs));
  const refusedCodes = passed
    .filter(({ requirement, found }) => ofCodes.test(requirement) && found.flow?.expected.is === 'cannot')
    .flatMap(({ exchanges }) => exchanges.slice(-1));
  const ccActed = new Set(all.flatMap((each) => (isFailed(each, 'signing.cc-cannot-act') ? each.flow : [])));
  const completesWithoutCc = completed.some(({ flow }) => flow.idle === 'cc' && !ccActed.has(flow));
  return {
    ...around,
    doubts,
    all,
    proved,
    acted: flows.some(({ acted }) => acted),
    actedInType3: flows.some(({ acted, stamped }) => acted && stamped),
    actedAfterTry: flows.flatMap(({ actedAfterTry }) => actedAfterTry),
    actedIdle: new Set(flows.flatMap(({ actedIdle }) => actedIdle)),
    /** The refused code from which on nobody acted with a code any more; never before the third one. */
    codesEndedAt: refusedCodes
      .toSorted((one, other) => one - other)
      .slice(2)
      .find((exchange) => exchange > lastCoded),
    /** Somebody was refused by a call that the target may not have understood, or whose answer may be misread. */
    misread: all.some(({ requirement, malformed }) => malformed && ofRole.test(requirement)),
    /**
     * The target seems to act for its people: somebody could not act in a request where nobody did, and yet events of
     * acts came. If this shows only in one of two requests of the same person, their act in the other one explains
     * it.
     */
    actsItself: flows.some(
      (flow) =>
        !flow.acted &&
        isUnmet(flow, 'can') &&
        isUnmet(flow, 'after-act') &&
        !(flow.isOneOfTwo && flows.every((other) => other === flow || !isUnmet(other, 'after-act'))),
    ),
    /** Acts whose calls may do nothing: everybody could do them at any time, and nothing shows that anybody did. */
    inert: acts.filter((act) => isTakenFromAnybody(act, all)),
    countsOneCode: countsOneCode(all),
    notKept: actNotKept(all),
    /** Requests in which everybody has to act complete: at least one did, and none failed to. */
    completes,
    /** Some request completes whose CC has not acted: then no CC is waited for. */
    completesWithoutCc,
    /** A request with a CC waits for them, and each other one completes. */
    waitsForCc:
      completes &&
      !completesWithoutCc &&
      all.some((each) => each.flow.idle === 'cc' && each.verdict === 'failed' && lacksCompletion(each)),
    /** Some request of type 0 was sent: somebody could act, or was written to, or an event 2 or 3 came. */
    sent:
      flows.some(({ stamped, acted }) => acted && !stamped) ||
      passed.some(({ requirement, flow }) => !flow.stamped && shownBySending.has(requirement)),
  };
}

/** Requirements that show, when they pass, that a request was sent. Not event 1, which may come with the creation. */
const shownBySending: ReadonlySet<string> = new Set([
  'signing.email-used',
  'events.signatory-completed',
  'events.process-completed',
]);
