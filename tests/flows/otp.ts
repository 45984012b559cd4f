/** The flows about one-time passwords: four signers with a method each, who enter wrong codes, and four who enter right ones. */

import { noCode } from '../../harness/flows/cannot-act.ts';
import type { FlowDefinition, FlowScript } from '../../harness/flows/flow.ts';
import { judgeWritten, lateOne } from '../../harness/flows/judge-messages.ts';
import { judgeShown, titled } from '../../harness/flows/judge-shown.ts';
import {
  backwards,
  blank,
  lengthened,
  nearlyRight,
  ofTesters,
  otherBeginning,
  shortened,
} from '../../harness/people/codes.ts';
import type { EnteredCodes } from '../../harness/people/driver.ts';
import { event, type OtpType, otpType, role } from '../../openapi/codes.ts';
import { monotonicMs } from '../../record/clock.ts';
import { notYet, secretOf } from './people.ts';

const { accessCode, email, sms, emailAndSms } = otpType;

/** For each method, the requirement that its code can be used, and the channels that bring a code. */
const channelsOf = {
  [accessCode]: ['otp.access-code-asked', []],
  [email]: ['otp.email-delivered', ['email']],
  [sms]: ['otp.sms-delivered', ['sms']],
  [emailAndSms]: ['otp.email-and-sms-delivered', ['email', 'sms']],
} as const;

const sentMethods = [email, sms, emailAndSms] as const;
type SentMethod = (typeof sentMethods)[number];

/** Signers in parallel, each with one of the methods, who try to sign without a code and with wrong ones. */
function flowOf(name: string, methods: readonly OtpType[]): FlowDefinition {
  const sent = sentMethods.filter((method) => methods.includes(method));
  return {
    name,
    // A MobileNumber changes nothing about a code by e-mail.
    signatories: methods.map((otp) => ({
      role: role.signer,
      order: 1,
      otp,
      ...(otp === email ? { numbered: true } : {}),
    })),
    documents: [],
    deleted: true,
    // Events 2 and 3 would show if somebody counts as done who entered no right code.
    subscription: [event.signatoryCompleted, event.processCompleted],
    proves: [
      'otp.gates-signing',
      ...(methods.includes(accessCode) ? (['otp.access-code-asked'] as const) : []),
      ...sent.map((method) => channelsOf[method][0]),
    ],
    script: async (flow) => {
      await flow.send();
      await mayNotSignUncoded(flow, methods);
      // If people can sign without any code, nothing can be said about the AccessCode.
      const judgesCode = methods.includes(accessCode) && flow.applies('otp.access-code-asked');
      if (judgesCode && !flow.hasFailed('otp.gates-signing')) {
        await judgeAccessCode(flow, methods.indexOf(accessCode));
      }
      const codes = new Map<OtpType, SentCodes>();
      const startMs = monotonicMs();
      for (const method of sent) {
        const who = methods.indexOf(method);
        // A person who has signed without a code is sent none.
        if (!flow.done.includes(who)) codes.set(method, await delivered(flow, who, method, noCode));
      }
      if (flow.hasFailed('otp.gates-signing')) return;
      await enterByEmail(flow, methods, codes, startMs);
      await enterOthers(flow, methods, codes);
      if (judgesCode) await enterMoreAccessCodes(flow, methods.indexOf(accessCode));
    },
  };
}

/** What people enter who try to sign before a code came: the codes, and how a finding names the person. */
const uncoded = {
  [email]: ['none', 'who entered no code'],
  [sms]: ['wrong', 'who entered a wrong code'],
  [emailAndSms]: ['none', 'who entered neither code'],
} as const;

async function mayNotSignUncoded(flow: FlowScript, methods: readonly OtpType[]): Promise<void> {
  // Once a code came, wrong ones can be made that are near to it.
  const smsLater = flow.driverEnters && flow.applies('otp.sms-delivered') && flow.reads('sms');
  for (const method of sentMethods) {
    if (!methods.includes(method) || (method === sms && smsLater)) continue;
    const [codes, who] = uncoded[method];
    await flow.mayNot(methods.indexOf(method), 'sign', codes, 'otp.gates-signing', who);
  }
}

/**
 * Enters a code that is nearly the one of the e-mail, or the right one if others were sent codes as well.
 * @param startMs when the first of the codes was asked for
 */
async function enterByEmail(
  flow: FlowScript,
  methods: readonly OtpType[],
  codes: ReadonlyMap<OtpType, SentCodes>,
  startMs: number,
): Promise<void> {
  const own = codes.get(email)?.email;
  if (!own) return;
  const signatory = methods.indexOf(email);
  const isAlone = [sms, emailAndSms].every((method) => codes.get(method)?.sms === undefined);
  if (isAlone) {
    const who = 'who entered the code with another end';
    await flow.mayNotEnter(signatory, { email: nearlyRight(own) }, 'otp.gates-signing', who);
  } else await flow.actsByEmail(signatory, own, startMs);
}

export const otpFlow: FlowDefinition = {
  ...flowOf('four methods of OTP', [accessCode, email, sms, emailAndSms]),
  parts: [
    flowOf('OTP by AccessCode and by e-mail', [accessCode, email]),
    flowOf('OTP by SMS, and by both', [sms, emailAndSms]),
  ],
};

export const wrongAccessCode = 'who entered a wrong AccessCode';

/** Signers one after the other, each with one of the methods, who enter the right codes. */
function rightCodes(name: string, methods: readonly OtpType[]): FlowDefinition {
  return {
    name,
    signatories: methods.map((otp, index) => ({
      role: role.signer,
      order: index + 1,
      otp,
      // One AccessCode of the request is the other one backwards; a MobileNumber beside it changes nothing.
      ...(otp === accessCode && index === 0
        ? { otherAccessCode: true, numbered: true, privateMessage: secretOf('who has a code') }
        : {}),
    })),
    documents: ['page'],
    atOnce: true,
    // Whether everything works without events 2 and 3 shows only if several people act.
    subscription: [event.requestReceived],
    attached: true,
    proves: [
      'otp.gates-signing',
      ...(methods.length > 3 ? (['signing.lower-order-first'] as const) : []),
      ...(methods.includes(sms)
        ? (['signing.email-used', 'signing.name-shown', 'signing.private-message', ...titled] as const)
        : []),
      ...new Set(methods.map((method) => channelsOf[method][0])),
    ],
    script: async (flow) => {
      await flow.send();
      for (const [signatory, method] of methods.entries()) {
        const [requirement, channels] = channelsOf[method];
        if (!flow.applies(requirement) || !channels.every((channel) => flow.reads(channel))) return;
        if (method === accessCode) await signByAccessCode(flow, signatory);
        else await signBySentCode(flow, signatory, method, methods[signatory + 1]);
      }
    },
  };
}

async function signByAccessCode(flow: FlowScript, signatory: number): Promise<void> {
  const requirement = 'otp.access-code-asked';
  const isFirst = signatory === 0;
  if (!isFirst && !flow.hasFailed('otp.gates-signing'))
    await enterAccessCode(flow, signatory, backwards, 'of somebody else');
  // Of the people whose e-mails are looked at, this one comes last.
  const late = isFirst ? undefined : await lateOne(flow, signatory, signatory - 1);
  await flow.acts(signatory, requirement);
  if (!isFirst && flow.reads('email')) judgeWritten(flow, signatory, !late, late);
  flow.judge(requirement, 'passed', {});
}

/** @param next the method of the person who comes next */
async function signBySentCode(
  flow: FlowScript,
  signatory: number,
  method: SentMethod,
  next: OtpType | undefined,
): Promise<void> {
  const [, channels] = channelsOf[method];
  // This person gets an e-mail, too, although their code comes by SMS, and a look at the page does not send a code.
  // The others are read for their codes, or come later.
  if (method === sms && flow.reads('email')) await judgeShown(flow, signatory, { beside: signatory - 1 });
  // One of them tries without any code: whether codes are demanded where documents are attached shows nowhere else.
  if (method === email) await flow.mayNot(signatory, 'sign', 'none', 'otp.gates-signing', noCode);
  else await mayNotEnterBlanks(flow, signatory, channels);
  // Nobody else has such a high Order, and a refused code lets nobody pass.
  const mayTry = flow.applies('otp.access-code-asked') && !flow.hasFailed('otp.gates-signing');
  if (signatory > 2 && next === accessCode && mayTry)
    await flow.mayNot(signatory + 1, 'sign', 'right', 'signing.lower-order-first', notYet);
  await actsWithCodes(flow, signatory, method);
}

/**
 * Enters blanks as codes, or nothing if blanks cannot be entered. No wrong number is entered before the right one,
 * since it is not shown how many attempts a person has.
 */
export async function mayNotEnterBlanks(
  flow: FlowScript,
  signatory: number,
  places: readonly (keyof EnteredCodes)[],
): Promise<void> {
  const gate = 'otp.gates-signing';
  const blanks = Object.fromEntries(places.map((place) => [place, blank]));
  const isTried = await flow.mayNotEnter(signatory, blanks, gate, 'who entered a blank as code');
  if (!isTried) await flow.mayNot(signatory, 'sign', 'none', gate, noCode);
}

/**
 * Enters the codes that were sent. If the person cannot act then, the reason may be that none was sent, as to
 * somebody who needs none.
 * @param peers as of `acts`
 */
export async function actsWithCodes(
  flow: FlowScript,
  signatory: number,
  method: SentMethod,
  peers: readonly number[] = [],
): Promise<void> {
  const [requirement, channels] = channelsOf[method];
  await flow.acts(signatory, requirement, peers).catch(async (error: unknown) => {
    if (!flow.hasFailed('otp.gates-signing')) await delivered(flow, signatory, method);
    throw error;
  });
  // Somebody who signed without a code was sent none.
  if (flow.hasFailed('otp.gates-signing')) return;
  flow.judge(requirement, 'passed', {});
  // If one code is sent by both channels, one message is enough to sign.
  if (method === emailAndSms)
    for (const channel of channels) await readCode(flow, signatory, method, channel, 'seen');
}

export const rightCodesFlow: FlowDefinition = {
  ...rightCodes('right codes, one after the other', [accessCode, sms, email, emailAndSms, accessCode]),
  parts: [
    rightCodes('right AccessCode, then a code by e-mail', [accessCode, email]),
    rightCodes('right code by SMS, then both', [sms, emailAndSms]),
  ],
};

/** The code backwards, or a wrong code where it reads the same. */
const disordered = (code: string) => (backwards(code) === code ? nearlyRight(code) : backwards(code));

/** A person enters wrong codes that are made of their AccessCode. */
async function enterAccessCode(
  flow: FlowScript,
  signatory: number,
  changed: (own: string) => string,
  how: string,
): Promise<void> {
  const own = flow.task(signatory).otp?.accessCode;
  if (own === undefined || flow.hasFailed('otp.access-code-asked')) return;
  const accessCode = changed(own);
  if (accessCode === own) return;
  const who = `who entered the AccessCode ${how}`;
  await flow.mayNotEnter(signatory, { accessCode }, 'otp.access-code-asked', who);
}

async function judgeAccessCode(flow: FlowScript, signatory: number): Promise<void> {
  await flow.mayNot(signatory, 'sign', 'wrong', 'otp.access-code-asked', wrongAccessCode);
  await enterAccessCode(flow, signatory, lengthened, 'with one sign more');
}

/**
 * After so many wrong codes some services accept no right one any more, so nothing is said about a right one that
 * follows.
 */
async function enterMoreAccessCodes(flow: FlowScript, signatory: number): Promise<void> {
  await enterAccessCode(flow, signatory, shortened, 'without its end');
  await enterAccessCode(flow, signatory, otherBeginning, 'with another beginning, after three wrong ones');
  if (!flow.done.includes(signatory)) await flow.tries(signatory, 'sign', 'right');
}

/** The codes that came to a person, by channel. */
type SentCodes = { readonly email?: string; readonly sms?: string };

/**
 * Judges that a message of each channel has the code of the signatory; gives the codes.
 * @param untried names somebody who did not try to sign without a code yet, and does where none came
 */
async function delivered(
  flow: FlowScript,
  signatory: number,
  method: SentMethod,
  untried?: string,
): Promise<SentCodes> {
  const [requirement, channels] = channelsOf[method];
  if (!flow.applies(requirement) || !channels.every((channel) => flow.reads(channel))) return {};
  const asked = await flow.requestOtp(signatory);
  const codes: { email?: string; sms?: string } = {};
  for (const channel of channels) {
    const code = await readCode(flow, signatory, method, channel, asked, untried);
    if (code !== undefined) codes[channel] = code;
  }
  return codes;
}

/** @param asked whether the code was asked for; with `seen` it was entered, and may have been seen when it was looked for */
async function readCode(
  flow: FlowScript,
  signatory: number,
  method: SentMethod,
  channel: 'email' | 'sms',
  asked: boolean | 'seen',
  untried?: string,
): Promise<string | undefined> {
  const [requirement] = channelsOf[method];
  const code = await flow.code(signatory, channel, asked === 'seen' ? asked : undefined);
  const expected = { is: 'code', channel } as const;
  // Whoever needs no code need be sent none: that they can sign without one is a requirement of its own.
  if (untried && asked && code === undefined) {
    const gate = 'otp.gates-signing';
    if (!flow.hasFailed(gate)) await flow.mayNot(signatory, 'sign', 'none', gate, untried);
    if (flow.hasFailed(gate)) return undefined;
  }
  if (code === undefined && !asked) {
    const cause = { excuse: 'not-asked-for', because: {} } as const;
    flow.judge(requirement, 'could-not-run', { flow: { expected }, cause });
  } else if (code === undefined && (await mayHoldCode(flow, signatory, channel))) {
    const cause = { excuse: 'unread', because: { what: unreadCode(channel) } } as const;
    flow.judge(requirement, 'could-not-run', { flow: { expected }, cause });
  } else {
    const cameLate = async () => (await flow.code(signatory, channel)) !== undefined;
    flow.judgeMessage(requirement, { signatory, channel }, code !== undefined, expected, cameLate);
  }
  return code;
}

const unreadCode = (channel: 'email' | 'sms') =>
  `${channel === 'sms' ? 'an SMS' : 'an e-mail'} came, and no code was found in it: outbox.code finds it by a pattern, which has to fit the e-mails and the SMS`;

/**
 * Whether a message came that is no invitation, or more than one. What a code looks like is not shown, and one made
 * of letters is found only by a pattern of the profile.
 */
async function mayHoldCode(flow: FlowScript, signatory: number, channel: 'email' | 'sms'): Promise<boolean> {
  const other = ({ links }: { readonly links: readonly string[] }) => channel === 'sms' || links.length === 0;
  const came = await flow.messages(signatory, channel, other);
  return came.some(other) || new Set(came.map(({ links }) => links.join(' '))).size > 1;
}

const byTester = 'who entered a code that testers leave in';
const inDisorder = 'who entered the signs of a code in another sequence';

/** Enters codes that are nearly right, those of testers and of somebody else, and only one of two codes that are asked for. */
async function enterOthers(
  flow: FlowScript,
  methods: readonly OtpType[],
  codes: ReadonlyMap<OtpType, SentCodes>,
): Promise<void> {
  const [byMail, bySms, both] = sentMethods.map((method) => codes.get(method) ?? {});
  const ofSms = bySms?.sms;
  if (ofSms) await enterForSms(flow, methods.indexOf(sms), ofSms, [byMail?.email, both?.sms]);
  if (both?.email && both.sms) {
    const own = { email: both.email, sms: both.sms };
    await enterForBoth(flow, methods.indexOf(emailAndSms), own, byMail?.email);
  } else if (ofSms) await mayNotEnterCode(flow, methods.indexOf(sms), disordered(ofSms), inDisorder);
}

const mayNotEnterCode = (flow: FlowScript, signatory: number, code: string, who: string) =>
  flow.mayNotEnter(signatory, { sms: code }, 'otp.gates-signing', who);

/** @param others the codes of somebody who has signed with theirs, and of somebody else */
async function enterForSms(
  flow: FlowScript,
  signatory: number,
  own: string,
  [ofDone, ofOther]: readonly [string | undefined, string | undefined],
): Promise<void> {
  const enter = (code: string, who: string) => mayNotEnterCode(flow, signatory, code, who);
  const code = ofTesters('digits', own);
  if (code) await enter(code, byTester);
  await enter(nearlyRight(own), 'who entered the code with another end');
  // Two people may be sent the same digits by chance.
  if (ofDone && ofDone !== own) await enter(ofDone, 'who entered the code of somebody who is done');
  if (ofOther && ofOther !== own) await enter(ofOther, 'who entered the code of somebody else');
  // How many attempts a person has is not shown, so that few are made with one code; none of them may succeed.
  await enter(otherBeginning(own), 'who entered one wrong code after the other');
  // Without a code nobody may pass, even if one was sent and others were refused. Tried last, since a target may
  // count it as an attempt.
  const who = 'who entered no code, after wrong ones';
  if (flow.driverEnters) await flow.mayNot(signatory, 'sign', 'none', 'otp.gates-signing', who);
}

/** @param ofOther the code in the e-mail to somebody else */
async function enterForBoth(
  flow: FlowScript,
  signatory: number,
  own: Required<SentCodes>,
  ofOther: string | undefined,
): Promise<void> {
  const enter = (entered: SentCodes, who: string) =>
    flow.mayNotEnter(signatory, entered, 'otp.gates-signing', who);
  const short = { email: shortened(own.email), sms: shortened(own.sms) };
  await enter(short, 'who entered the codes without their end');
  const code = ofTesters('zeros', own.email);
  if (code && code !== own.sms) await enter({ email: code, sms: code }, byTester);
  // A number that stands in the e-mails to both people, such as a year, is no code.
  if (own.email !== ofOther && (await areTwo(flow, signatory, own))) {
    // The code of the e-mail is wrong in the field for the other one, but a service may look for it among all codes
    // that it sent.
    await enter({ email: own.email, sms: own.email }, 'who entered the code of the e-mail in both places');
    await enter({ sms: own.sms }, 'who entered the code of the SMS alone');
    await enter({ email: disordered(own.email), sms: own.sms }, inDisorder);
  } else await enter({ email: disordered(own.email), sms: disordered(own.sms) }, inDisorder);
}

/**
 * Whether two codes are asked for: if one is sent by both channels, there is only one to enter. All SMS count, since
 * people may share a number. If none is there any more, nobody knows.
 */
async function areTwo(flow: FlowScript, signatory: number, own: Required<SentCodes>): Promise<boolean> {
  if (own.sms === own.email) return false;
  const code = own.email.replaceAll(/\W/g, '');
  const hasIt = ({ text }: { readonly text: string }) => text.replaceAll(/\W/g, '').includes(code);
  const sent = await flow.messages(signatory, 'sms', hasIt);
  return sent.length > 0 && !sent.some(hasIt);
}
