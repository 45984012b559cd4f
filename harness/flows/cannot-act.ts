/** Finds out why somebody whose turn has come cannot act: tries the reasons in turn, some of which let them act. */
import { type OtpType, otpType, role } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { Person } from '../../record/flow-finding.ts';
import { couldNotRun } from '../judging/unavailable.ts';
import type { Act, ActOutcome } from '../people/driver.ts';
import { wordsOf } from '../people/template-call.ts';
import type { Attempted } from './attempts.ts';
import { type FlowActs, isUninvited } from './flow-acts.ts';
import type { FlowParts } from './flow-parts.ts';

/** Why a person whose turn has come cannot act. */
export const noCode = 'whose turn has come and who entered no code';

/** The requirement that says that somebody with this role can act. */
export const requirementOf = (act: Act): RequirementId =>
  act === 'approve' ? 'signing.approver-approves' : 'signing.signer-signs';

export const actOf = (task: { readonly role: number }): Act =>
  task.role === role.approver ? 'approve' : 'sign';

/** An act that was not done, and what is known about it by now. */
interface FailedAct {
  readonly signatory: number;
  readonly act: Act;
  readonly outcome: Exclude<ActOutcome, { kind: 'done' }>;
  /** The requirement that the script tests; absent if it only tests the role. */
  readonly blame: RequirementId | undefined;
  /** People of the same Order who could not act yet. */
  readonly peers: readonly number[];
  /** What the person had attempted before. */
  readonly earlier: Readonly<Attempted>;
  /** Others tried to act before the person: so it is known whether the Order is the reason. */
  readonly isOrderTried?: boolean;
  /** Somebody whose turn comes later could act. */
  readonly isPassedOver?: boolean;
  /** The target may not understand the call of the profile. */
  readonly malformed?: boolean;
  /** The codes of an OTP that is not required were tried in vain, so the OTP is not the reason. */
  readonly isCodeTried?: boolean;
}

/** What was found: the person could act after all, or more is known about the act; `undefined` if this is not the reason. */
type Reason = 'goes-on' | Partial<FailedAct> | undefined;
type Look = (flow: FlowActs, parts: FlowParts, failed: FailedAct) => Reason | Promise<Reason>;

const flowOf = (flow: FlowActs, { signatory, act, outcome }: FailedAct) =>
  ({ expected: { is: 'can', person: flow.person(signatory), act }, seen: { how: outcome.reason } }) as const;

/** Refused without a code and accepted with one: an OTP is demanded although IsRequired is false. */
const codeIsWanted: Look = async (flow, { driver, outbox }, { signatory, act, outcome }) => {
  const task = flow.task(signatory);
  if (outcome.kind !== 'refused' || task.otp) return undefined;
  if (flow.request.definition.sparing || !flow.applies('otp.not-asked')) return undefined;
  // Without a way to get or enter a code, another attempt would equal the first. Only codes that were sent show that
  // one is wanted: the call may need an AccessCode field in any case.
  const codes: { type: OtpType }[] = [
    ...(outbox.reads('email') ? [{ type: otpType.email }] : []),
    ...(driver.enter && outbox.reads('sms') ? [{ type: otpType.sms }] : []),
  ];
  const { idleOtp } = flow.request.definition.signatories[signatory] ?? {};
  const isOfBoth = idleOtp === otpType.emailAndSms && codes.length > 1;
  if (isOfBoth) codes.push({ type: idleOtp });
  for (const otp of codes) {
    const coded = { ...task, otp };
    if (driver.takesCodes?.(coded) === false) continue;
    const tried = await flow.attempts.once(signatory, () => driver.act(coded, act, 'right'));
    if (tried.kind !== 'done') continue;
    const expected = { is: 'no-otp', person: flow.person(signatory) } as const;
    flow.judge('otp.not-asked', 'failed', { flow: { expected } }, outcome.exchanges);
    return 'goes-on';
  }
  return { isCodeTried: isOfBoth };
};

/** Accepted without a code: the service demands none, and so sends none. */
const noCodeIsWanted: Look = async (flow, _parts, { signatory, act, outcome }) => {
  const { otp } = flow.task(signatory);
  const isSentCode = otp !== undefined && otp.type !== otpType.accessCode;
  const isUndone = outcome.kind === 'refused' || !outcome.mayBeDone;
  if (!isUndone || !isSentCode || flow.request.definition.sparing) return undefined;
  await flow.mayNot(signatory, act, 'none', 'otp.gates-signing', noCode);
  return flow.done.includes(signatory) ? 'goes-on' : undefined;
};

/** Others can act first. If they have the same Order, and the person can act after them, parallel signing is violated. */
const waitsForOthers: Look = async (flow, parts, failed) => {
  const { signatory, act, outcome, peers } = failed;
  const isBesideOthers = peers.length > 0 || failed.blame === 'signing.parallel';
  const others = outcome.kind === 'refused' ? othersOf(flow, parts, failed) : [];
  const acted = await actInstead(flow, others, isBesideOthers);
  if (acted > 0 && isBesideOthers && (await flow.attempts.whenReady(signatory, act)).kind === 'done') {
    flow.judge('signing.parallel', 'failed', { flow: flowOf(flow, failed) }, outcome.exchanges);
    return 'goes-on';
  }
  // If nobody of the same Order was in the way, it may be the turn of somebody with a higher Order.
  const later = peers.length > 0 ? othersOf(flow, parts, { ...failed, peers: [] }) : [];
  const isPassedOver = (await actInstead(flow, later, false)) > 0 || (acted > 0 && !isBesideOthers);
  const blame = isPassedOver ? 'signing.lower-order-first' : failed.blame;
  // Once one of them has acted, nobody of any role can: then the reason is who has acted, and not the person.
  const { order, role: part } = flow.task(signatory);
  const isForAll =
    failed.blame === 'signing.parallel' &&
    acted === 0 &&
    flow.done.some((each) => flow.task(each).order === order) &&
    others.some((each) => flow.task(each).role !== part);
  return { isOrderTried: others.length > 0 && !isForAll, isPassedOver, blame };
};

/** The target does not know the id of the person. That counts as a failure only if others could act by the same call. */
const idIsUnknown: Look = async (flow, _parts, failed) => {
  const { signatory, act, outcome } = failed;
  // How answers of type 3 give the ids is not shown.
  if (!hasUnknownId(outcome) || flow.isStamped || flow.attempts.of(signatory).isKnown) return undefined;
  // How soon an id has to be known is not shown, so it is tried for three times as long.
  const isDone = async () => (await flow.attempts.whenReady(signatory, act)).kind === 'done';
  if ((await isDone()) || (await isDone())) return 'goes-on';
  const found = { flow: flowOf(flow, failed) };
  flow.judge('signatory.signatory-id-usable', 'failed', found, outcome.exchanges, requirementOf(act));
  return undefined;
};

/**
 * The right AccessCode is refused with the same words as none: the call may have it where the target does not look. Whether an
 * approver is asked for a code is not shown.
 */
const codeIsUnread: Look = async (flow, { driver }, { signatory, act, outcome, blame }) => {
  if (outcome.kind !== 'refused') return undefined;
  if (flow.attempts.of(signatory).isMisread) return { malformed: true };
  const task = flow.task(signatory);
  const isOfApprover = act === 'approve' && task.otp !== undefined;
  if (blame !== 'otp.access-code-asked' && !isOfApprover) return undefined;
  const without = await flow.attempts.once(signatory, () => driver.act(task, act, 'none'));
  if (isOfApprover && without.kind === 'done') return 'goes-on';
  return { malformed: without.kind === 'refused' && wordsOf(without.reason) === wordsOf(outcome.reason) };
};

/**
 * The first with a lower Order who was told that they have acted, and can act once more: then their act was not kept. People who
 * act by hand are asked for nothing that they were not told before.
 */
async function actsAgain(
  flow: FlowActs,
  { driver }: FlowParts,
  { signatory }: FailedAct,
): Promise<Person | undefined> {
  const { order } = flow.task(signatory);
  const earlier = flow.done.filter((each) => flow.task(each).order < order);
  for (const each of flow.request.definition.sparing || driver.announce ? [] : earlier) {
    const again = () => driver.act(flow.task(each), actOf(flow.task(each)), 'right');
    if ((await flow.attempts.once(each, again, true)).kind === 'done') return flow.person(each);
  }
  return undefined;
}

/** The target refuses the person: decides which requirement that violates. */
const isRefused: Look = async (flow, parts, failed) => {
  const { signatory, act, outcome, blame, isPassedOver, malformed } = failed;
  if (!isRefusalJudged(flow, failed)) return undefined;
  const doubt = { malformed: malformed || undefined, afterTry: failed.earlier.refused };
  const unkept = await actsAgain(flow, parts, failed);
  if (unkept) {
    const expected = { is: 'kept', person: unkept, act: actOf(flow.task(unkept.signatory)) } as const;
    flow.judge(
      requirementOf(expected.act),
      'failed',
      { flow: { expected } },
      outcome.exchanges,
      undefined,
      doubt,
    );
    return undefined;
  }
  const { idleOtp } = flow.request.definition.signatories[signatory] ?? {};
  // If others with IsRequired false and Type 1 can sign, the Type of this person is the reason. That holds for type
  // 0.
  const isOfOtp = idleOtp && !flow.isStamped && flow.applies('otp.not-asked');
  const isOfOrder = blame === 'signing.parallel' || (blame === 'signing.lower-order-first' && !isPassedOver);
  const ofRole = requirementOf(act);
  const ofScript = isOfOrder && failed.isOrderTried ? undefined : blame;
  const otherwise = ofScript ?? ofRole;
  const blamed = isOfOtp && !(ofScript && failed.isCodeTried) ? 'otp.not-asked' : otherwise;
  const isCoded = flow.task(signatory).otp?.type === otpType.accessCode;
  const byRole = isCoded ? 'otp.access-code-asked' : undefined;
  const assumed = blamed === ofRole ? byRole : ofRole;
  flow.judge(blamed, 'failed', { flow: flowOf(flow, failed) }, outcome.exchanges, assumed, {
    ...doubt,
    otherwise,
  });
  return undefined;
};

/** Whether a refusal can only be due to the target. */
function isRefusalJudged(flow: FlowActs, { signatory, outcome, blame, earlier }: FailedAct): boolean {
  if (outcome.kind !== 'refused' || earlier.mayHaveActed) return false;
  // How many attempts a person has is not shown, and a target may have counted each repetition.
  return !flow.task(signatory).otp || (blame !== undefined && !flow.attempts.of(signatory).hasInsisted);
}

/**
 * An approver was never invited. A service that does not wait for a signer shows that by an early event 3, which is
 * another requirement; one that does not wait for an approver may just not write to them.
 */
const isNeverInvited: Look = async (flow, parts, failed) => {
  const { signatory, act, outcome } = failed;
  if (act !== 'approve' || outcome.kind !== 'unknown' || outcome.mayBeDone || hasUnknownId(outcome))
    return undefined;
  if (!(await isUninvited(flow.task(signatory), parts))) return undefined;
  const seen = { how: 'event 3 arrived, and no letter with a link had come' };
  const found = { flow: { ...flowOf(flow, failed), seen } };
  const rest = { exchanges: [], channel: 'email', unlessOpen: true } as const;
  flow.deferred.push({ requirement: requirementOf(act), verdict: 'failed', found, ...rest });
  return undefined;
};

/** In the order in which they are tried: each one uses what those before it have found out. */
const reasons: readonly Look[] = [
  codeIsWanted,
  noCodeIsWanted,
  waitsForOthers,
  idIsUnknown,
  codeIsUnread,
  isRefused,
  isNeverInvited,
];

/**
 * Judges why somebody cannot act whose turn has come. Returns if they could act after all, with a code or after
 * others.
 * @throws CouldNotRun otherwise: the flow cannot go on
 */
export async function whyCannotAct(flow: FlowActs, parts: FlowParts, act: FailedAct): Promise<void> {
  let failed = act;
  for (const look of reasons) {
    const reason = await look(flow, parts, failed);
    if (reason === 'goes-on') return;
    failed = { ...failed, ...reason };
  }
  const exchange = failed.outcome.exchanges.at(-1);
  const people = [flow.person(failed.signatory)];
  const because = { people, ...(exchange === undefined ? {} : { exchange }) };
  const excuse = failed.malformed ? 'misread' : 'stuck';
  throw couldNotRun({ flow: flowOf(flow, failed), cause: { excuse, because } });
}

const hasUnknownId = (outcome: FailedAct['outcome']) =>
  outcome.kind === 'unknown' && outcome.idUnknown === true;

/**
 * The people whose acts show whether somebody was refused for their Order: those with the same Order if parallel
 * signing is tested, those with another Order if the sequence is tested, and those with a higher Order if the reason
 * may be a code.
 */
function othersOf(
  flow: FlowActs,
  { driver }: FlowParts,
  { signatory, blame, peers }: FailedAct,
): readonly number[] {
  if (peers.length > 0) return flow.applies('signing.parallel') ? peers : [];
  const { order } = flow.task(signatory);
  const isOther = (of: number) => {
    if (blame === 'signing.parallel') return of === order;
    return blame === 'signing.lower-order-first' ? of !== order : of > order;
  };
  const ofOrder = blame === 'signing.parallel' || flow.applies('signing.lower-order-first');
  // The steps of `explore` are not changed, and people who act by hand are asked for nothing that they were not told
  // before.
  if (!ofOrder || flow.request.definition.sparing || driver.announce) return [];
  const left = flow.people.filter((other) => other !== signatory && !flow.done.includes(other));
  return left.filter((other) => flow.task(other).role !== role.cc && isOther(flow.task(other).order));
}

/**
 * Lets the others act: all of them, also those who can only after some, or the first who can if the sequence is tested. Gives
 * how many could.
 */
async function actInstead(
  flow: FlowActs,
  others: readonly number[],
  isBesideOthers: boolean,
): Promise<number> {
  let acted = 0;
  const left = others.filter((each) => !flow.done.includes(each));
  for (const other of left) {
    const outcome = await flow.attempts.whenReady(other, actOf(flow.task(other)));
    if (outcome.kind !== 'done') continue;
    acted += 1;
    if (!isBesideOthers) return acted;
  }
  const isGoingOn = acted > 0 && acted < left.length;
  return isGoingOn ? acted + (await actInstead(flow, others, isBesideOthers)) : acted;
}
