/** Failures that only follow from another violation: where it was seen, they are blamed on it. Pure. */
import type { RequirementId } from '../../../openapi/requirements/catalogue.ts';
import type { FlowExpected, FlowSeen } from '../../../record/flow-finding.ts';
import type { FlowJudgement } from './judgement.ts';
import {
  expectedSignatory,
  type FlowFacts,
  isFailed,
  type JudgementInFlow,
  type Together,
} from './together.ts';

interface Consequence {
  readonly of: RequirementId;
  /**
   * Which of its failures count: those in this flow, or such; where absent, those in this flow, whatever excuses them, and in
   * others those of which is proved what they assume.
   */
  readonly by?: 'here' | ((failure: JudgementInFlow) => boolean);
  /** Where no failure shows it: whether flows do so together. */
  readonly shown?: (all: Together) => boolean;
  /** The flows in which failures follow from it; all where absent. */
  readonly flows?: (flow: FlowFacts) => boolean;
  readonly fails: RegExp;
  /** Which of their failures follow, by what was expected and what was seen instead; all where absent. */
  readonly only?: (
    expected: FlowExpected | undefined,
    seen: FlowSeen | undefined,
    judgement: FlowJudgement,
  ) => boolean;
}

/** Whether documents, or pages of them, are missing among PDFs, or there are others. */
const areOthers = ({ short, foreign, missing, lacks }: FlowSeen = {}): boolean =>
  foreign === true || [short, missing, lacks].some((each) => each !== undefined);

/** The first row that fits names the violation. */
export const consequences: readonly Consequence[] = [
  {
    // Where people cannot act in their Order, that somebody could not act says nothing about other requirements.
    of: 'signing.lower-order-first',
    flows: ({ ordered }) => ordered,
    fails: /^(otp|signing)\.(?!lower-order-first$)/,
    only: (expected) => expected?.is !== 'cannot',
  },
  {
    // Where a CC acts in the place of somebody who is not waited for, others may act before their turn.
    of: 'signing.cc-cannot-act',
    by: 'here',
    fails: /^signing\.lower-order-first$/,
  },
  {
    // Where people of one Order are asked one after the other, the later ones get no e-mail and no code until then.
    of: 'signing.parallel',
    flows: ({ sameOrder }) => sameOrder,
    fails: /^(otp\.(.*-delivered|access-code-asked)|signing\.email-used)$/,
  },
  {
    // A service that answers an addition with success and does not store it does not wait for that person.
    of: 'signatory.signatory-id-usable',
    by: 'here',
    fails: /^(signing\.lower-order-first|events\.process-completed-last)$/,
  },
  {
    // It does not write to them either.
    of: 'signatory.signatory-id-usable',
    fails: /^(signing\.(cc-receives-copy|email-used)|otp\..*-delivered)$/,
  },
  {
    // What is missing or wrong in completed documents is so in the CC's copy, too.
    of: 'events.documents-attached',
    by: ({ found }) => areOthers(found.flow?.seen),
    fails: /^signing\.cc-receives-copy$/,
    only: (_, seen) => areOthers(seen),
  },
  {
    // An event 3 that is sent too early comes before events 2, with nothing to attach. A service may send others so, too.
    of: 'events.process-completed-last',
    fails: /^events\.(documents-attached|signatures-before-completed)$/,
  },
  {
    // A service that sends event 1 at the end sends it after events 2, which shows where nobody is told of the end.
    of: 'events.request-received-first',
    fails: /^events\.received-before-signatures$/,
  },
  {
    // Callbacks that went to the address of another request are missing at their own.
    of: 'events.to-callback-url',
    by: ({ found }) => found.flow?.seen?.how === undefined,
    fails: /^events\.(request-received|signatory-completed|process-completed|all)$/,
    only: (expected) => expected?.is === 'events',
  },
  {
    // A service that loses event 2 where code 2 is subscribed to loses it under code 0 as well.
    of: 'events.signatory-completed',
    fails: /^events\.all$/,
    only: (expected) => expected?.is === 'events' && expected.people !== undefined,
  },
  {
    // For whom a service acts, they cannot act themselves, and their request is completed without them.
    of: 'events.signatory-completed-after-action',
    by: 'here',
    fails: /^(signing\.signer-signs|events\.process-completed-last)$/,
  },
  {
    // An event 2 that names somebody else is missing for who acted.
    of: 'events.signatory-completed-after-action',
    fails: /^events\.(signatory-completed|all)$/,
    only: (expected) => expected?.is === 'events' && expected.people !== undefined,
  },
  {
    // A service whose e-mails with codes go astray loses those of Type 4 as well.
    of: 'otp.email-delivered',
    fails: /^otp\.email-and-sms-delivered$/,
    only: (expected) => expected?.is === 'code' && expected.channel === 'email',
  },
  {
    // So does one whose SMS go astray.
    of: 'otp.sms-delivered',
    fails: /^otp\.email-and-sms-delivered$/,
    only: (expected) => expected?.is === 'code' && expected.channel === 'sms',
  },
  {
    // Where a wrong AccessCode is taken, a blank is as well.
    of: 'otp.access-code-asked',
    by: ({ found }) => found.flow?.expected.is === 'cannot',
    fails: /^otp\.gates-signing$/,
    only: (_expected, _seen, { blank }) => blank === true,
  },
  {
    // Where no AccessCode is demanded, a wrong one cannot be refused.
    of: 'otp.gates-signing',
    by: (failure) => !failure.blank && failure.flow.withAccessCode.includes(expectedSignatory(failure) ?? -1),
    fails: /^otp\.access-code-asked$/,
    only: (expected) => expected?.is === 'cannot',
  },
  {
    // A signer who cannot sign in a request of type 3 cannot do so by their AccessCode either.
    of: 'signing.signer-signs',
    flows: ({ stamped }) => stamped,
    fails: /^otp\.access-code-asked$/,
    only: (expected) => expected?.is === 'can',
  },
  {
    // Where everybody is taken for a signer, an approver can sign and not approve, and a CC can sign as well.
    of: 'signing.approver-cannot-sign',
    fails: /^signing\.(approver-approves|cc-cannot-act)$/,
    only: (expected) => expected?.is === 'can' || (expected?.is === 'cannot' && expected.act === 'sign'),
  },
  {
    // An approver who is not waited for is asked for nothing.
    of: 'signing.approver-approves',
    by: 'here',
    fails: /^signing\.email-used$/,
  },
  {
    // Letters that go to somebody else tell what is meant for their own readers.
    of: 'signing.email-used',
    fails: /^signing\.private-message$/,
    only: (expected) => expected?.is === 'hides' && expected.places.every((place) => place.of === 'e-mail'),
  },
  {
    // Whose link leads to the page of somebody else is shown what that one is shown.
    of: 'signing.email-used',
    by: ({ found }) => found.flow?.seen?.how !== undefined,
    fails: /^signing\.(name-shown|private-message)$/,
  },
  {
    // A service that waits for the CC to act has no final copy yet.
    of: 'signing.cc-cannot-act',
    shown: ({ waitsForCc }) => waitsForCc,
    fails: /^signing\.cc-receives-copy$/,
  },
];

export function isConsequence(
  { of, by, shown, flows, fails, only }: Consequence,
  judgement: FlowJudgement,
  all: Together,
  flow: FlowFacts,
): boolean {
  const { requirement, found } = judgement;
  if (!fails.test(requirement) || flows?.(flow) === false) return false;
  if (only?.(found.flow?.expected, found.flow?.seen, judgement) === false) return false;
  if (shown) return shown(all);
  if (typeof by !== 'function' && flow.failed.includes(of)) return true;
  if (by === 'here') return false;
  const isProved = ({ assumes }: JudgementInFlow) => !assumes || all.proved.has(assumes);
  return all.all.some((each) => isFailed(each, of) && (by ?? isProved)(each));
}
