/** Where rules are enforced: each refusal knows the requirement that it comes from, and so its faults. */
import type { FaultId, Having } from './faults.ts';
import { badRequest, Refusal } from './refusal.ts';
import type { Service } from './service.ts';

/** Rules that state 400 for something that is missing or not valid. */
export type StatedRule = Having<'accepted'> & Having<'422'> & Having<'500'>;
/** Rules about the JSON type of a field. */
export type TypeRule = Having<'null-accepted'> & Having<'other-accepted'> & Having<'500'>;
/** Rules that only say that something is refused. */
export type RefusedRule = Having<'accepted'> & Having<'500'>;
/** Refuses with the stated 400, unless a fault of `rule` lets it pass or answers otherwise. */
export function refuseStated(service: Service, rule: StatedRule, detail: string): void {
  if (service.faulty(`${rule}/accepted`)) return;
  if (service.faulty(`${rule}/422`)) throw new Refusal(422, { detail });
  if (service.faulty(`${rule}/500`)) throw new Refusal(500);
  throw badRequest(detail);
}

/** Refuses with `status`, unless a fault of `rule` lets it pass. */
export function refuse(service: Service, rule: RefusedRule, status: number, detail: string): void {
  if (service.faulty(`${rule}/accepted`)) return;
  if (service.faulty(`${rule}/500`)) throw new Refusal(500);
  throw new Refusal(status, { detail });
}

/** Refuses a value of the wrong JSON type, unless a fault of `rule` lets it pass. */
export function refuseType(
  service: Service,
  rule: TypeRule,
  value: unknown,
  status: number,
  detail: string,
): void {
  if (service.faulty(`${rule}/${value === null ? 'null' : 'other'}-accepted`)) return;
  if (service.faulty(`${rule}/500`)) throw new Refusal(500);
  throw new Refusal(status, { detail });
}

/** The place of a fault that refuses what has to be accepted. */
export function refuseFaultily(service: Service, fault: FaultId, when: boolean): void {
  if (when && service.faulty(fault)) throw badRequest('Not supported');
}
