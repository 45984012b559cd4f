/** The table of consequences: which failures only follow from which other violation, and are blamed on it. Pure. */
import { event } from '../../../openapi/codes.ts';
import type { RequirementId } from '../../../openapi/requirements/catalogue.ts';
import type { FlowExpected, FlowSeen } from '../../../record/flow-finding.ts';
import type { FlowJudgement } from './judgement.ts';
import {
  expectedSignatory,
  type FlowFacts,
  isFailed,
  type JudgementInFlow,
  lacksCompletion,
  type Together,
} from './together.ts';

interface Consequence {
  readonly of: RequirementId;
  /**
   * Which failures of `of` count: `here`, those in the same flow; a function, those that it picks. If absent, those
   * in the same flow, and those in other flows whose assumption is proved.
   */
  readonly by?: 'here' | ((failure: JudgementInFlow) => boolean);
  /** What shows the violation instead of a failure of `of`: something that all flows together have shown. */
  readonly shown?: (all: Together, flow: FlowFacts) => boolean;
  /** The flows in which failures follow from it; all if absent. */
  readonly flows?: (flow: FlowFacts) => boolean;
  readonly fails: RegExp;
  /** Which of these failures follow, by what was expected and what was seen instead; all if absent. */
  readonly only?: (
    expected: FlowExpected | undefined,
    seen: FlowSeen | undefined,
    judgement: FlowJudgement,
  ) => boolean;
}

/** Whether documents or pages are missing in PDFs, or foreign ones are among them. */
const areOthers = ({ short, foreign, missing, lacks }: FlowSeen = {}): boolean =>
  foreign === true || [short, missing, lacks].some((each) => each !== undefined);

/** Whether an event of each of some people was expected. */
const isOfPeople = (expected: FlowExpected | undefined): boolean =>
  expected?.is === 'events' && expected.people !== undefined;

/** Whether letters were to hide something, or a page to which one led: a CC has no other way to a page. */
const isOfLetters = (expected: FlowExpected | undefined): boolean =>
  expected?.is === 'hides' &&
  expected.places.every(({ of, person }) => of === 'e-mail' || (of === 'page' && person?.role === 'cc'));

/** Whether an event did not come although it was due: here, or elsewhere if it never came, or if code 0 does not tell. */
const isMissing =
  (of: RequirementId, isMeant: (failure: JudgementInFlow) => boolean = () => true) =>
  ({ all, proved }: Together, flow: FlowFacts): boolean => {
    const missing = all.filter((each) => isFailed(each, of) && isMeant(each));
    const isTold = proved.has(of) && !flow.subscription.includes(event.all);
    return isTold ? missing.some((each) => each.flow === flow) : missing.length > 0;
  };

const eventRequirements = [
  ['events.request-received', event.requestReceived],
  ['events.signatory-completed', event.signatoryCompleted],
  ['events.process-completed', event.processCompleted],
  ['events.all', event.all],
] as const;

/** The first row that fits names the violation. */
export const consequences: readonly Consequence[] = [
  // What should follow an act that is accepted and not kept does not come.
  ...(['signing.signer-signs', 'signing.approver-approves'] as const).map(
    (of): Consequence => ({
      of,
      by: ({ found }) => found.flow?.expected.is === 'kept',
      fails: /^(events\.(signatory-completed|process-completed|all)|signing\.email-used)$/,
      only: (expected) => expected?.is === 'events' || expected?.is === 'written-to',
    }),
  ),
  {
    // If people cannot act in their Order, it says nothing about other requirements that somebody could not act.
    of: 'signing.lower-order-first',
    flows: ({ ordered }) => ordered,
    fails: /^(otp|signing)\.(?!lower-order-first$)/,
    only: (expected) => expected?.is !== 'cannot',
  },
  {
    // If a CC takes a turn that should be somebody else's, others may act before their own turn, or are not asked in it.
    of: 'signing.cc-cannot-act',
    by: 'here',
    fails: /^signing\.(lower-order-first|email-used)$/,
  },
  {
    // A service that takes approvers for CCs, and CCs for approvers, passes over approvers.
    of: 'signing.cc-cannot-act',
    by: ({ found }) => found.flow?.expected.is === 'cannot' && found.flow.expected.act === 'approve',
    fails: /^signing\.lower-order-first$/,
    only: (expected) => expected?.is === 'can' && expected.act === 'approve',
  },
  {
    // Where people of one Order are asked one after the other, the later ones get no e-mail and no code until then.
    of: 'signing.parallel',
    flows: ({ sameOrder }) => sameOrder,
    fails: /^(otp\.(.*-delivered|access-code-asked)|signing\.email-used)$/,
  },
  {
    // A service that accepts an addition and does not store it does not wait for that person, nor does it write to them.
    of: 'signatory.signatory-id-usable',
    fails:
      /^(signing\.(lower-order-first|cc-receives-copy|email-used)|events\.process-completed-last|otp\..*-delivered)$/,
  },
  {
    // Nor does it send a request that has nobody for that.
    of: 'signatory.signatory-id-usable',
    fails: /^signing\.signer-signs$/,
    only: (expected) => expected?.is === 'sent',
  },
  {
    // What is missing or wrong in completed documents is so in the CC's copy, too.
    of: 'events.documents-attached',
    by: ({ found }) => areOthers(found.flow?.seen),
    fails: /^signing\.cc-receives-copy$/,
    only: (_, seen) => areOthers(seen),
  },
  {
    // An event 3 that is sent too early comes before events 2, and has nothing to attach yet. A service that sends
    // one too early may do so elsewhere.
    of: 'events.process-completed-last',
    fails: /^events\.(documents-attached|signatures-before-completed)$/,
  },
  {
    // Where a request is over for all once some have acted, the others are not asked, and cannot act any more, or those behind
    // them before them.
    of: 'events.process-completed-last',
    by: ({ flow }) => flow.acted,
    fails:
      /^(signing\.(signer-signs|approver-approves|lower-order-first|parallel|cc-cannot-act|email-used)|otp\..+-delivered|otp\.access-code-asked|signatory\.refused-without-effect)$/,
  },
  {
    // Of a request that does not complete there is no final copy.
    of: 'events.process-completed',
    fails: /^signing\.cc-receives-copy$/,
    only: (_, seen) => seen === undefined,
  },
  {
    of: 'events.all',
    by: lacksCompletion,
    fails: /^signing\.cc-receives-copy$/,
    only: (_, seen) => seen === undefined,
  },
  {
    // A service that sends event 1 only at the end sends it after events 2, even in requests that do not subscribe to
    // event 3.
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
  // An event that comes with the code of another one is one of these too many, and too early.
  ...eventRequirements.flatMap(([of, code]): Consequence[] => {
    const flows = ({ subscription }: FlowFacts) =>
      subscription.some((each) => each === code || each === event.all);
    const ofNobody = ({ found }: JudgementInFlow) => !isOfPeople(found.flow?.expected);
    const others = /^events\.(only-subscribed|process-completed-last|signatures-before-completed)$/;
    return [
      { of, flows, shown: isMissing(of), fails: others },
      // An event 2 that is missing for somebody may be the one that names another person too early.
      { of, flows, shown: isMissing(of, ofNobody), fails: /^events\.signatory-completed-after-action$/ },
    ];
  }),
  {
    // A service that loses event 2 where code 2 is subscribed to loses it under code 0 as well.
    of: 'events.signatory-completed',
    fails: /^events\.all$/,
    only: isOfPeople,
  },
  {
    // If a service acts for people, they cannot act themselves, and their request completes without them.
    of: 'events.signatory-completed-after-action',
    by: 'here',
    fails: /^(signing\.signer-signs|events\.process-completed-last)$/,
  },
  {
    // A service that sends event 2 when somebody looks, or tries to act, does so for a CC as well.
    of: 'events.signatory-completed-after-action',
    fails: /^events\.none-for-cc$/,
  },
  {
    // An event 2 that names the wrong person is missing for the one who acted.
    of: 'events.signatory-completed-after-action',
    fails: /^events\.(signatory-completed|all)$/,
    only: isOfPeople,
  },
  {
    // So is one that names a CC.
    of: 'events.none-for-cc',
    fails: /^events\.(signatory-completed|all)$/,
    only: isOfPeople,
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
    // A service that accepts a wrong AccessCode accepts a blank as well.
    of: 'otp.access-code-asked',
    by: ({ found }) => found.flow?.expected.is === 'cannot',
    fails: /^otp\.gates-signing$/,
    only: (_expected, _seen, { blank }) => blank === true,
  },
  {
    // A service that demands no AccessCode refuses no wrong one.
    of: 'otp.gates-signing',
    by: (failure) => !failure.blank && failure.flow.withAccessCode.includes(expectedSignatory(failure) ?? -1),
    fails: /^otp\.access-code-asked$/,
    only: (expected) => expected?.is === 'cannot',
  },
  {
    // A service that takes wrong codes takes wrong AccessCodes as well.
    of: 'otp.gates-signing',
    by: ({ wrong }) => wrong === true,
    fails: /^otp\.access-code-asked$/,
    only: (_expected, _seen, { wrong }) => wrong === true,
  },
  {
    // A signer who cannot sign for their OTP, which is not required, cannot do so without CallbackUrl, or after others, either.
    of: 'otp.not-asked',
    fails: /^(events\.optional|signing\.(signer-signs|cc-cannot-act))$/,
    only: (expected) => expected?.is === 'can',
  },
  {
    // Where a signer without a code cannot sign, others cannot do so by their code, or after a CC, either.
    of: 'signing.signer-signs',
    by: ({ assumes }) => assumes === undefined,
    fails: /^(otp\.(access-code-asked|.*-delivered)|signing\.cc-cannot-act)$/,
    only: (expected) => expected?.is === 'can',
  },
  {
    // A signer whose turn never comes is asked for nothing.
    of: 'signing.signer-signs',
    by: 'here',
    fails: /^signing\.email-used$/,
  },
  {
    // If everybody is taken for a signer, an approver can sign and not approve, and a CC can sign as well.
    of: 'signing.approver-cannot-sign',
    fails: /^signing\.(approver-approves|cc-cannot-act)$/,
    only: (expected) => expected?.is === 'can' || (expected?.is === 'cannot' && expected.act === 'sign'),
  },
  {
    // The request may wait for an approver who could sign, and was not asked to approve after that.
    of: 'signing.approver-cannot-sign',
    by: 'here',
    fails:
      /^(events\.(process-completed|all)|signing\.(signer-signs|approver-approves|cc-receives-copy|email-used))$/,
  },
  {
    // A service that does not wait for approvers does not write to them.
    of: 'signing.approver-approves',
    by: 'here',
    fails: /^signing\.email-used$/,
  },
  {
    // A Title that the request has lost is neither on the page nor in e-mails.
    of: 'signing.title-shown',
    fails: /^signing\.title-mailed$/,
  },
  {
    // E-mails that go to the wrong person show that person what is meant for others.
    of: 'signing.email-used',
    fails: /^signing\.private-message$/,
    only: isOfLetters,
  },
  {
    // In letters that go to others as well, the newest link may lead to the page of one of these.
    of: 'signing.private-message',
    by: ({ found }) => isOfLetters(found.flow?.expected),
    fails: /^signing\.name-shown$/,
  },
  {
    // Somebody whose link leads to another person's page sees what is meant for that one.
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
  if (shown) return shown(all, flow);
  if (typeof by !== 'function' && flow.failed.includes(of)) return true;
  if (by === 'here') return false;
  const isProved = ({ assumes }: JudgementInFlow) => !assumes || all.proved.has(assumes);
  return all.all.some((each) => isFailed(each, of) && (by ?? isProved)(each));
}
