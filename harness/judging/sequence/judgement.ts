/** The shape of a judgement about a sequence, and how rules give one. */
import { type EventCode, role } from '../../../openapi/codes.ts';
import type { GapId } from '../../../openapi/gaps/register.ts';
import type { ObservedFact } from '../../../openapi/observation.ts';
import type { RequirementId } from '../../../openapi/requirements/catalogue.ts';
import type { Facts, Occurrence, Plan } from '../../../record/facts.ts';
import type { Because, ExcuseId, Found } from '../../../record/finding.ts';
import type { EventSeen, FlowExpected, FlowSeen, Person } from '../../../record/flow-finding.ts';

export interface SequenceJudgement {
  readonly requirement: RequirementId;
  readonly verdict: 'passed' | 'failed' | 'could-not-run';
  readonly found: Found;
  /** Indexes of the deliveries that decided it, without those of an earlier run. */
  readonly deliveries: readonly number[];
}

/** A judgement of a flow: from its callbacks, or from what its people met. */
export interface FlowJudgement extends Omit<SequenceJudgement, 'deliveries'> {
  readonly exchanges: readonly number[];
  readonly deliveries?: readonly number[];
  /** A failure counts only if some flow proved this requirement; otherwise it may have another cause. */
  readonly assumes?: RequirementId;
  /** The target may not understand the call as the profile has it: a failure counts only if somebody could act by it. */
  readonly malformed?: true;
  /** A blank was entered as the code. */
  readonly blank?: true;
  /** A wrong code was entered, which is no blank. */
  readonly wrong?: true;
  /** The requirement that is violated instead where somebody with the same Type of OTP, not required, could act. */
  readonly otherwise?: RequirementId;
  /** An attempt of the person was refused before. A failure counts only if others could act after such an attempt. */
  readonly afterTry?: Try;
}

/** Refused attempts of somebody who is asked for a code. How many of them a person has is not shown. */
export interface Try {
  /** Whether the caller chose the code or it was sent: a service may allow a different number of attempts with each. */
  readonly code: 'chosen' | 'sent';
  /** Whether it was their turn: a service may not count attempts before it. */
  readonly inTurn: boolean;
  /** How many there were. */
  readonly times: number;
}

/** By operation, the requirement that a refused call has no effect. */
export const withoutEffect = {
  addSignatory: 'signatory.refused-without-effect',
  createSkeletonRequest: 'skeleton.refused-without-effect',
  createStampedRequest: 'stamping.refused-without-effect',
} as const satisfies Readonly<Record<string, RequirementId>>;

/** Judges one requirement; `undefined` where the plan and what was done do not put it to the test. */
export type SequenceRule = (facts: Facts) => SequenceJudgement | undefined;

export interface SequenceObservation extends ObservedFact {
  readonly gap: GapId;
  readonly deliveries: readonly number[];
}

type Seen = readonly Pick<Occurrence, 'delivery'>[];

/** Judgements of one requirement over some occurrences. */
export function judgementOf(requirement: RequirementId, expected: FlowExpected) {
  const give = (verdict: SequenceJudgement['verdict'], found: Found, from: Seen): SequenceJudgement => ({
    requirement,
    verdict,
    found,
    deliveries: [...new Set(from.map(({ delivery }) => delivery.index))].filter((index) => index >= 0),
  });
  const excused = (excuse: ExcuseId, because: Because = {}, from: Seen = []) =>
    give('could-not-run', { flow: { expected }, cause: { excuse, because } }, from);
  return {
    passed: (from: Seen = []) => give('passed', { flow: { expected } }, from),
    /** @param otherwise where it differs from what the rule expects as a whole, such as the people who miss an event */
    failed: (seen: FlowSeen, from: Seen = [], otherwise = expected) =>
      give('failed', { flow: { expected: otherwise, seen } }, from),
    excused,
    /** Nothing is proved: the event that would show it did not arrive, or may be among the callbacks that were lost. */
    missed: (code: EventCode, { lost }: Pick<Facts, 'lost'>) =>
      lost ? excused('unseen', { codes: [code], loss: lost }) : excused('not-arrived', { codes: [code] }),
  };
}

/** The events as a finding names them. */
export function eventsOf(occurrences: readonly Occurrence[]): EventSeen[] {
  return occurrences.map(({ event: { code }, delivery: { index }, who: signatory }) => {
    return { code, signatory, delivery: index < 0 ? undefined : index };
  });
}

const roles = Object.entries(role) as [Person['role'], number][];

export function personOf(
  { signatories }: { readonly signatories: readonly Pick<Plan['signatories'][number], 'role' | 'order'>[] },
  index: number,
): Person {
  const planned = signatories[index];
  const [name = 'signer'] = roles.find(([, value]) => value === planned?.role) ?? [];
  return { signatory: index, role: name, order: planned?.order ?? 0 };
}
