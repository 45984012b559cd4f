/** What a plan leads one to expect: the codes that it subscribed to, and those due after the actions so far. */
import { event, role } from '../../../openapi/codes.ts';
import type { SentCode } from '../../../record/event.ts';
import type { Actions, Facts, Occurrence, Plan } from '../../../record/facts.ts';

export const sentCodes: readonly SentCode[] = [
  event.requestReceived,
  event.signatoryCompleted,
  event.processCompleted,
];

/**
 * `all`: CallbackTypes is 0 alone; `explicit`: codes of the table; `open`: anything whose meaning is not
 * shown, as an empty list or 0 beside other codes.
 */
type Subscription = 'all' | 'explicit' | 'open';

export function subscriptionOf({ subscription = [] }: Plan): Subscription {
  if (subscription.length === 0) return 'open';
  if (subscription.every((code) => code === event.all)) return 'all';
  return subscription.every((code) => sentCodes.some((sent) => sent === code)) ? 'explicit' : 'open';
}

/** The codes that are surely subscribed to. */
export function subscribed(plan: Plan): readonly SentCode[] {
  if (subscriptionOf(plan) === 'all') return sentCodes;
  return sentCodes.filter((code) => plan.subscription?.includes(code));
}

export function due(plan: Plan, actions: Actions): readonly SentCode[] {
  return subscribed(plan).filter((code) => {
    if (code === event.signatoryCompleted) return actedSigners(plan, actions).length > 0;
    if (code === event.processCompleted) return isComplete(plan, actions);
    if (plan.requestReceived === 'creation') return true;
    return plan.requestReceived === 'sending' ? actions.sent !== undefined : isComplete(plan, actions);
  });
}

/** The people who can act; a CC cannot. */
export const actingIn = ({ signatories }: Plan): readonly number[] =>
  signatories.flatMap((person, index) => (person.role === role.cc ? [] : [index]));

/** Whether everybody who can act has completed. */
export function isComplete(plan: Plan, actions: Actions): boolean {
  const acting = actingIn(plan);
  return acting.length > 0 && acting.every((index) => actionOf(actions, index) !== undefined);
}

/** When the last action that leads to events ended; 0 when there was none. */
export function lastActionOf({ completed, sent }: Actions): number {
  return Math.max(...completed.map(({ at }) => at.endMs), sent?.endMs ?? 0, 0);
}

export function actionOf(actions: Actions, signatory: number): Actions['completed'][number] | undefined {
  return actions.completed.find((action) => action.signatory === signatory);
}

/** The earliest action that a signatory completed or tried; absent when there was none. */
export function begunBy(
  { completed, attempted = [] }: Actions,
  signatory: number,
): Actions['completed'][number] | undefined {
  const own = [...completed, ...attempted].filter((each) => each.signatory === signatory);
  return own.sort((one, other) => one.at.startMs - other.at.startMs)[0];
}

/** How many signatories had acted, or may have, by a time. */
export function begunBefore({ completed, attempted = [] }: Actions, ms: number): number {
  const begun = [...completed, ...attempted].filter(({ at }) => at.startMs <= ms);
  return new Set(begun.map(({ signatory }) => signatory)).size;
}

export function actedSigners(plan: Plan, actions: Actions): readonly number[] {
  return acted(plan, actions, role.signer);
}

/** Positions of the approvers who have completed and for whom event 2 may be sent. */
export function actedApprovers(plan: Plan, actions: Actions): readonly number[] {
  const roles = plan.signatoryCompletedRoles;
  return roles && !roles.includes('approver') ? [] : acted(plan, actions, role.approver);
}

function acted(plan: Plan, actions: Actions, wanted: number): readonly number[] {
  return plan.signatories.flatMap((person, index) =>
    person.role === wanted && actionOf(actions, index) ? [index] : [],
  );
}

export function occurrencesOf(facts: Facts, code: SentCode): readonly Occurrence[] {
  return facts.occurrences.filter((occurrence) => occurrence.event.code === code);
}

/** One occurrence of each delivery id; those without one are all kept. */
export function distinct(occurrences: readonly Occurrence[]): readonly Occurrence[] {
  return occurrences.filter(({ event: { deliveryId } }, index) => {
    if (deliveryId === undefined) return true;
    return occurrences.findIndex((other) => other.event.deliveryId === deliveryId) === index;
  });
}
