/** The flows about stamps: six on one page, which differ in place and size, looked for in the completed document. */
import { accents } from '../../generators/bodies/request.ts';
import { type AutoStamp, stamp, stampLabels } from '../../generators/bodies/stamping.ts';
import { noCode } from '../../harness/flows/cannot-act.ts';
import type { FlowDefinition, FlowScript } from '../../harness/flows/flow.ts';
import type { FlowSignatory } from '../../harness/flows/flow-plan.ts';
import { judgeCopy, judgeLetters } from '../../harness/flows/judge-messages.ts';
import { judgeShown, shownTo } from '../../harness/flows/judge-shown.ts';
import type { Mark } from '../../harness/flows/stamp-marks.ts';
import {
  type IsOfAnother,
  placement,
  type StampFinding,
  type StampPlan,
  stampsIn,
} from '../../harness/flows/stamp-measure.ts';
import { type PdfPage, readPdf } from '../../harness/untrusted/pdf/completed.ts';
import { otpType, role } from '../../openapi/codes.ts';
import { CouldNotRun } from '../../record/errors.ts';
import { actsWithCodes, mayNotEnterBlanks, wrongAccessCode } from './otp.ts';
import { judgeCompletedPrivately, notYet, onlyApproves, onlyCopied, rareColor, secretOf } from './people.ts';

/**
 * The unit and the reference point of stamps are not shown. In points, pixels, millimetres and percent of the page, counted
 * from a corner or from the middle, these lie on an A4 page without touching each other. The one with a negative Offset
 * lies beyond a corner, and may be moved to the edge.
 */
const small = { Height: 8, Width: 16 };
/** Higher than wide, so that a picture which keeps its proportions is limited by the width, and in a small stamp by the height. */
const large = { Height: 24, Width: 20 };

function at(index: number, x: number, y: number, size = small): AutoStamp {
  const { [index]: Identifier = '' } = stampLabels;
  const Offset = { X_offset: x, Y_offset: y };
  return { ...stamp('signature', index), Identifier, Offset, StampSize: size };
}

const plan = {
  small: [at(0, 19, 10), at(1, 39, 14), at(2, 30, 26), at(5, 33, 38)],
  large: at(3, 8, 45, large),
  negative: at(4, -6, -28),
} as const satisfies StampPlan;

/** The stamps of three signers: the first has three, of two sizes, of which the one with the highest Order is named first. */
const [one, two, ofSecond, ofThird] = plan.small;
const stamps: readonly (readonly AutoStamp[])[] = [
  [plan.large, one, two],
  [ofSecond],
  [plan.negative, ofThird],
];

const stamped = { documents: ['page'], stamped: true } as const;

const oneSigner: FlowDefinition = {
  ...stamped,
  name: 'stamps of one signer by auto stamping',
  signatories: [{ role: role.signer, order: 1, stamps: stamps.flat() }],
  proves: ['stamping.placed'],
  script: async (flow) => {
    await flow.acts(0);
    judgeStamps(flow);
  },
};

/**
 * Signers in parallel with stamps, and perhaps two approvers beside them, for whom one more signer waits, and a CC. The one
 * who waits has an AccessCode where it can be entered, and the last a code by SMS where they are read.
 */
function severalSigners(how: {
  approves?: false;
  coded?: false;
  texted?: false;
  cc?: false;
}): FlowDefinition {
  const { approves = true, coded = true, texted = true, cc = true } = how;
  const name = `three signers${approves ? ', two approvers' : ' in parallel'}${cc ? ' beside a CC' : ''}`;
  // The person who waits is not among the first two of the list, and an approver is the fourth.
  const [first, approver, later, other, last] = approves ? [0, 1, 2, 3, 4] : [0, -1, 1, -1, 2];
  const signer = (own: readonly AutoStamp[], index: number): FlowSignatory => ({
    role: role.signer,
    order: approves && index === 1 ? 2 : 1,
    stamps: own,
    color: rareColor(index),
    privateMessage: secretOf(`number ${index + 1}`),
    ...(coded && index === 1 ? { otp: otpType.accessCode } : {}),
    ...(texted && index === 2 ? { otp: otpType.sms } : {}),
    ...(index === 0 ? { idleOtp: otpType.sms } : {}),
  });
  const signers = stamps.map(signer);
  const approving = (index: number) => ({
    role: role.approver,
    order: 1,
    privateMessage: secretOf(`approver ${index}`),
  });
  const acting = approves
    ? signers.flatMap((each, index) => (index > 0 ? [approving(index), each] : [each]))
    : signers;
  return {
    ...stamped,
    name: `${name}, stamped`,
    // The last one to act of those in parallel is not the last in the list.
    signatories: cc ? [...acting, { role: role.cc, order: approves ? 2 : 1 }] : acting,
    parts: [cc ? severalSigners({ ...how, cc: false }) : oneSigner],
    without: {
      ...(approves ? { 'signing.approver-approves': severalSigners({ ...how, approves: false }) } : {}),
      ...(coded ? { 'otp.access-code-asked': severalSigners({ ...how, coded: false }) } : {}),
      ...(texted ? { 'otp.sms-delivered': severalSigners({ ...how, texted: false }) } : {}),
    },
    proves: [
      'stamping.placed',
      'signing.parallel',
      'signing.email-used',
      'signing.private-message',
      ...(coded || texted ? (['otp.gates-signing'] as const) : []),
      ...(coded ? (['otp.access-code-asked'] as const) : []),
      ...(texted ? (['otp.sms-delivered'] as const) : []),
      ...(approves
        ? ([
            'signing.approver-approves',
            'signing.approver-cannot-sign',
            'signing.lower-order-first',
          ] as const)
        : []),
    ],
    script: async (flow) => {
      const notLater = () =>
        flow.mayNot(later, 'sign', coded ? 'right' : 'none', 'signing.lower-order-first', notYet);
      const approvers = approves ? [approver, other] : [];
      await flow.acts(first, undefined, [last, ...approvers]);
      // Somebody could act, so the request is sent.
      await judgeShown(flow, last, { stamped: true, brief: true, beside: first });
      if (texted) {
        await mayNotEnterBlanks(flow, last, ['sms']);
        await actsWithCodes(flow, last, otpType.sms, approvers);
      } else await flow.acts(last, 'signing.parallel', approvers);
      flow.judge('signing.parallel', 'passed', {});
      if (approves) {
        await flow.mayNot(other, 'sign', 'none', 'signing.approver-cannot-sign', onlyApproves);
        // Several are left before them, and some have acted.
        if (!flow.hasFailed('signing.parallel')) await notLater();
        // That an approver cannot act proves nothing about the Order, unless they can once the others have acted.
        await flow.acts(other, undefined, [approver]);
        // Only the approver is left before them, unless others could act only after that one.
        if (!flow.hasFailed('signing.parallel')) await notLater();
        await judgeShown(flow, approver, { stamped: true, brief: true, beside: first });
        await flow.acts(approver);
      }
      await judgeShown(flow, later, { stamped: true, brief: true, beside: first });
      if (coded) await flow.mayNot(later, 'sign', 'none', 'otp.gates-signing', noCode);
      if (coded && !flow.hasFailed('otp.gates-signing')) {
        await flow.mayNot(later, 'sign', 'wrong', 'otp.access-code-asked', wrongAccessCode);
      }
      await flow.acts(later, coded ? 'otp.access-code-asked' : undefined);
      judgeStamps(flow);
      judgeCompletedPrivately(flow);
    },
  };
}

/**
 * Signers one after the other: the first with a code by e-mail, the next with codes by both ways where these are read, and the
 * last, who is shown their page without a code; and perhaps a CC. With a CC there are two documents. The last Order is 10, which
 * comes before 2 where they are compared as texts.
 */
function withCopy(how: { coded?: false; twice?: false; cc?: false }): FlowDefinition {
  const { coded = true, twice = true, cc = true } = how;
  const [beside, last, copied] = twice ? [1, 2, 3] : [-1, 1, 2];
  const first = {
    role: role.signer,
    order: 1,
    stamps: [one],
    privateMessage: secretOf('the first'),
  };
  return {
    ...stamped,
    // In which of several documents a stamp is placed is not shown.
    documents: cc ? ['page', 'page'] : ['page'],
    accented: 'Message',
    name: `${twice ? 'three' : 'two'} signers${cc ? ' and a CC' : ''} by auto stamping`,
    signatories: [
      coded ? { ...first, otp: otpType.email } : first,
      ...(twice ? [{ role: role.signer, order: 2, stamps: [ofThird], otp: otpType.emailAndSms }] : []),
      {
        role: role.signer,
        order: 10,
        stamps: [two, ofSecond],
        privateMessage: secretOf(`the last (${accents})`),
      },
      // With the highest Order, so that only the role can be the reason of a refusal, and nobody waits for the CC.
      ...(cc ? [{ role: role.cc, order: 10 }] : []),
    ],
    ...(twice || cc ? { parts: [withCopy({ ...how, ...(twice ? { twice: false } : { cc: false }) })] } : {}),
    without: {
      ...(coded ? { 'otp.email-delivered': withCopy({ ...how, coded: false }) } : {}),
      ...(twice ? { 'otp.email-and-sms-delivered': withCopy({ ...how, twice: false }) } : {}),
    },
    proves: [
      ...shownTo,
      'signing.message-shown',
      ...(cc ? (['signing.cc-cannot-act', 'signing.cc-receives-copy'] as const) : []),
      ...(coded || twice ? (['otp.gates-signing'] as const) : []),
      ...(coded ? (['otp.email-delivered'] as const) : []),
      ...(coded && !twice ? [] : (['signing.lower-order-first'] as const)),
      ...(twice ? (['otp.email-and-sms-delivered'] as const) : []),
    ],
    script: async (flow) => {
      if (coded) {
        await mayNotEnterBlanks(flow, 0, ['email']);
        await actsWithCodes(flow, 0, otpType.email);
      } else {
        await flow.mayNot(last, 'sign', 'none', 'signing.lower-order-first', notYet);
        await flow.acts(0);
      }
      if (twice) {
        await flow.mayNot(last, 'sign', 'none', 'signing.lower-order-first', notYet);
        await mayNotEnterBlanks(flow, beside, ['email', 'sms']);
        await actsWithCodes(flow, beside, otpType.emailAndSms);
      }
      for (const act of cc ? (['sign', 'approve'] as const) : []) {
        await flow.mayNot(copied, act, 'none', 'signing.cc-cannot-act', onlyCopied);
      }
      // Only now, since before the first act the request may not have been sent.
      await judgeShown(flow, last, { stamped: true, beside: 0 });
      await flow.acts(last);
      if (!flow.reads('email')) return;
      if (cc) await judgeCopy(flow, copied);
      await judgeLetters(flow, [0, last]);
    },
  };
}

export const stampingFlows: readonly FlowDefinition[] = [severalSigners({}), withCopy({})];

function judgeStamps(flow: FlowScript): void {
  flow.judgeCompleted({
    requirement: 'stamping.placed',
    expected: { is: 'stamps' },
    look: async (files) => {
      const how = await misplaced(flow, files);
      return how === null ? null : { how };
    },
  });
}

/** How the stamps on the page differ from those that were sent; `null` where they do not. */
async function misplaced(flow: FlowScript, files: readonly Uint8Array[]): Promise<string | null> {
  const { misplaced: how, perUnitX, perUnitY } = await find(flow, files);
  if (how === null && perUnitX !== undefined && perUnitY !== undefined) {
    flow.observe('stamping.unit', 'points for one unit of X_offset', Math.abs(perUnitX));
    flow.observe('stamping.origin', 'Y_offset counts', perUnitY > 0 ? 'upwards' : 'downwards');
    flow.observe('stamping.origin', 'X_offset counts', perUnitX > 0 ? 'to the right' : 'to the left');
  }
  return how;
}

async function find(flow: FlowScript, files: readonly Uint8Array[]): Promise<StampFinding> {
  const [uploaded] = flow.documents;
  if (!uploaded) throw new Error('the flow has no document');
  const before = await readPdf(uploaded.bytes);
  if (!before.readable) throw new Error('the generated document cannot be read');
  for (const file of files) {
    const after = await readPdf(file);
    if (!after.readable || !after.text.includes(uploaded.marker)) continue;
    const found = stampsIn(before, after, plan);
    const page = after.pages[found[0]?.page ?? 0];
    if (found.length > 0) return placement(found, plan, page, isOfAnother(flow, after.pages));
    return { misplaced: 'the completed document shows nothing that the uploaded one did not' };
  }
  throw new CouldNotRun('the uploaded document is in none of the completed ones that can be read');
}

/** Stamps may be pictures, or show initials: one that shows the Name of a single signer, and of none else, is of that one. */
function isOfAnother(flow: FlowScript, pages: readonly PdfPage[]): IsOfAnother {
  const signers = flow.people.map((each) => flow.task(each)).filter((each) => each.role === role.signer);
  const letters = (text: string) =>
    text
      .normalize()
      .replaceAll(/[^\p{L}]/gu, '')
      .toLowerCase();
  return (stamp, mark) => {
    const owner = signers[stamps.findIndex((own) => own.some((each) => each === stamp))];
    const inside = pages[mark.page]?.items.filter(({ x, y, width, height }) =>
      isIn(mark, x + width / 2, y + height / 2),
    );
    const shown = letters(inside?.map(({ text }) => text).join('') ?? '');
    const named = signers.filter(({ name }) => shown.includes(letters(name)));
    return owner !== undefined && named.length === 1 && named[0] !== owner;
  };
}

const isIn = (box: Mark, x: number, y: number) =>
  x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
