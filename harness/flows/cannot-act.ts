/** Why somebody cannot act whose turn it is: reasons that are tried in turn, each of which may let people act otherwise. */
import { type OtpType, otpType, role } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { couldNotRun } from '../judging/unavailable.ts';
import type { Act, ActOutcome, Channel } from '../people/driver.ts';
import { wordsOf } from '../people/template-call.ts';
import type { Attempted } from './attempts.ts';
import { type FlowActs, isUninvited } from './flow-acts.ts';
import type { FlowParts } from './flow-parts.ts';

/** Why a person whose turn has come cannot act. */
export const noCode = 'whose turn has come and who entered no code';

/** The requirement by which whoever has the role can act so. */
export const requirementOf = (act: Act): RequirementId =>
  act === 'approve' ? 'signing.approver-approves' : 'signing.signer-signs';

export const actOf = (task: { readonly role: number }): Act =>
  task.role === role.approver ? 'approve' : 'sign';

/** An act that was not done, and what is known of it by now. */
export interface FailedAct {
  readonly signatory: number;
  readonly act: Act;
  readonly outcome: Exclude<ActOutcome, { kind: 'done' }>;
  /** The requirement that the script is about; absent where it is about the role alone. */
  readonly blame: RequirementId | undefined;
  /** People of the same Order who could not act yet. */
  readonly peers: readonly number[];
  /** What the person had attempted before. */
  readonly earlier: Readonly<Attempted>;
  /** Others were asked to act in the place of the person, so that the Order is either the reason or none. */
  readonly isOrderTried?: boolean;
  /** Somebody could act whose turn comes later. */
  readonly isPassedOver?: boolean;
  /** The target may not understand the call of the profile. */
  readonly malformed?: boolean;
  /** The codes of the OTP that is not required were of no use, so that it is not the reason. */
  readonly isCodeTried?: boolean;
}

/** What looking for a reason gave: the script goes on, or more is known of the act; nothing where it is not the reason. */
type Reason = 'goes-on' | Partial<FailedAct> | undefined;
type Look = (flow: FlowActs, parts: FlowParts, failed: FailedAct) => Reason | Promise<Reason>;

const flowOf = (flow: FlowActs, { signatory, act, outcome }: FailedAct) =>
  ({ expected: { is: 'can', person: flow.person(signatory), act }, seen: { how: outcome.reason } }) as const;

/** Refused without a code, accepted with one: an OTP was demanded that nobody asked for. */
const codeIsWanted: Look = async (flow, { driver, outbox }, { signatory, act, outcome }) => {
  const task = flow.task(signatory);
  if (outcome.kind !== 'refused' || task.otp) return undefined;
  if (flow.request.definition.sparing || !flow.applies('otp.not-asked')) return undefined;
  // Without a way to get a code, or to enter one, another attempt would be the same as the first. A code that was sent shows
  // that one is wanted; an AccessCode would not: the call may have a field for it that has to be there.
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

/** A person who is asked for no code is sent none. */
const noCodeIsWanted: Look = async (flow, _parts, { signatory, act, outcome }) => {
  const { otp } = flow.task(signatory);
  const isSentCode = otp !== undefined && otp.type !== otpType.accessCode;
  const isUndone = outcome.kind === 'refused' || !outcome.mayBeDone;
  if (!isUndone || !isSentCode || flow.request.definition.sparing) return undefined;
  await flow.mayNot(signatory, act, 'none', 'otp.gates-signing', noCode);
  return flow.done.includes(signatory) ? 'goes-on' : undefined;
};

/** Others can act first: where they are of the same Order, and the person can act after them, parallel signing is violated. */
const waitsForOthers: Look = async (flow, parts, failed) => {
  const { signatory, act, outcome, peers } = failed;
  const isBesideOthers = peers.length > 0 || failed.blame === 'signing.parallel';
  const others = outcome.kind === 'refused' ? othersOf(flow, parts, failed) : [];
  const acted = await actInstead(flow, others, isBesideOthers);
  if (acted > 0 && isBesideOthers && (await flow.attempts.whenReady(signatory, act)).kind === 'done') {
    flow.judge('signing.parallel', 'failed', { flow: flowOf(flow, failed) }, outcome.exchanges);
    return 'goes-on';
  }
  // Where nobody of the same Order is in the way, the turn may be that of a later one.
  const later = peers.length > 0 ? othersOf(flow, parts, { ...failed, peers: [] }) : [];
  const isPassedOver = (await actInstead(flow, later, false)) > 0 || (acted > 0 && !isBesideOthers);
  const blame = isPassedOver ? 'signing.lower-order-first' : failed.blame;
  return { isOrderTried: others.length > 0, isPassedOver, blame };
};

/** The id of the person is unknown to the target. The failure counts only where others could act by the same call. */
const idIsUnknown: Look = async (flow, _parts, failed) => {
  const { signatory, act, outcome } = failed;
  // How answers of type 3 give the ids is not shown.
  if (!hasUnknownId(outcome) || flow.isStamped || flow.attempts.of(signatory).isKnown) return undefined;
  // When an id is known at the latest is not shown: it is asked for three times as long.
  const isDone = async () => (await flow.attempts.whenReady(signatory, act)).kind === 'done';
  if ((await isDone()) || (await isDone())) return 'goes-on';
  const found = { flow: flowOf(flow, failed) };
  flow.judge('signatory.signatory-id-usable', 'failed', found, outcome.exchanges, requirementOf(act));
  return undefined;
};

/** A code that was refused is taken in the place of the other one, or each of two in that of the other: the call of the profile exchanges them. */
const codesAreExchanged: Look = async (flow, _parts, { signatory, act, outcome, isPassedOver }) => {
  const type = flow.task(signatory).otp?.type;
  const sentBy = (one: Channel) => type === otpType[one] || type === otpType.emailAndSms;
  const codeBy = async (one: Channel) => (sentBy(one) ? flow.code(signatory, one) : undefined);
  if (outcome.kind !== 'refused' || isPassedOver || !flow.driverEnters) return undefined;
  const [ofEmail, ofSms] = [await codeBy('email'), await codeBy('sms')];
  const [email, sms] = [ofSms ?? ofEmail, ofEmail ?? ofSms];
  const isOfTwo = type === otpType.emailAndSms;
  if (email === undefined || sms === undefined || (isOfTwo && email === sms)) return undefined;
  return (await flow.tries(signatory, act, { email, sms })) === true ? 'goes-on' : undefined;
};

/** The right AccessCode is refused in the words for none at all: the call may have it where the target does not look. */
const codeIsUnread: Look = async (flow, { driver }, { signatory, act, outcome, blame }) => {
  if (outcome.kind !== 'refused') return undefined;
  if (flow.attempts.of(signatory).isMisread) return { malformed: true };
  if (blame !== 'otp.access-code-asked') return undefined;
  const task = flow.task(signatory);
  const without = await flow.attempts.once(signatory, () => driver.act(task, act, 'none'));
  return { malformed: without.kind === 'refused' && wordsOf(without.reason) === wordsOf(outcome.reason) };
};

/** The target refuses the person: whose requirement that is. */
const isRefused: Look = (flow, _parts, failed) => {
  const { signatory, act, outcome, blame, isPassedOver, malformed } = failed;
  if (!isRefusalJudged(flow, failed)) return undefined;
  const { idleOtp } = flow.request.definition.signatories[signatory] ?? {};
  // Where others of type 0 with IsRequired false and Type 1 can sign, the Type of this person is the reason.
  const isOfOtp = idleOtp && !flow.isStamped && flow.applies('otp.not-asked');
  const isOfOrder = blame === 'signing.parallel' || (blame === 'signing.lower-order-first' && !isPassedOver);
  const ofRole = requirementOf(act);
  const ofScript = isOfOrder && failed.isOrderTried ? undefined : blame;
  const blamed = isOfOtp && !(ofScript && failed.isCodeTried) ? 'otp.not-asked' : (ofScript ?? ofRole);
  const isCoded = flow.task(signatory).otp?.type === otpType.accessCode;
  const byRole = isCoded ? 'otp.access-code-asked' : undefined;
  const assumed = blamed === ofRole ? byRole : ofRole;
  const doubt = { malformed: malformed || undefined, afterTry: failed.earlier.refused };
  flow.judge(blamed, 'failed', { flow: flowOf(flow, failed) }, outcome.exchanges, assumed, doubt);
  return undefined;
};

/** Whether a refusal can only be due to the target. */
function isRefusalJudged(flow: FlowActs, { signatory, outcome, blame, earlier }: FailedAct): boolean {
  if (outcome.kind !== 'refused' || earlier.mayHaveActed) return false;
  // What sends a request of type 3 is not shown: a person who cannot act may not have been asked yet, unless others have acted.
  if (flow.isStamped && flow.done.length === 0) return false;
  // How many attempts a person has is not shown, and a target may have counted each repetition.
  return !flow.task(signatory).otp || (blame !== undefined && !flow.attempts.of(signatory).hasInsisted);
}

/**
 * An approver was never invited. A signer who is passed over shows by an early event 3, another requirement; an approver who
 * is passed over may get no e-mail.
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

/** In the order in which they are tried: each rests on what those before it have found out. */
const reasons: readonly Look[] = [
  codeIsWanted,
  noCodeIsWanted,
  waitsForOthers,
  idIsUnknown,
  codesAreExchanged,
  codeIsUnread,
  isRefused,
  isNeverInvited,
];

/**
 * Judges why somebody whose turn it is cannot act; returns where they could with a code, or after others.
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
 * The people whose acts tell whether somebody was refused for the Order: those with the same Order where acting in parallel
 * is judged, those with another one where the sequence is judged, and those with a higher one where the reason may be a code.
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
  // Drawn sequences stay as they are, and nobody is asked to act by hand without having been told before.
  if (!ofOrder || flow.request.definition.sparing || driver.announce) return [];
  const left = flow.people.filter((other) => other !== signatory && !flow.done.includes(other));
  return left.filter((other) => flow.task(other).role !== role.cc && isOther(flow.task(other).order));
}

/** All of them act who can, or, where it is about the sequence, the first one; how many could. */
async function actInstead(
  flow: FlowActs,
  others: readonly number[],
  isBesideOthers: boolean,
): Promise<number> {
  let acted = 0;
  for (const other of others.filter((each) => !flow.done.includes(each))) {
    const outcome = await flow.attempts.whenReady(other, actOf(flow.task(other)));
    if (outcome.kind !== 'done') continue;
    acted += 1;
    if (!isBesideOthers) break;
  }
  return acted;
}
