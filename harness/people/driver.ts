/** How the people of a request act: what a signing driver is asked, and what it answers. */
import type { Interval } from '../../record/facts.ts';
import type { SigningTask } from './module-types.ts';

/** A signer signs, an approver approves; the other way round is tried to see that it is refused. */
export type Act = 'sign' | 'approve';

export type { SigningTask };

/** The codes that the driver enters where codes are asked for: those sent or set, if any; none; or wrong ones. */
export type Codes = 'right' | 'none' | 'wrong';

/** The ways by which people get messages. */
export type Channel = 'email' | 'sms';

export function addressOf({ email, mobileNumber }: SigningTask, channel: Channel): string {
  return channel === 'email' ? email : mobileNumber;
}

/** Codes as they are typed in; an absent one is left out. */
export interface EnteredCodes {
  readonly email?: string;
  readonly sms?: string;
  readonly accessCode?: string;
}

export type Said = Readonly<Record<string, string>>;

/** An outcome, or a view, that could not be found out. */
export function unknown(reason: string, exchanges: readonly number[] = []) {
  return { kind: 'unknown', reason, exchanges } as const;
}

type Unknown = ReturnType<typeof unknown>;

/**
 * What came of an attempt. `done`: the target let the person act; `refused`: it did not, and said so in the way that the
 * profile names; `unknown`: no link, no code, no answer, a page that does not look as the profile says.
 */
export type ActOutcome = {
  readonly exchanges: readonly number[];
  /** The call was made several times, since an id may be unknown at first: the target may count each of them. */
  readonly insisted?: true;
  /** No e-mail had come to the person, though it was waited for, when a code by e-mail was asked for. */
  readonly unwritten?: true;
} & (
  | {
      readonly kind: 'done';
      readonly at: Interval;
      /** Why the target may still refuse it: the answer only says that the call was accepted for later. */
      readonly later?: string;
      /** What the answer says, by place, and which call it answers; absent if the profile names what says it was done. */
      readonly said?: Said;
    }
  | {
      readonly kind: 'refused';
      readonly at: Interval;
      readonly reason: string;
      /** The status says that the call itself is not understood. */
      readonly malformed?: true;
    }
  | (Unknown & {
      /** When the call was made whose answer is not understood; a replay takes it from its recording. */
      readonly at?: Interval;
      /** A call that names the signatory by id was answered with 404, even after the time in which an id may be too fresh. */
      readonly idUnknown?: true;
      /** The attempt was refused, which says nothing, since a code, or a call for this act alone, is missing. */
      readonly refused?: true;
      /** The act may have been done: the answer was a page with 200, or trouble after the act, or there was none. */
      readonly mayBeDone?: true;
    })
);

/** What a person is shown before they act. */
export type PageView =
  | {
      readonly kind: 'seen';
      /** The visible text of the page, white space folded. */
      readonly text: string;
      /** What the page is made of, where the driver gets that. */
      readonly source?: string;
      /** Whether the document could be looked at, where the driver can tell. */
      readonly document?: boolean;
      /** It could not be looked at, since nothing was found at its address: the profile may name a wrong one. */
      readonly notFound?: boolean;
      /** Why it cannot be told whether the document could be looked at, where that was tried. */
      readonly documentUnread?: string;
      /** The text of the document, if it is a PDF that can be read; of all documents, where they are fetched one by one. */
      readonly documentText?: string;
      /** Whether each document of the request was fetched, and each shows the marker of a document. */
      readonly all?: boolean;
      readonly exchanges: readonly number[];
      /** The exchanges of the page alone, if its documents are fetched by other calls. */
      readonly ofPage?: readonly number[];
    }
  | Unknown;

/** What a person will be asked to do. */
export interface SigningStep {
  readonly task: SigningTask;
  readonly act: Act;
  readonly codes: Codes;
}

export interface SigningDriver {
  readonly shows: boolean;
  /** Acts as the person. Never throws for what the target does; bounded in time. */
  act(task: SigningTask, act: Act, codes: Codes): Promise<ActOutcome>;
  /** Acts as the person with exactly these codes, without asking for any; absent if no given codes can be entered. */
  enter?(task: SigningTask, act: Act, codes: EnteredCodes): Promise<ActOutcome>;
  /** Looks at what the person is shown, without acting. @param documents how many the request has; 1 by default */
  view(task: SigningTask, documents?: number): Promise<PageView>;
  /** Whether there is a place for the person's code; absent where there always is. */
  takesCodes?(task: Pick<SigningTask, 'role' | 'otp'>): boolean;
  /** Runs `work` while nobody else with the same mobile number is sent a code; absent where the driver has no codes sent. */
  alone?<T>(task: SigningTask, work: () => Promise<T>): Promise<T>;
  /** Makes the target send the person a code, where they can ask for one; gives whether they could. */
  requestOtp?(task: SigningTask): Promise<boolean>;
  /** Called first with all that people will be asked to do, request by request; absent if nobody has to know. */
  announce?(steps: readonly SigningStep[]): Promise<void>;
  /** Ends every wait for a person, now and later; absent where no person is waited for. */
  stop?(): void;
  close(): Promise<void>;
}

/** A driver that can do nothing, and says why. */
export function uselessDriver(reason: string): SigningDriver {
  const told = () => Promise.resolve(unknown(reason));
  return { shows: false, act: told, view: told, close: () => Promise.resolve() };
}
