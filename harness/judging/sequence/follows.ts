/** What only follows from another violation: where that one was seen, nothing else is blamed for it. Pure. */
import type { RequirementId } from '../../../openapi/requirements/catalogue.ts';
import type { FlowExpected, FlowSeen } from '../../../record/flow-finding.ts';
import type { FlowJudgement } from './judgement.ts';
import type { Flow, Together } from './together.ts';

interface Consequence {
  /** The requirement that is violated. */
  readonly of: RequirementId;
  /** Whether it was seen violated, in any flow or in this one. */
  readonly where: (all: Together, flow: Flow) => boolean;
  /** The requirements that fail with it. */
  readonly fails: RegExp;
  /** Only where this was expected, and seen instead. */
  readonly only?: (expected: FlowExpected | undefined, seen: FlowSeen | undefined) => boolean;
}

/** The first row that fits names the violation. */
export const consequences: readonly Consequence[] = [
  {
    // Where people cannot act in their Order, that somebody could not act says nothing about other requirements.
    of: 'signing.lower-order-first',
    where: ({ disordered }, { ordered }) => disordered && ordered,
    fails: /^(otp|signing)\.(?!lower-order-first$)/,
  },
  {
    // Where people of one Order are asked one after the other, the later ones are sent no letter and no code before.
    of: 'signing.parallel',
    where: ({ serial }, { beside }) => serial && beside,
    fails: /^(otp\..*-delivered|signing\.email-used)$/,
  },
  {
    // Somebody whose addition was answered as a success and not stored is not waited for,
    of: 'signatory.signatory-id-usable',
    where: (_, { lost }) => lost,
    fails: /^(signing\.lower-order-first|events\.process-completed-last)$/,
  },
  {
    // and not written to.
    of: 'signatory.signatory-id-usable',
    where: ({ loses }) => loses,
    fails: /^(signing\.(cc-receives-copy|email-used)|otp\..*-delivered)$/,
  },
  {
    // Documents that are completed without some of their pages are copied so.
    of: 'events.documents-attached',
    where: ({ shortened }) => shortened,
    fails: /^signing\.cc-receives-copy$/,
    only: (_, seen) => seen?.short !== undefined,
  },
  {
    // Event 3 that comes too early in one request may do so in others: before events 2, and with nothing to attach yet.
    of: 'events.process-completed-last',
    where: ({ early }) => early,
    fails: /^events\.(documents-attached|signatures-before-completed)$/,
  },
  {
    // Whose event 2 is lost where its own code is subscribed to loses it under code 0 as well.
    of: 'events.signatory-completed',
    where: ({ signatureLost }) => signatureLost,
    fails: /^events\.all$/,
    only: (expected) => expected?.is === 'events' && expected.people !== undefined,
  },
  {
    // Where no AccessCode is demanded, a wrong one is none.
    of: 'otp.gates-signing',
    where: ({ ungated }) => ungated,
    fails: /^otp\.access-code-asked$/,
    only: (expected) => expected?.is === 'cannot',
  },
  {
    // Who waits for the CC has no final copy yet.
    of: 'signing.cc-cannot-act',
    where: ({ waits }) => waits,
    fails: /^signing\.cc-receives-copy$/,
  },
];

export const isConsequence = (
  { where, fails, only }: Consequence,
  { requirement, found }: FlowJudgement,
  all: Together,
  flow: Flow,
): boolean =>
  where(all, flow) && fails.test(requirement) && only?.(found.flow?.expected, found.flow?.seen) !== false;
