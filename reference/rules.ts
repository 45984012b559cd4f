/** Where rules are enforced: what a fault makes of a refusal follows from its id, `<requirement>/<what>`. */
import { type FaultId, type Having, otherStatuses } from './faults.ts';
import { badRequest, Refusal } from './refusal.ts';
import type { Service } from './service.ts';

/** Fields with two rules, `<field>-required` and `<field>-type`: that they are there, and their JSON type. */
export type RuledField =
  Having<'null-accepted'> extends infer Rule ? (Rule extends `${infer Field}-type` ? Field : never) : never;
/** Rules about the JSON type of an optional field. */
export type OptionalTypeRule = Having<'accepted'>;
/** Faults that let pass what a rule refuses. */
export type Passing = Extract<FaultId, `${string}accepted`>;

/** Refuses, unless the fault `passing` is on; another fault of its rule may give the refusal another status. */
export function refuse(service: Service, refusal: Refusal, passing: Passing): void {
  if (!service.faulty(passing)) throw refusalBy(service, requirementOf(passing), refusal);
}

/** The refusal as the rule of a requirement gives it: with another status if a fault says so. */
export function refusalBy({ faulty }: Service, requirement: string, refusal: Refusal): Refusal {
  const other = otherStatuses(requirement).find(({ id }) => faulty(id));
  return other ? refusal.as(other.status) : refusal;
}

/** The place of a fault that refuses what has to be accepted, with 400 or the status that is its name. */
export function refuseFaultily({ faulty }: Service, fault: FaultId, when: boolean): void {
  if (!when || !faulty(fault)) return;
  const status = /\/(\d{3})$/.exec(fault)?.[1];
  throw status ? new Refusal(Number(status)) : badRequest('Not supported');
}

function requirementOf(fault: FaultId): string {
  return fault.slice(0, fault.indexOf('/'));
}
