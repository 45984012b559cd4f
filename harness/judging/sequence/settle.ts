/** Settles what only all flows can tell: whether a failure counts, follows from another, or proves nothing. Pure. */
import { event } from '../../../openapi/codes.ts';
import type { Because, Cause, ExcuseId } from '../../../record/finding.ts';
import type { FlowExpected } from '../../../record/flow-finding.ts';
import { lostBetween } from '../../callbacks/counts.ts';
import type { Listener } from '../../callbacks/listener.ts';
import type { CallbackSettings } from '../../profile/callback-settings.ts';
import { consequences, isConsequence } from './follows.ts';
import { type FlowJudgement, withoutEffect } from './judgement.ts';
import { oddAnswers, oddSends } from './odd-answers.ts';
import {
  type Around,
  codeAlone,
  type Doubts,
  type EndedFlow,
  expectedSignatory,
  type FlowFacts,
  flowFactsOf,
  type Idle,
  isFailed,
  type JudgementInFlow,
  lacksCompletion,
  ofRole,
  shownByActs,
  type Together,
  togetherOf,
} from './together.ts';

interface Result {
  readonly judgements: readonly FlowJudgement[];
}

type Rule = (judgement: FlowJudgement, all: Together, flow: FlowFacts) => FlowJudgement | undefined;

function excused(judgement: FlowJudgement, cause: Cause): FlowJudgement {
  return { ...judgement, verdict: 'could-not-run', found: { ...judgement.found, cause } };
}

const because = (judgement: FlowJudgement, excuse: ExcuseId, facts: Because = {}) =>
  excused(judgement, { excuse, because: facts });

/**
 * In a run whose missing callbacks prove nothing, no requirement about callbacks fails. `events.optional` is left
 * alone, since no missing callback fails it. If something came to a request and was turned away, or not believed,
 * that is the better reason.
 */
const withoutCallbacks: Rule = (judgement, { silence }) => {
  const { requirement, verdict, found } = judgement;
  const isMissed = requirement.startsWith('events.') && requirement !== 'events.optional';
  const isTold = found.cause && 'because' in found.cause && found.cause.because.loss !== undefined;
  return silence && isMissed && verdict !== 'passed' && !isTold ? excused(judgement, silence) : undefined;
};

/** In a resumed run these do not fail: a missing callback may have been sent between the two runs, a late one may be a repetition. */
const unsureWhenResumed: ReadonlySet<string> = new Set([
  'events.request-received',
  'events.signatory-completed',
  'events.process-completed',
  'events.all',
  'events.signatory-completed-after-action',
  'events.process-completed-last',
  'events.received-before-signatures',
  'events.request-received-first',
  'events.signatures-before-completed',
]);

const unattended: Rule = (judgement, { resumed }) =>
  resumed && unsureWhenResumed.has(judgement.requirement) ? because(judgement, 'unattended') : undefined;

/** Smaller differences between the delays of callbacks may come from the machine. */
const leastSpreadMs = 100;

/**
 * If callbacks take different times, two that were sent in sequence may arrive the other way round, most of all when
 * one act follows the other at once. A single failure may be such a chance, and so may more of them beside some that
 * arrived in sequence. Only the times of the later event are looked at: those of the earlier one also differ if it is
 * sent too late.
 */
const overtaken: Rule = (judgement, { all, lateMs }) => {
  const { requirement, found } = judgement;
  const expected = found.flow?.expected;
  if (expected?.is !== 'sequence') return undefined;
  const count = (which: FlowJudgement['verdict']) =>
    all.filter((each) => each.requirement === requirement && each.verdict === which).length;
  const mayBeChance = count('failed') <= 1 + 4 * count('passed');
  const { fast, slow } = spreadOf(lateMs?.get(expected.codes.at(-1) ?? 0) ?? []);
  const what = `${fast} to ${slow} ms`;
  return mayBeChance && slow - fast >= leastSpreadMs ? because(judgement, 'overtaken', { what }) : undefined;
};

/** The limits of the middle three fifths, so that a single slow one does not count. */
function spreadOf(lateMs: readonly number[]): { readonly fast: number; readonly slow: number } {
  const sorted = lateMs.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const [fast, slow] = [at(0.2), at(0.8)];
  return { fast: Math.round(fast), slow: Math.round(slow) };
}

/** Expectations that hold only if the calls before were done. Whatever came and is wrong is wrong in any case. */
const restOnCalls: ReadonlySet<FlowExpected['is'] | undefined> = new Set([
  'events',
  'can',
  'written-to',
  'code',
  'copy',
  'stamps',
]);

/** A page or an odd answer does not tell whether the call was done: neither it nor what should follow is judged. */
const untold: Rule = (judgement, { doubts }, { doubt }) => {
  const is = judgement.found.flow?.expected.is;
  const own = is === 'cannot' ? doubts.get(judgement.exchanges.at(-1) ?? -1) : undefined;
  const cause = own ?? (restOnCalls.has(is) ? doubt : undefined);
  return cause && excused(judgement, cause);
};

/** What is changed in every call to the listener is changed by a gateway before it, and not by the target. */
const changedOnTheWay: Rule = (judgement, { onTheWay }) => {
  const { expected, seen } = judgement.found.flow ?? {};
  const what = `on its way from callbacks.publicUrl to the listener ${onTheWay} in every call`;
  return onTheWay !== undefined && expected?.is === 'callback-url' && seen?.how === onTheWay
    ? because(judgement, 'unproved', { what })
    : undefined;
};

/** While the access token of the run is refused as well, a refusal says nothing about a person. */
const denied: Rule = (judgement, { denied: refusals }) => {
  const of = refusals?.get(judgement.exchanges.at(-1) ?? -1);
  return of === undefined ? undefined : excused(judgement, { answer: 'access', of });
};

/** A call that everybody can make at any time, and after which nothing shows an act, may do something else than act. */
const inert: Rule = (judgement, all, flow) => {
  const expected = judgement.found.flow?.expected;
  const isOfEvents =
    expected?.is === 'events' && expected.codes.some((code) => code !== event.requestReceived);
  const [act] = all.inert.filter((each) =>
    expected?.is === 'cannot' ? expected.act === each : flow.acts.has(each),
  );
  if (!act || !(isOfEvents || (expected && ofActs.has(expected.is)))) return undefined;
  const what = `calls.${act} was taken from everybody, whoever and whenever, and nothing shows that it was done: is it the call to ${act}?`;
  return because(judgement, 'unproved', { what });
};

/** Expectations that are tested only if somebody acts. */
const ofActs: ReadonlySet<FlowExpected['is']> = new Set([
  'cannot',
  'kept',
  'after-act',
  'completes',
  'written-to',
  'documents',
  'copy',
  'stamps',
]);

/** A failure with an assumption counts only if some flow proved the assumption. */
const unproved: Rule = (judgement, { proved }) => {
  const { assumes: requirement } = judgement;
  return requirement && !proved.has(requirement)
    ? because(judgement, 'unproved', { requirement })
    : undefined;
};

/** A mistake that also shows without refused calls, or follows from one that does, is no effect of refused calls. */
const notOfRefusals: Rule = ({ assumes, ...judgement }, all, flow) => {
  if (!assumes || judgement.requirement !== withoutEffect.addSignatory) return undefined;
  const requirement = all.all.some((each) => isFailed(each, assumes))
    ? assumes
    : consequences.find((each) => isConsequence(each, { ...judgement, requirement: assumes }, all, flow))?.of;
  return requirement && because(judgement, 'follows', { requirement });
};

/** If no request of type 3 was ever sent, its people may be refused for that, also those who were sent a code. */
const unsentInType3: Rule = (judgement, { actedInType3 }, { stamped }) =>
  stamped && !actedInType3 && judgement.found.flow?.expected.is === 'can'
    ? because(judgement, 'unsent')
    : undefined;

/** If no request was ever sent to its people, acts may be refused for that, and no message was due. */
const unsent: Rule = (judgement, { sent }, { stamped }) =>
  !sent &&
  !stamped &&
  judgement.verdict !== 'could-not-run' &&
  !(judgement.verdict === 'passed' && judgement.requirement === 'events.request-received') &&
  (judgement.assumes !== undefined ||
    /^(signing|otp\.(gates|access|not-asked)|events(?!\.optional))/.test(judgement.requirement))
    ? because(judgement, 'unsent')
    : undefined;

/**
 * If nobody could act, the profile may have the wrong calls, or lack one that comes before. If only approvers could,
 * and by the call to sign, it may have exchanged the two. If the target may not understand a call, its failures count
 * only once somebody could act by it.
 */
const unacted: Rule = (judgement, { acted, all, mayBeExchanged, misread, proved }) => {
  const { requirement, found, malformed } = judgement;
  const expected = found.flow?.expected;
  const isExchanged =
    mayBeExchanged &&
    !proved.has('signing.signer-signs') &&
    all.some((each) => isFailed(each, 'signing.approver-cannot-sign'));
  const isNowhere = malformed ? !proved.has(requirement) : !acted || isExchanged;
  const people = expected?.is === 'can' ? [expected.person] : [];
  // The person whose answer was misread may have acted after all: then the events are about that act.
  if (!acted && misread && expected?.is === 'after-act') return because(judgement, 'misread', { people });
  return isNowhere && ofRole.test(requirement) ? because(judgement, 'misread', { people }) : undefined;
};

/** How many attempts a person has is not shown. After refused ones, even the right code may be useless. */
const lockedOut: Rule = ({ afterTry, ...judgement }, { actedAfterTry }) => {
  if (!afterTry) return undefined;
  const { code, inTurn, times } = afterTry;
  const isHarmless = actedAfterTry.some(
    (each) => each.code === code && (each.inTurn || !inTurn) && each.times >= times,
  );
  const what = `nobody could act once ${times === 1 ? 'an attempt had' : `${times} attempts had`} been refused`;
  return isHarmless ? undefined : because(judgement, 'unproved', { what });
};

/**
 * After wrong codes of some a service may send and accept none of anybody: for whom and how long is not shown. Where codes of
 * one kind alone are missed, they were not locked.
 */
const shutOut: Rule = (judgement, { codesEndedAt, all }, ofFlow) => {
  if (codesEndedAt === undefined) return undefined;
  const isShutOut = ({ flow, ...each }: JudgementInFlow) => {
    const is = each.found.flow?.expected.is;
    const isOfCode = is === 'code' || (is === 'can' && flow.isCoded(expectedSignatory(each) ?? -1));
    return each.verdict === 'failed' && isOfCode && (each.exchanges.at(-1) ?? codesEndedAt) >= codesEndedAt;
  };
  const kinds = new Set(all.filter(isShutOut).map(({ requirement }) => requirement));
  if (!isShutOut({ ...judgement, flow: ofFlow }) || kinds.size < 2) return undefined;
  const what = `after a wrong code was refused (exchange ${codesEndedAt}), nobody could act with a code any more`;
  return because(judgement, 'unproved', { what });
};

/**
 * If no code of a kind was accepted from anybody, the profile's call may have it where the target does not look. Then
 * it also says nothing that wrong codes are refused.
 */
const misnamed: Rule = ({ malformed, ...judgement }, { all }) => {
  const kind = codeKinds.find((each) => each.test(judgement.requirement));
  const isTaken = all.some(
    ({ requirement, verdict, found }) =>
      kind?.test(requirement) &&
      verdict === 'passed' &&
      !['cannot', 'code'].includes(found.flow?.expected.is ?? ''),
  );
  const is = judgement.found.flow?.expected.is;
  const isDoubted =
    judgement.verdict === 'failed'
      ? malformed && is !== 'code'
      : is === 'cannot' &&
        all.some((each) => each.malformed && each.verdict === 'failed' && kind?.test(each.requirement));
  return kind && isDoubted && !isTaken ? because(judgement, 'misread') : undefined;
};

/**
 * A sandbox may sign for people: then they cannot act any more, and the turn of others comes early. Requests whose
 * events 2 came only after the acts do not show that.
 */
const actedFor: Rule = (judgement, { actsItself, all }, flow) => {
  const after = 'events.signatory-completed-after-action';
  const isActedIn = all.some(
    (each) => each.flow === flow && each.requirement === after && each.verdict === 'passed',
  );
  const is = judgement.found.flow?.expected.is;
  const what =
    'the target may act by itself: events of acts came for people who had not acted, and could not any more';
  const isOfTurn = judgement.requirement === 'signing.lower-order-first';
  return actsItself && !isActedIn && (is === 'can' || is === 'after-act' || isOfTurn)
    ? because(judgement, 'unproved', { what })
    : undefined;
};

const sentCodes = /^otp\.(?:email|sms|email-and-sms)-delivered$/;
const codeKinds = [/^otp\.access-code-asked$/, sentCodes];

/**
 * If no code came to anybody by a channel, the profile may ask for codes by a call that does not send them. An SMS of
 * an earlier run may have gone to the same number.
 */
const unasked: Rule = (judgement, { all, mayNotAsk }) => {
  const channelOf = ({ found }: FlowJudgement) =>
    found.flow?.expected.is === 'code' ? found.flow.expected.channel : undefined;
  const channel = channelOf(judgement);
  const isMissing = judgement.found.flow?.expected.is === 'code';
  const came = all.some(
    (each) =>
      each.verdict === 'passed' &&
      (each.requirement === judgement.requirement ||
        (channel === 'email' && each.requirement === 'otp.email-delivered')) &&
      [undefined, channel].includes(channelOf(each)),
  );
  const what = 'no code came so to anybody: is calls.requestOtp the call that sends them?';
  return mayNotAsk && isMissing && !came ? because(judgement, 'unproved', { what }) : undefined;
};

/** Who was asked to act before somebody of a lower Order was added need not wait for them. In type 3 all are added at once. */
const askedBefore: Rule = (judgement, { sendsEarly }, { stamped, addedOutOfOrder }) => {
  const who = expectedSignatory(judgement);
  const isAsked = who === undefined ? addedOutOfOrder.length > 0 : addedOutOfOrder.includes(who);
  if (!sendsEarly || stamped || !isAsked || !isFailed(judgement, 'signing.lower-order-first'))
    return undefined;
  const what = 'no request could be created any more to see whether people can act before it is sent';
  return sendsEarly === 'unknown'
    ? because(judgement, 'unproved', { what })
    : because(judgement, 'sent-early');
};

/** If of several codes only one counts, it is not each event that is lost, but the list that is not taken. */
const ofOneCode: Rule = (judgement, { countsOneCode }) =>
  countsOneCode && codeAlone(judgement) !== undefined
    ? { ...judgement, requirement: 'skeleton.callback-types' }
    : undefined;

/** Expectations that nobody meets while others have not acted. */
const afterOthers: ReadonlySet<FlowExpected['is'] | undefined> = new Set(['can', 'written-to']);

/** If an act is accepted and not kept, the role cannot act, and what should follow is missing for that. */
const ofActNotKept: Rule = (judgement, { notKept }, { acts }) => {
  if (!notKept || !acts.has(notKept)) return undefined;
  const requirement = notKept === 'sign' ? 'signing.signer-signs' : 'signing.approver-approves';
  if (shownByActs[notKept].includes(judgement.requirement)) return { ...judgement, requirement };
  return afterOthers.has(judgement.found.flow?.expected.is)
    ? because(judgement, 'follows', { requirement })
    : undefined;
};

/** Where people cannot act by several kinds of codes, by each of which others can, the codes are not the reason. */
const ofNoCode: Rule = (judgement, { all, proved }) => {
  const isMeant = ({ requirement, verdict, found }: FlowJudgement) =>
    verdict === 'failed' &&
    found.flow?.expected.is === 'can' &&
    codeKinds.some((kind) => kind.test(requirement));
  const kinds = new Set(all.filter(isMeant).map(({ requirement }) => requirement));
  return isMeant(judgement) && kinds.size > 1 && [...kinds].every((each) => proved.has(each))
    ? { ...judgement, requirement: 'signing.signer-signs' }
    : undefined;
};

/** Where somebody else with an OTP of that Type, which is not required, could act, the OTP is not the reason. */
const notOfOtp: Rule = (judgement, { actedIdle }, { idleOtpOf }) => {
  const { requirement, otherwise, ...failure } = judgement;
  const type = idleOtpOf(expectedSignatory(judgement) ?? -1);
  if (requirement !== 'otp.not-asked' || !otherwise || !type || !actedIdle.has(type)) return undefined;
  const { assumes, ...unassuming } = failure;
  return { ...(assumes === otherwise ? unassuming : failure), requirement: otherwise };
};

/** A failure that follows from another violation is blamed on that one. */
const following: Rule = (judgement, all, flow) => {
  const { of: requirement } = consequences.find((each) => isConsequence(each, judgement, all, flow)) ?? {};
  return requirement && because(judgement, 'follows', { requirement });
};

const ofIdle = { cc: 'signing.cc-cannot-act', refused: withoutEffect.addSignatory } as const;

const completing = (judgement: FlowJudgement, despite: Idle): FlowJudgement => {
  const expected: FlowExpected = { is: 'completes', despite };
  return { ...judgement, requirement: ofIdle[despite], found: { flow: { expected } } };
};

/** Requests complete, but not those with a CC or a refused addition: then the service waits for somebody who cannot act. */
const withoutIdle: Rule = (judgement, { completes, completesWithoutCc, all }, { idle, copied }) => {
  if (!completes || !idle || !lacksCompletion(judgement)) return undefined;
  const isOther =
    idle === 'cc'
      ? completesWithoutCc || copied
      : all.some((each) => each.flow.idle !== idle && isFailed(each, 'events.process-completed'));
  return isOther ? undefined : completing(judgement, idle);
};

/** Events that are wrong only in requests with refused additions show an effect of these. */
const ofRefusedAddition: Rule = (judgement, { all, proved }, { idle }) => {
  const { requirement } = judgement;
  const isElsewhere = all.some((each) => each.flow.idle !== idle && isFailed(each, requirement));
  return idle === 'refused' && requirement.startsWith('events.') && proved.has(requirement) && !isElsewhere
    ? { ...judgement, requirement: withoutEffect.addSignatory }
    : undefined;
};

/** Excuses for what the listener could not see come first. The other rules look only at the judgements that are left. */
const unseen: readonly Rule[] = [
  withoutCallbacks,
  denied,
  ...[unattended, untold, changedOnTheWay].map(ofFailed),
];
const settling: readonly Rule[] = [
  unsent,
  ...[unsentInType3, inert, unacted, actedFor].map(ofFailed),
  misnamed,
  ...[
    unasked,
    lockedOut,
    shutOut,
    unproved,
    notOfRefusals,
    askedBefore,
    ofOneCode,
    ofActNotKept,
    notOfOtp,
    ofNoCode,
    following,
    overtaken,
    withoutIdle,
    ofRefusedAddition,
  ].map(ofFailed),
];

function ofFailed(rule: Rule): Rule {
  return (judgement, ...more) => (judgement.verdict === 'failed' ? rule(judgement, ...more) : undefined);
}

/** The results, with failures excused or blamed on another requirement where other flows or the listener explain them. */
export function settle<R extends Result>(
  given: readonly R[],
  ended: readonly EndedFlow[],
  around: Around,
): R[] {
  const judged = ended.map(({ plan, run }, index) => {
    return { plan, run, answers: run.answers, judgements: given[index]?.judgements ?? [] };
  });
  const pages = [...(around.foreignPages ?? [])].map((of): [number, Cause] => [
    of,
    { answer: 'foreign', of },
  ]);
  const sends = oddSends(ended.flatMap(({ run }) => run.request.sentBy ?? []));
  const doubts: Doubts = new Map([...oddAnswers(judged), ...sends, ...pages]);
  const flows = judged.map((each) => flowFactsOf(each, each.judgements, doubts));
  const seen = apply(unseen, given, togetherOf(given, flows, around, doubts), flows);
  const settled = founded(seen, apply(settling, seen, togetherOf(seen, flows, around, doubts), flows));
  return settled.map((result, index) => ({
    ...result,
    judgements: result.judgements.flatMap((judgement) => {
      const { requirement, verdict } = judgement;
      const completed = verdict === 'passed' && requirement === 'events.process-completed';
      return completed && flows[index]?.idle === 'refused'
        ? [judgement, completing(judgement, 'refused')]
        : [judgement];
    }),
  }));
}

/** The requirement that a judgement follows from. */
function followed({ found: { cause } }: FlowJudgement): string | undefined {
  return cause && 'excuse' in cause && cause.excuse === 'follows' ? cause.because.requirement : undefined;
}

/** The results after settling; failures that follow from nothing but each other count all the same. */
export function founded<R extends Result>(before: readonly R[], after: readonly R[]): R[] {
  const given = (index: number, at: number) => before[index]?.judgements[at];
  const failures = after.flatMap(({ judgements }, index) =>
    judgements.map((settled, at) => ({ settled, was: given(index, at) })),
  );
  const isFounded = (requirement: string, beyond: readonly string[]): boolean => {
    const fails = (each?: FlowJudgement) => each?.verdict === 'failed' && each.requirement === requirement;
    const own = failures.filter(({ was }) => fails(was));
    const stands = ({ settled }: (typeof own)[number]) => {
      const of = followed(settled);
      return of === undefined || (!beyond.includes(of) && isFounded(of, [...beyond, of]));
    };
    // It may have been blamed for what looked like another violation.
    const isRed = failures.some(({ settled }) => fails(settled));
    return isRed || own.length === 0 || own.some(stands);
  };
  return after.map((result, index) => ({
    ...result,
    judgements: result.judgements.map((settled, at) => {
      const of = followed(settled);
      const isUnfounded = of !== undefined && !isFounded(of, [of]);
      return isUnfounded ? (given(index, at) ?? settled) : settled;
    }),
  }));
}

function apply<R extends Result>(
  rules: readonly Rule[],
  results: readonly R[],
  all: Together,
  flows: readonly FlowFacts[],
): R[] {
  return results.map((result, index) => {
    const flow = flows[index];
    if (!flow) return result;
    const settled = (judgement: FlowJudgement) => {
      for (const rule of rules) {
        const other = rule(judgement, all, flow);
        if (other) return other;
      }
      return judgement;
    };
    return { ...result, judgements: result.judgements.map(settled) };
  });
}

/** The cause if callbacks came, but none of them names its request. */
export const nameless: Cause = {
  excuse: 'nameless',
  because: {
    what: 'callbacks arrived in which no request id of this run could be read (callbacks.decoding.requestId)',
  },
};

/**
 * Why a missing callback proves nothing in this run; absent if it does. Either none arrived at all, so that nothing
 * shows that the target reaches the listener; or callbacks came to the URL that all requests share, and none of them
 * named a request of the run. Other calls to the listener may come from strangers, such as port scanners.
 * @param isHeard whether a callback arrived that is believed to come from the target
 */
export function silenceOf(
  listener: Pick<Listener, 'url' | 'counts' | 'deliveries'>,
  { correlate }: Pick<CallbackSettings, 'correlate'>,
  isHeard: boolean = listener.deliveries().length > 0,
): Cause | undefined {
  if (isHeard) return undefined;
  const counts = listener.counts();
  if (correlate === 'request-id' && counts.foreign + counts.held > 0) return nameless;
  const count = lostBetween(counts, 0, Number.POSITIVE_INFINITY);
  const facts = count > 0 ? { loss: { of: 'connections', count } as const } : { urls: [listener.url] };
  return { excuse: 'nothing-arrived', because: facts };
}
