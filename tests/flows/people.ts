/** Flows about roles and Orders, and about what people are shown and get in e-mails. */

import { accents } from '../../generators/bodies/request.ts';
import type { FlowDefinition, FlowScript } from '../../harness/flows/flow.ts';
import type { CompletedJudge, FlowPlan, RefusedCall } from '../../harness/flows/flow-plan.ts';
import {
  judgeCopy,
  judgeLetters,
  judgeWritten,
  type Late,
  lateOne,
  plain,
} from '../../harness/flows/judge-messages.ts';
import { judgeShown, secretsOf, shownTo, titled } from '../../harness/flows/judge-shown.ts';
import { withoutEffect } from '../../harness/judging/sequence/judgement.ts';
import type { Act } from '../../harness/people/driver.ts';
import type { ReadMessage } from '../../harness/people/messages/message.ts';
import { colorsOf, readPdf } from '../../harness/untrusted/pdf/completed.ts';
import { event, otpType, role } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { FlowSeen } from '../../record/flow-finding.ts';

const everyCode = [event.requestReceived, event.signatoryCompleted, event.processCompleted];

export const secretOf = (who: string) => `For ${who} alone: please mind the second paragraph.`;

const ofSequence: Pick<FlowDefinition, 'documents' | 'subscription' | 'attached' | 'tracked' | 'proves'> = {
  documents: ['page'],
  subscription: everyCode,
  attached: false,
  tracked: true,
  proves: [
    'signing.lower-order-first',
    'signatory.signatory-id-usable',
    'events.signatory-completed',
    'events.process-completed-last',
    'events.received-before-signatures',
    'events.request-received-first',
    'events.signatures-before-completed',
    'events.signatory-completed-after-action',
    'events.documents-not-attached',
  ],
};

export const notYet = 'whose turn has not come';

export const onlyCopied = 'who receives a copy only';

export const onlyApproves = 'who may only approve';

/** Three people, added in another sequence than that of their Orders; the last one approves, where the profile can approve. */
function sequenceFlow(approves: boolean): FlowDefinition {
  const last = approves ? role.approver : role.signer;
  const inTurn = [2, 0, 1];
  return {
    ...ofSequence,
    name: approves ? 'two signers and an approver in turn' : 'three signers in turn',
    signatories: [
      { role: role.signer, order: 2 },
      { role: last, order: 3, privateMessage: secretOf(`the last (${accents})`) },
      { role: role.signer, order: 1, privateMessage: secretOf('the first') },
    ],
    parts: [twoInTurn],
    accented: 'Title',
    proves: [
      ...ofSequence.proves,
      ...shownTo,
      ...titled,
      ...(approves ? (['signing.approver-approves', 'signing.approver-cannot-sign'] as const) : []),
    ],
    ...(approves ? { without: { 'signing.approver-cannot-sign': sequenceFlow(false) } } : {}),
    script: async (flow) => {
      await flow.send();
      for (const [turn, signatory] of inTurn.entries()) {
        // The Order has to hold at each step, and for the last from the beginning; others hold it for the second there.
        const later = turn === 0 ? inTurn.at(-1) : inTurn[turn + 1];
        if (later !== undefined) {
          const act = flow.task(later).role === role.approver ? 'approve' : 'sign';
          await flow.mayNot(later, act, 'none', 'signing.lower-order-first', notYet);
        }
        if (turn > 0) await judgeShown(flow, signatory);
        // Event 2 must not come for being asked or for looking.
        await flow.lull();
        const isApprover = flow.task(signatory).role === role.approver;
        if (isApprover) {
          await flow.mayNot(signatory, 'sign', 'none', 'signing.approver-cannot-sign', onlyApproves);
        }
        // The approver is the last one: nobody is left whose Order could be the reason of a refusal.
        await flow.acts(signatory, isApprover ? undefined : 'signing.lower-order-first');
      }
    },
  };
}

const twoInTurn: FlowDefinition = {
  ...ofSequence,
  name: 'two signers one after the other',
  signatories: [
    { role: role.signer, order: 1 },
    { role: role.signer, order: 2 },
  ],
  script: async (flow) => {
    await flow.send();
    await flow.mayNot(1, 'sign', 'none', 'signing.lower-order-first', notYet);
    await flow.acts(0, 'signing.lower-order-first');
    await flow.acts(1, 'signing.lower-order-first');
  },
};

export const inSequence = sequenceFlow(true);

type Refused = Readonly<Record<string, Omit<RefusedCall, 'operation' | 'what'>>>;

const withoutAccess: Refused = {
  'without a token': { authorization: 'absent' },
  'with an invalid token': { authorization: 'unknown' },
  'with an expired token': { authorization: 'expired' },
};

function inVain(operation: RefusedCall['operation'], call: string, refused: Refused): RefusedCall[] {
  return Object.entries(refused).map(([how, each]) => ({ operation, what: `${call} ${how}`, ...each }));
}

/** Calls that are refused must leave nobody behind whom the request waits for. */
const refusedInVain: FlowDefinition = {
  name: 'one signer, after calls that are refused',
  signatories: [{ role: role.signer, order: 1 }],
  refused: [
    ...inVain('createSkeletonRequest', 'a creation', {
      'without Title': { change: { Title: undefined } },
      'without Message': { change: { Message: undefined } },
      'without AuditDetails': { change: { AuditDetails: undefined } },
      'with no document': { change: { Documents: [] } },
      'with an unknown document': {
        unknown: true,
        change: { Documents: ['7d0f5f3e-9a41-4c52-8c0b-1f6a2e9d4b77'] },
      },
      ...withoutAccess,
    }),
    ...inVain('createStampedRequest', 'auto stamping', {
      ...withoutAccess,
      'with no MobileNumber of the second': {
        ofSecond: { OTP: { IsRequired: true, Type: String(otpType.sms) } },
      },
    }),
    ...inVain('addSignatory', 'an addition', {
      // Who was refused can be added rightly.
      'without MobileNumber': { change: { OTP: { IsRequired: true, Type: otpType.sms } }, own: true },
      'of an approver with a MobileNumber that is none': {
        change: {
          OTP: { IsRequired: true, Type: otpType.emailAndSms, MobileNumber: 'no number' },
          SignatoryType: role.approver,
        },
      },
      'of a CC without Order': { change: { Order: undefined, SignatoryType: role.cc } },
      'without SignatoryType': { change: { SignatoryType: undefined } },
      'without Name': { change: { Name: undefined }, own: true, after: true },
      'to an unknown request': { unknown: true },
      ...withoutAccess,
    }),
  ],
  documents: [],
  subscription: [event.processCompleted, event.requestReceived],
  proves: Object.values(withoutEffect),
  script: async (flow) => {
    const added = withoutEffect.addSignatory;
    const blame = flow.applies(added) ? added : undefined;
    await flow.send(blame);
    await flow.acts(0, blame);
  },
};

/** A rare color: where it is seen in a completed document, it came from Color. */
export const rareColor = '#B5E61D';

/** Whether a text has the color, or its digits alone; not within ids and hashes of an audit trail, where they stand by chance. */
export function namesColor(text: string): boolean {
  const digits = rareColor.slice(1);
  return new RegExp(`#${digits}|(?<![0-9A-Z])${digits}(?![0-9A-Z])`, 'i').test(text);
}

/** The color is nowhere in the completed documents, neither drawn on a page nor written. */
export const withoutColor: CompletedJudge = {
  requirement: 'signing.color-no-effect',
  expected: { is: 'color-unseen', color: rareColor },
  look: async (files) => {
    for (const file of files) {
      const reading = await readPdf(file);
      const drawn = (await colorsOf(file))?.has(rareColor) ?? false;
      const written = reading.readable && namesColor(reading.text);
      if (drawn || written) return { how: drawn ? 'drawn' : 'written' };
    }
    return null;
  },
};

/**
 * People in parallel, each with a PrivateMessage, who act in another sequence than that in which they were added. Of four the
 * middle ones approve where the profile can approve: one acts before all signers, one behind them. With four there are two
 * CCs, one with a PrivateMessage; they must not be told those of others.
 */
function parallelFlow(name: string, acting: 2 | 4, approves = true): FlowDefinition {
  const all = Array.from({ length: acting }, (_, index) => index);
  const copied = acting > 2 ? [acting, acting + 1] : [];
  const inTurn = acting > 2 ? [2, 0, 3, 1] : [1, 0];
  const approvers = acting > 2 && approves ? [1, 2] : [];
  return {
    name,
    ...(approvers.length > 0
      ? {
          without: {
            'signing.approver-approves': parallelFlow('four signers and two CCs', acting, false),
          },
        }
      : {}),
    signatories: [
      ...all.map((index) => ({
        role: approvers.includes(index) ? role.approver : role.signer,
        order: 1,
        privateMessage: secretOf(`number ${index + 1}`),
        color: rareColor,
      })),
      ...copied.map((_, index) => {
        const first = index === 0 ? { privateMessage: secretOf('the CC') } : {};
        return { role: role.cc, order: index + 1, ...first };
      }),
    ],
    documents: copied.length > 0 ? ['page', 'page', 'page'] : ['page'],
    subscription: copied.length > 0 ? [event.all] : everyCode,
    attached: true,
    proves: [
      'signing.parallel',
      ...(copied.length > 0 ? (['events.all'] as const) : []),
      'events.documents-attached',
      'events.process-completed-last',
      'signing.title-shown',
      'signing.message-shown',
      'signing.name-shown',
      'signing.private-message',
      'signing.signer-views',
      'signing.email-used',
      'signing.title-mailed',
      ...(copied.length > 0 ? (['signing.cc-receives-copy', 'signing.cc-cannot-act'] as const) : []),
      ...(approvers.length > 0
        ? (['signing.approver-approves', 'signing.approver-cannot-sign'] as const)
        : []),
    ],
    script: async (flow) => {
      await flow.send();
      await judgeShown(flow, acting - 1);
      const later = copied.at(-1);
      if (later !== undefined) {
        await flow.mayNot(later, 'sign', 'none', 'signing.cc-cannot-act', onlyCopied);
      }
      for (const [turn, index] of inTurn.entries()) {
        const left = inTurn.slice(turn + 1);
        if (turn === 0 && approvers.includes(index)) {
          await flow.mayNot(index, 'sign', 'none', 'signing.approver-cannot-sign', onlyApproves);
        }
        // That an approver cannot act proves nothing about the Order, unless they can once the others have acted.
        const blame = left.length > 0 && !approvers.includes(index) ? 'signing.parallel' : undefined;
        await flow.acts(index, blame, approvers.includes(index) ? left : []);
        if (blame) flow.judge(blame, 'passed', {});
      }
      flow.judgeCompleted({
        requirement: 'signing.private-message',
        expected: {
          is: 'hides',
          to: flow.people.map((each) => flow.person(each)),
          places: [{ of: 'documents' }],
        },
        look: toldIn(secretsOf(flow)),
        need: 'if-there',
      });
      flow.judgeCompleted({ ...withoutColor, need: 'if-there' });
      if (!flow.reads('email')) return;
      // Where a CC can act, the request may still wait for the other CC.
      if (!flow.hasFailed('signing.cc-cannot-act')) {
        for (const cc of copied) await judgeCopy(flow, cc);
      }
      await judgeLetters(flow, all);
    },
  };
}

export const inParallel: FlowDefinition = {
  ...parallelFlow('four in parallel and two CCs', 4),
  parts: [parallelFlow('two signers in parallel, the last one first', 2)],
};

/** Looks for the messages on the pages of documents, in comments, and in what a viewer tells about the file. */
function toldIn(messages: readonly string[]) {
  return async (files: readonly Uint8Array[]): Promise<FlowSeen | null> => {
    for (const file of files) {
      const reading = await readPdf(file);
      const told = reading.readable ? plain(`${reading.text}\n${reading.metadata}`) : '';
      if (messages.some((each) => told.includes(plain(each)))) return {};
    }
    return null;
  };
}

/** Every role in turn: an approver, a signer, another signer, and a CC of Order 1, who cannot act and is not waited for. */
function rolesFlow(approves: boolean, acting = 2): FlowDefinition {
  const [signer, approver, cc, later] = approves ? [0, 1, 2, 3] : [0, -1, 1, 2];
  const others = acting > 1 ? 'approver, two signers and CC' : 'approver, signer and CC';
  const order = approves ? 2 : 1;
  return {
    name: `${approves ? others : 'signer and CC'}, documents attached`,
    signatories: [
      // The signer is added first, but is not the first to act.
      { role: role.signer, order },
      ...(approves ? [{ role: role.approver, order: 1 }] : []),
      { role: role.cc, order: 1 },
      ...(acting > 1 ? [{ role: role.signer, order: order + 1 }] : []),
    ],
    ...(acting > 1 ? { parts: [rolesFlow(approves, 1)] } : {}),
    documents: ['page', 'pages'],
    subscription: everyCode,
    attached: true,
    ...(approves ? { without: { 'signing.approver-approves': rolesFlow(false, acting) } } : {}),
    proves: [
      ...(approves
        ? ([
            'signing.approver-cannot-sign',
            'signing.approver-approves',
            'signing.email-used',
            'signing.lower-order-first',
          ] as const)
        : []),
      'signing.cc-cannot-act',
      'signing.cc-receives-copy',
      'events.none-for-cc',
      'events.documents-attached',
      'events.process-completed',
    ],
    script: async (flow) => {
      const ccCannot = (act: Act) => flow.mayNot(cc, act, 'none', 'signing.cc-cannot-act', onlyCopied);
      await flow.send();
      await ccCannot('sign');
      if (approves) {
        await ccCannot('approve');
        // Tried at the approver's turn, so that only the role can be the reason of a refusal.
        await flow.mayNot(approver, 'sign', 'none', 'signing.approver-cannot-sign', onlyApproves);
        // Where the approver could sign, the turn of the next person has come.
        if (!flow.hasFailed('signing.approver-cannot-sign')) {
          await flow.mayNot(signer, 'sign', 'none', 'signing.lower-order-first', notYet);
        }
        await flow.acts(approver);
        // Events that follow from the approver's act have time to come before the next act.
        await flow.lull();
      }
      const unasked = approves ? await lateOne(flow, signer, approver) : undefined;
      await flow.acts(signer, approves ? 'signing.cc-cannot-act' : undefined);
      // Only now, since a service that waits for the CC does not ask the signer.
      if (approves && flow.reads('email')) judgeWritten(flow, signer, !unasked, unasked);
      let late: Late | undefined;
      if (acting > 1) {
        if (approves) late = await lateOne(flow, later, signer);
        await flow.acts(later);
      }
      if (!flow.reads('email')) return;
      await judgeCopy(flow, cc);
      if (approves) await judgeLetters(flow, [acting > 1 ? later : approver], late);
    },
  };
}

export const mixedRoles = rolesFlow(true);

const oneOfTwo: Omit<FlowPlan, 'name'> = {
  signatories: [{ role: role.signer, order: 1, privateMessage: secretOf('the other request') }],
  documents: ['page'],
  subscription: everyCode,
  attached: true,
  // Events are not listed: they are judged only where each of them names its request.
  proves: ['signing.signer-signs'],
};

/** Where e-mails to a person tell the texts of another request, they tell those of this one, too. */
function judgeTexts(flow: FlowScript, other: FlowScript, mails: readonly ReadMessage[]): void {
  // A mailbox may tell the newest alone.
  if (mails.filter(({ links }) => links.length > 0).length < 2) return;
  const judge = (requirement: RequirementId, what: string, textOf: (of: FlowScript) => string) => {
    const isTold = (of: FlowScript) => (some: typeof mails) =>
      some.some(({ text }) => plain(text).includes(plain(textOf(of))));
    if (!isTold(other)(mails)) return;
    const expected = { is: 'shows', what, places: [{ of: 'e-mail', person: flow.person(0) }] } as const;
    const to = { signatory: 0, channel: 'email' } as const;
    flow.judgeMessage(requirement, to, isTold(flow)(mails), expected, isTold(flow));
  };
  judge('signing.message-shown', 'Message', ({ message }) => message);
  judge('signing.private-message', 'PrivateMessage to its signatory', (of) => of.privateMessageOf(0));
}

/** E-mails with a link beside those that came before. */
const linkedBeside = (before: readonly ReadMessage[], mails: readonly ReadMessage[]) =>
  mails.filter(({ key, links }) => links.length > 0 && before.every((mail) => mail.key !== key));

/** The person was written to for the request that was made first: an e-mail came before there was another one, or two came for both. */
function judgeFirstLetter(flow: FlowScript, holds: boolean, mails: readonly ReadMessage[]): void {
  const isBoth = (some: typeof mails) => {
    const linked = linkedBeside([], some).length;
    return (linked > 0 ? linked : some.length) > 1;
  };
  const expected = { is: 'written-to', person: flow.person(0) } as const;
  const to = { signatory: 0, channel: 'email' } as const;
  flow.judgeMessage('signing.email-used', to, holds || isBoth(mails), expected, isBoth);
}

/** Whether the page that the person has shows the Message of a request; where it cannot be read, it may. */
async function mayShow(neighbour: FlowScript): Promise<(of: FlowScript) => boolean> {
  const page = await neighbour.view(0);
  return ({ message }) => page.kind !== 'seen' || plain(page.text).includes(plain(message));
}

/**
 * Two requests with the same person, Title, file name and CallbackUrl, and other codes, texts and documents: what is done with
 * one of them does nothing to the other, and the one that was made last is signed first. Only the other one asks for an
 * AccessCode, where one can be entered.
 */
function sideBySide(coded: boolean): FlowDefinition {
  const person = { role: role.signer, order: 1, privateMessage: secretOf('the first of two requests') };
  return {
    ...oneOfTwo,
    name: 'two alike, the one made first',
    signatories: [coded ? { ...person, otp: otpType.accessCode } : person],
    neighbour: {
      ...oneOfTwo,
      name: 'two alike, the one made last',
      subscription: [event.requestReceived, event.processCompleted],
    },
    ...(coded ? { without: { 'otp.access-code-asked': sideBySide(false) } } : {}),
    proves: [
      ...oneOfTwo.proves,
      'signing.message-shown',
      'signing.private-message',
      'signing.email-used',
      ...(coded ? (['otp.gates-signing'] as const) : []),
    ],
    script: async (flow, neighbour) => {
      await flow.send('signing.signer-signs');
      const before = flow.reads('email') ? await flow.messages(0, 'email') : [];
      await neighbour.send();
      const isSecond = (some: typeof before) => linkedBeside(before, some).length > 0;
      const mails = flow.reads('email')
        ? await flow.messages(0, 'email', (mail) => isSecond([mail]))
        : before;
      if (flow.reads('email')) {
        judgeFirstLetter(flow, before.length > 0, mails);
        judgeTexts(flow, neighbour, mails);
      }
      // Where the service sends requests by itself, both e-mails may have come before.
      const isOnce = before.length === 1 && !isSecond(mails) && flow.driverShows;
      const shows = isOnce ? await mayShow(neighbour) : undefined;
      // The page of the one e-mail may show what is to be signed next, and then it is due for no other one.
      const isFirstAlone = shows?.(flow) === true && !shows(neighbour);
      const [first, last] = isFirstAlone ? [flow, neighbour] : [neighbour, flow];
      if (coded) await flow.mayNot(0, 'sign', 'none', 'otp.gates-signing', 'who has entered no code');
      await first.acts(0, 'signing.signer-signs');
      if (isFirstAlone && !(await mayShow(neighbour))(neighbour)) {
        const expected = { is: 'written-to', person: neighbour.person(0) } as const;
        const to = { signatory: 0, channel: 'email' } as const;
        neighbour.judgeMessage('signing.email-used', to, false, expected, isSecond);
      }
      await last.lull();
      await last.acts(0, 'signing.signer-signs');
    },
  };
}

export const twoAlike = sideBySide(true);

export const peopleFlows: readonly FlowDefinition[] = [
  inSequence,
  inParallel,
  mixedRoles,
  refusedInVain,
  twoAlike,
];
