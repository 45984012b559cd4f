/** The shape of a judgement, and the words in which judgements speak of events and people. */
import { role } from '../../../openapi/codes.ts';
import type { GapId } from '../../../openapi/gaps/register.ts';
import type { ObservedFact } from '../../../openapi/observation.ts';
import type { RequirementId } from '../../../openapi/requirements/catalogue.ts';
import type { Occurrence, Plan } from '../../../record/facts.ts';

export interface SequenceJudgement {
  readonly requirement: RequirementId;
  /** `unreadable`: what would decide it did not arrive, or could not be read. */
  readonly verdict: 'passed' | 'failed' | 'unreadable';
  readonly message: string;
  /** Indexes of the deliveries that decided it, as far as the run itself took them in. */
  readonly deliveries: readonly number[];
}

export interface SequenceObservation extends ObservedFact {
  readonly gap: GapId;
  readonly deliveries: readonly number[];
}

/** A judgement of one requirement over some occurrences. */
export function judgementOf(requirement: RequirementId) {
  const give =
    (verdict: SequenceJudgement['verdict']) =>
    (message: string, occurrences: readonly Pick<Occurrence, 'delivery'>[] = []): SequenceJudgement => ({
      requirement,
      verdict,
      message,
      deliveries: [...new Set(occurrences.map(({ delivery }) => delivery.index))].filter(
        (index) => index >= 0,
      ),
    });
  return { passed: give('passed'), failed: give('failed'), unreadable: give('unreadable') };
}

/** `event 2 of signatory 1 (delivery 4)`. */
export function named({ event, delivery, who }: Occurrence): string {
  const person = who === undefined ? '' : ` of signatory ${who + 1}`;
  const which = delivery.index < 0 ? 'in the run before' : `delivery ${delivery.index}`;
  return `event ${event.code}${person} (${which})`;
}

/** `signatory 2 (approver, order 1)`. */
export function personOf(plan: Plan, index: number): string {
  const signatory = plan.signatories[index];
  const roleName = Object.entries(role).find(([, value]) => value === signatory?.role)?.[0];
  return `signatory ${index + 1} (${roleName}, order ${signatory?.order})`;
}
