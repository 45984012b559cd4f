/** Flows about roles and Orders, and about what people are shown and get in e-mails. */

import { accents } from '../../generators/bodies/request.ts';
import { noCode } from '../../harness/flows/cannot-act.ts';
import type { FlowDefinition, FlowScript } from '../../harness/flows/flow.ts';
import type { CompletedJudge, RefusedCall } from '../../harness/flows/flow-plan.ts';
import { judgeCopy, judgeLetters } from '../../harness/flows/judge-messages.ts';
import { judgeShown, judgeShownAgain, secretsOf, shownTo, titled } from '../../harness/flows/judge-shown.ts';
import { withoutEffect } from '../../harness/judging/sequence/judgement.ts';
import { colorsOf, readPdf } from '../../harness/untrusted/pdf/completed.ts';
import { plain } from '../../harness/untrusted/text.ts';
import { event, otpType, role } from '../../openapi/codes.ts';
import type { FlowSeen } from '../../record/flow-finding.ts';

export const everyCode = [event.requestReceived, event.signatoryCompleted, event.processCompleted];

export const secretOf = (who: string) => `For ${who} alone`;

const ofSequence: Pick<FlowDefinition, 'documents' | 'subscription' | 'attached' | 'tracked' | 'proves'> = {
  documents: ['page', 'page'],
  subscription: [event.all],
  attached: false,
  tracked: true,
  proves: [
    'signing.lower-order-first',
    'signatory.signatory-id-usable',
    'events.all',
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

/**
 * Three people who are added in another sequence than that of their Orders. The second one approves, if the profile has a way
 * to approve.
 */
function sequenceFlow(approves: boolean): FlowDefinition {
  const inTurn = [2, 0, 1];
  const last = secretOf(`the last (${accents})`);
  return {
    ...ofSequence,
    name: approves ? 'two signers and an approver in turn' : 'three signers in turn',
    signatories: [
      { role: approves ? role.approver : role.signer, order: 2 },
      { role: role.signer, order: 3, privateMessage: last },
      { role: role.signer, order: 1, privateMessage: secretOf('the first') },
    ],
    parts: [twoInTurn],
    proves: [
      ...ofSequence.proves,
      'signing.private-message',
      'signing.email-used',
      'signing.title-mailed',
      ...(approves ? (['signing.approver-approves', 'signing.approver-cannot-sign'] as const) : []),
    ],
    ...(approves ? { without: { 'signing.approver-cannot-sign': sequenceFlow(false) } } : {}),
    script: async (flow) => {
      await flow.send();
      for (const [turn, signatory] of inTurn.entries()) {
        // The last person has to wait from the beginning. For the second one other flows test that, and at later
        // steps.
        if (turn === 0) await flow.mayNot(1, 'sign', 'none', 'signing.lower-order-first', notYet);
        if (turn > 0) await judgeShown(flow, signatory, { brief: true, beside: inTurn[turn - 1] });
        // Event 2 must not come because somebody was asked to act.
        await flow.lull();
        const isApprover = flow.task(signatory).role === role.approver;
        if (isApprover) {
          await flow.mayNot(signatory, 'sign', 'none', 'signing.approver-cannot-sign', onlyApproves);
        }
        // Nobody is left whom the last one could wait for.
        await flow.acts(signatory, isApprover || turn > 1 ? undefined : 'signing.lower-order-first');
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

const fewWithoutAccess: Refused = {
  'without a token': { authorization: 'absent' },
  'with an expired token': { authorization: 'expired' },
};

const withoutAccess: Refused = {
  ...fewWithoutAccess,
  'with an invalid token': { authorization: 'unknown' },
};

function inVain(operation: RefusedCall['operation'], call: string, refused: Refused): RefusedCall[] {
  return Object.entries(refused).map(([how, each]) => ({ operation, what: `${call} ${how}`, ...each }));
}

/** These calls, made once everybody was added. */
const afterwards = (refused: Refused): Refused =>
  Object.fromEntries(Object.entries(refused).map(([how, each]) => [how, { ...each, after: true }]));

const refusedCalls: readonly RefusedCall[] = [
  ...inVain('createSkeletonRequest', 'a creation', {
    'without Title': { change: { Title: undefined } },
    // Where such a creation is accepted, it is in nobody's way, so that it may lack what only a "should" is about.
    'with a Message that is no text': { change: { Message: {} } },
    'with no document': { change: { Documents: [] } },
    'without AuditDetails': { change: { AuditDetails: undefined } },
    'that is cut off': { cut: true },
    // Accepted by some, too.
    'as plain text': { contentType: 'text/plain' },
    'with an unknown document': {
      unknown: true,
      change: { Documents: ['7d0f5f3e-9a41-4c52-8c0b-1f6a2e9d4b77'] },
    },
    ...fewWithoutAccess,
  }),
  ...inVain('createStampedRequest', 'auto stamping', {
    ...withoutAccess,
    'with no MobileNumber of the second': {
      ofSecond: { OTP: { IsRequired: true, Type: String(otpType.sms) } },
    },
  }),
  ...inVain('addSignatory', 'an addition', {
    // The same person can be added by a valid call afterwards.
    'without MobileNumber': { change: { OTP: { IsRequired: true, Type: otpType.sms } }, own: true },
    'of an approver with a MobileNumber that is none': {
      change: {
        OTP: { IsRequired: true, Type: otpType.emailAndSms, MobileNumber: 'no number' },
        SignatoryType: role.approver,
      },
    },
    'of a CC without Order': { change: { Order: undefined, SignatoryType: role.cc } },
    'that is cut off': { cut: true, after: true },
    'with an empty OTP object': { change: { OTP: {} }, after: true },
    'without Name': { change: { Name: undefined }, own: true, after: true },
    // Once there are people whom it could be mistaken for, and after who is added as well.
    'without SignatoryType': { change: { SignatoryType: undefined }, after: true },
    'to an unknown request': { unknown: true },
    ...afterwards(withoutAccess),
  }),
];

/**
 * Refused calls must add nobody for whom the request waits, and change nothing about the people who are there, what
 * they are shown, and what they are asked for.
 */
function refusedInVain(coded: boolean): FlowDefinition {
  return {
    name: 'two signers, after calls that are refused',
    signatories: [
      { role: role.signer, order: 1, privateMessage: secretOf('whom nobody refuses') },
      { role: role.signer, order: 2, ...(coded ? { otp: otpType.accessCode } : {}) },
    ],
    refused: refusedCalls,
    documents: [],
    subscription: everyCode,
    attached: true,
    ...(coded ? { without: { 'otp.access-code-asked': refusedInVain(false) } } : {}),
    proves: Object.values(withoutEffect),
    script: async (flow) => {
      const added = withoutEffect.addSignatory;
      const blame = flow.applies(added) ? added : undefined;
      await flow.send(blame);
      await judgeShown(flow, 0);
      await flow.mayNot(1, 'sign', coded ? 'right' : 'none', 'signing.lower-order-first', notYet);
      await flow.acts(0, blame);
      // A failure that shows in this flow only is an effect of these calls.
      if (coded) await flow.mayNot(1, 'sign', 'none', 'otp.gates-signing', noCode);
      await flow.acts(1, coded && blame ? 'otp.access-code-asked' : blame);
    },
  };
}

/** Rare colors, one for each person: if a completed document shows one, it came from Color. */
export const rareColor = (index: number): string => `#B5E61${'DEFABC'[index % 6]}`;

/** Whether a text has such a color, or its digits alone; not within ids and hashes of an audit trail, where they stand by chance. */
export const namesColor = (text: string): boolean =>
  /#B5E61[A-F]|(?<![0-9A-Z])B5E61[A-F](?![0-9A-Z])/i.test(text);

/** The color is nowhere in the completed documents, neither drawn on a page nor written. */
export const withoutColor: CompletedJudge = {
  requirement: 'signing.color-no-effect',
  expected: { is: 'color-unseen', color: rareColor(0) },
  look: async (files) => {
    for (const file of files) {
      const reading = await readPdf(file);
      const drawn = [...((await colorsOf(file)) ?? [])].some(namesColor);
      const written = reading.readable && namesColor(`${reading.text}\n${reading.metadata}`);
      if (drawn || written) return { how: drawn ? 'drawn' : 'written' };
    }
    return null;
  },
};

/**
 * People in parallel, who act in another sequence than that in which they were added. Of four, the first and the third
 * approve, if the profile has a way to approve: one after all signers, one before them, who has no PrivateMessage. The second
 * enters an AccessCode, if one can be entered. With four there are also two CCs, one with a PrivateMessage, who must not be
 * shown those of others.
 */
function parallelFlow(
  name: string,
  acting: 2 | 4,
  how: { approves?: false; coded?: false; cc?: false } = {},
): FlowDefinition {
  const { approves = true, coded = true, cc = true } = how;
  const all = Array.from({ length: acting }, (_, index) => index);
  const ccs = acting > 2 ? [acting, acting + 1] : [acting];
  const copied = cc ? ccs : [];
  const inTurn = acting > 2 ? [2, 3, 1, 0] : [1, 0];
  const approvers = acting > 2 && approves ? [0, 2] : [];
  const withCode = acting > 2 && coded ? 1 : undefined;
  const other = (less: typeof how, called = name) => parallelFlow(called, acting, { ...how, ...less });
  return {
    name,
    without: {
      ...(approvers.length > 0 && {
        'signing.approver-approves': other({ approves: false }, 'four signers and two CCs'),
      }),
      ...(withCode && { 'otp.access-code-asked': other({ coded: false }) }),
    },
    signatories: [
      ...all.map((index) => ({
        role: approvers.includes(index) ? role.approver : role.signer,
        order: 1,
        ...(index === 2 ? {} : { privateMessage: secretOf(`number ${index + 1}`) }),
        ...(index === withCode ? { otp: otpType.accessCode } : {}),
        color: rareColor(index),
      })),
      ...copied.map((_, index) => {
        const first = index === 0 ? { privateMessage: secretOf('the CC') } : {};
        return { role: role.cc, order: index + 1, ...first };
      }),
    ],
    documents: acting > 2 ? ['page', 'pages', 'page'] : ['page'],
    subscription: everyCode,
    attached: true,
    proves: [
      'signing.parallel',
      'events.documents-attached',
      'events.process-completed-last',
      'signing.title-shown',
      'signing.message-shown',
      'signing.name-shown',
      'signing.private-message',
      'signing.signer-views',
      'signing.email-used',
      'signing.title-mailed',
      ...(copied.length > 0
        ? (['signing.cc-receives-copy', 'signing.cc-cannot-act', 'events.none-for-cc'] as const)
        : []),
      ...(approvers.length > 0
        ? (['signing.approver-approves', 'signing.approver-cannot-sign'] as const)
        : []),
    ],
    script: async (flow) => {
      await flow.send();
      await judgeShown(flow, acting - 1);
      // Only the last of them: other flows test a CC who is alone in a request.
      for (const cc of copied.slice(-1)) {
        await flow.mayNot(cc, 'sign', 'none', 'signing.cc-cannot-act', onlyCopied);
      }
      for (const [turn, index] of inTurn.entries()) {
        const left = inTurn.slice(turn + 1);
        if (turn === 0 && approvers.includes(index)) {
          await flow.mayNot(index, 'sign', 'none', 'signing.approver-cannot-sign', onlyApproves);
        }
        // If an approver cannot act, that proves nothing about the Order, unless they can once the others have acted.
        const blame = left.length > 0 && !approvers.includes(index) ? 'signing.parallel' : undefined;
        await flow.acts(index, blame, approvers.includes(index) ? left : []);
        if (blame) flow.judge(blame, 'passed', {});
        if (blame && turn === 1) await judgeShownAgain(flow, index);
      }
      judgeCompletedPrivately(flow);
      if (!flow.reads('email')) return;
      // If a CC can act, the request may still wait for the other CC.
      if (!flow.hasFailed('signing.cc-cannot-act')) {
        for (const each of copied) await judgeCopy(flow, each);
      }
      await judgeLetters(flow, all);
    },
  };
}

export const inParallel: FlowDefinition = {
  ...parallelFlow('four in parallel and two CCs', 4),
  parts: [
    {
      ...parallelFlow('two signers in parallel and a CC', 2),
      parts: [parallelFlow('two signers in parallel, the last one first', 2, { cc: false })],
    },
  ],
};

/** Completed documents, if they can be fetched, show neither a PrivateMessage nor a Color. */
export function judgeCompletedPrivately(flow: FlowScript): void {
  const to = flow.people.map((each) => flow.person(each));
  flow.judgeCompleted({
    requirement: 'signing.private-message',
    expected: { is: 'hides', to, places: [{ of: 'documents' }] },
    look: toldIn(secretsOf(flow)),
    need: 'if-there',
  });
  flow.judgeCompleted({ ...withoutColor, need: 'if-there' });
}

/** Looks for the messages on the pages of documents, in comments, and in what a viewer shows about the file. */
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

/**
 * Every role: an approver with a code and a signer in parallel, with a CC beside them, who cannot act and is not waited for,
 * and another signer after them.
 */
function rolesFlow(approves: boolean, acting = 2): FlowDefinition {
  const [approver, signer, cc, later] = approves ? [0, 1, 2, 3] : [-1, 0, 1, 2];
  const others = acting > 1 ? 'approver, two signers and CC' : 'approver, signer and CC';
  return {
    name: `${approves ? others : 'signer and CC'}, documents attached`,
    signatories: [
      ...(approves ? [{ role: role.approver, order: 1, otp: otpType.accessCode }] : []),
      { role: role.signer, order: 1, privateMessage: secretOf('the first of two signers') },
      { role: role.cc, order: 1 },
      ...(acting > 1 ? [{ role: role.signer, order: 2, idleOtp: otpType.emailAndSms }] : []),
    ],
    accented: 'Title',
    ...(acting > 1 ? { parts: [rolesFlow(approves, 1)] } : {}),
    documents: ['pages'],
    // Without event 2, which must not come for an approver either.
    subscription: [event.requestReceived, event.processCompleted],
    attached: true,
    ...(approves ? { without: { 'signing.approver-approves': rolesFlow(false, acting) } } : {}),
    proves: [
      ...(approves
        ? ([
            'signing.approver-cannot-sign',
            'signing.approver-approves',
            'signing.email-used',
            'signing.parallel',
          ] as const)
        : []),
      'signing.cc-cannot-act',
      'signing.cc-receives-copy',
      'events.documents-attached',
      'events.process-completed',
      ...(acting > 1 ? (['signing.lower-order-first', ...shownTo, ...titled] as const) : []),
    ],
    script: async (flow) => {
      await flow.send();
      for (const act of approves ? (['sign', 'approve'] as const) : (['sign'] as const))
        await flow.mayNot(cc, act, 'none', 'signing.cc-cannot-act', onlyCopied);
      if (approves) {
        // Tried with the approver's code, so that only the role can be the reason of a refusal.
        await flow.mayNot(approver, 'sign', 'right', 'signing.approver-cannot-sign', onlyApproves);
        await flow.acts(signer, undefined, [approver]);
        flow.judge('signing.parallel', 'passed', {});
      }
      // The CC has the same Order: during this turn, too, nobody else may act. It is over if the approver could sign, or had to
      // act first.
      if (acting > 1 && !flow.done.includes(approver))
        await flow.mayNot(later, 'sign', 'none', 'signing.lower-order-first', notYet);
      if (approves) await judgeShown(flow, approver, { brief: true });
      // The code of the approver is right, and those of signers are taken.
      await flow.acts(approves ? approver : signer, approves ? 'signing.approver-approves' : undefined);
      // Gives events that follow from the approver's act time to come before the next act.
      await flow.lull();
      if (acting > 1) {
        await judgeShown(flow, later, { beside: signer });
        await flow.acts(later, 'signing.cc-cannot-act');
      }
      if (flow.reads('email')) await judgeCopy(flow, cc);
    },
  };
}

export const mixedRoles = rolesFlow(true);

export const peopleFlows: readonly FlowDefinition[] = [
  inSequence,
  inParallel,
  mixedRoles,
  refusedInVain(true),
];
