/** The codes that a person enters before signing: which are needed, the right ones, and wrong ones. */
import { type OtpType, otpType } from '../../openapi/codes.ts';
import { inTurn } from '../target/budgets/pause.ts';
import { codeForms } from '../target/forms.ts';
import { addressOf, type Channel, type Codes, type EnteredCodes, type SigningTask } from './driver.ts';
import type { OutboxReader } from './outbox.ts';

type CodesOutcome =
  | {
      readonly kind: 'codes';
      readonly entered: EnteredCodes;
      /** Why a code may be missing or wrong, so that a refusal says nothing. */
      readonly lacking?: string;
    }
  | { readonly kind: 'none'; readonly reason: string };

/** A wrong one-time password: longer than any that is sent, so that it equals none, even padded with zeros. */
const neverSent = '9081726354';

const channelsBy: Readonly<Record<OtpType, readonly Channel[]>> = {
  [otpType.email]: ['email'],
  [otpType.sms]: ['sms'],
  [otpType.accessCode]: [],
  [otpType.emailAndSms]: ['email', 'sms'],
};

/** The channels by which the person is sent a one-time password. */
export const channelsOf = ({ otp }: Pick<SigningTask, 'otp'>) => (otp ? channelsBy[otp.type] : []);

/** Codes of the right form and in the right places that are wrong. */
export function wrongCodes(task: SigningTask): EnteredCodes {
  const channels = channelsOf(task);
  const accessCode = task.otp?.type === otpType.accessCode ? task.otp.accessCode : undefined;
  return {
    ...(channels.includes('email') ? { email: neverSent } : {}),
    ...(channels.includes('sms') ? { sms: neverSent } : {}),
    // For the first people the end is wrong, for later ones the beginning: a service may compare only a part.
    ...(accessCode === undefined
      ? {}
      : { accessCode: (task.order > 1 ? otherBeginning : nearlyRight)(accessCode) }),
  };
}

/** The code with every letter and digit replaced by the one beside it. */
function altered(accessCode: string): string {
  const next = (character: string) => {
    const step = /[9z]/i.test(character) ? -1 : 1;
    return String.fromCharCode(character.charCodeAt(0) + step);
  };
  const changed = accessCode.replaceAll(/[a-z0-9]/gi, next);
  return changed === accessCode ? `x${accessCode}` : changed;
}

/** A code that differs from a right one at its end only. */
export const nearlyRight = (code: string): string => code.slice(0, -1) + altered(code.slice(-1));

/** A code that differs from a right one at its beginning only. */
export const otherBeginning = (code: string): string => altered(code.slice(0, 1)) + code.slice(1);

export const lengthened = (code: string): string => code + altered(code.slice(-1));

export const shortened = (code: string): string => (code.length > 1 ? code.slice(0, -1) : code);

/** Stands for an empty field of a form: nothing is entered, but the call carries something. */
export const blank = ' ';

const testers = { digits: '1234567890', zeros: '0000000000' };

/**
 * A code that testers tend to leave in a service, as long as the one that was sent: the digits from 1 on, or zeros.
 * Undefined if that is the right code, or the one that was sent is no number.
 */
export function ofTesters(kind: keyof typeof testers, sent: string): string | undefined {
  const code = testers[kind].slice(0, sent.length);
  return /^\d{4,10}$/.test(sent) && code !== sent ? code : undefined;
}

/** Whether a code is one of these, which everybody knows: it is no secret, and the same in each run. */
export const isOfTesters = (code: string) => Object.values(testers).some((each) => each.startsWith(code));

/** The AccessCode of a person who has another one: the run's code backwards. */
export const backwards = (code: string): string => [...code].reverse().join('');

const derivations: readonly ((code: string) => string)[] = [
  (code) => code,
  altered,
  nearlyRight,
  otherBeginning,
  lengthened,
  shortened,
  backwards,
];

/** The codes that are tried where one of ours is right, and the right one, in each form. */
export function derivedCodes(accessCode: string): readonly string[] {
  return codeForms(accessCode).flatMap((form) => derivations.map((derived) => derived(form)));
}

/** Messages that were there before a code was asked for, by channel. */
export type KnownMessages = ReadonlyMap<Channel, ReadonlySet<string>>;

/** What is there before a code is asked for. An e-mail that asks the person to act comes before that, and is waited for. */
export async function knownMessages(task: SigningTask, outbox: OutboxReader): Promise<KnownMessages> {
  const known = new Map<Channel, ReadonlySet<string>>();
  for (const channel of channelsOf(task)) {
    const awaited = channel === 'email' ? 'awaited' : undefined;
    if (outbox.reads(channel)) known.set(channel, await outbox.known(task, channel, awaited));
  }
  return known;
}

/**
 * The codes to enter: given ones, none, wrong ones, or those that were sent or set. Waits, bounded, for messages.
 * @param known messages that are older than the codes; none by default
 * @param channels the channels whose codes are needed; by default all by which the person is sent one
 */
export async function codesFor(
  task: SigningTask,
  codes: Codes | EnteredCodes,
  outbox: OutboxReader,
  known: KnownMessages = new Map(),
  channels: readonly Channel[] = channelsOf(task),
): Promise<CodesOutcome> {
  if (typeof codes === 'object') return { kind: 'codes', entered: codes };
  if (codes === 'none' || !task.otp) return { kind: 'codes', entered: {} };
  if (codes === 'wrong') return { kind: 'codes', entered: wrongCodes(task) };
  if (task.otp.type === otpType.accessCode) {
    const { accessCode } = task.otp;
    if (accessCode === undefined) return { kind: 'none', reason: 'it is not known which AccessCode was set' };
    return { kind: 'codes', entered: { accessCode } };
  }
  if (channels.length === 0) return { kind: 'codes', entered: {} };
  const found = await Promise.all(
    channels.map((channel) => outbox.newCode(task, channel, known.get(channel) ?? new Set())),
  );
  const entered: { email?: string; sms?: string } = {};
  const doubts: string[] = [];
  for (const [index, channel] of channels.entries()) {
    const code = found[index];
    if (code === undefined) doubts.push(whyNoCode(task, channel, outbox));
    else entered[channel] = code.code;
    if (code?.sure === false)
      doubts.push(
        `the number in the message to ${addressOf(task, channel)} may be no code: outbox.code finds codes by a pattern, if it is the right one`,
      );
    // People may share a mobile number, and whoever knows an address can write to it.
    if (code?.only === false)
      doubts.push(`several codes came to ${addressOf(task, channel)}, and nothing tells whose they are`);
  }
  const lacking = doubts.join('; ');
  if (Object.keys(entered).length === 0) return { kind: 'none', reason: lacking };
  return { kind: 'codes', entered, lacking: lacking || undefined };
}

export function whyNoCode(task: SigningTask, channel: Channel, outbox: OutboxReader): string {
  const why =
    outbox.problem(task, channel) ??
    'no message with a code came in time (outbox.waitMs); outbox.code finds it by a pattern';
  return `no code was found for ${addressOf(task, channel)}: ${why}`;
}

/** Makes a function that runs `work` alone of those who share a mobile number: their codes could not be told apart. */
export function inTurnByNumber(): <T>(task: SigningTask, work: () => Promise<T>) => Promise<T> {
  const turns = inTurn();
  return (task, work) => (channelsOf(task).includes('sms') ? turns(task.mobileNumber, work) : work());
}
