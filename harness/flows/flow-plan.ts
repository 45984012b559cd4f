/** The plan of a flow, one signature request from upload to completion, and what came of it. */
import type { AutoStamp } from '../../generators/bodies/stamping.ts';
import type { OtpType, Role } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { Found } from '../../record/finding.ts';
import type { FlowExpected, FlowSeen } from '../../record/flow-finding.ts';
import type { TimelineEntry } from '../../record/timeline.ts';
import type { FlowJudgement, SequenceObservation, withoutEffect } from '../judging/sequence/judgement.ts';
import type { Channel } from '../people/driver.ts';

/** A person of the plan; positions in the plan count from 0. */
export interface FlowSignatory {
  readonly role: Role;
  readonly order: number;
  /** Absent: IsRequired false. */
  readonly otp?: OtpType;
  /** Without `otp`: the Type beside IsRequired false; e-mail by default. */
  readonly idleOtp?: OtpType;
  readonly privateMessage?: string;
  readonly color?: string;
  /** With OTP by AccessCode: another one than that of the run. */
  readonly otherAccessCode?: true;
  /** In a request of type 3. */
  readonly stamps?: readonly AutoStamp[];
}

/** A call that has to be refused: a valid body changed in one thing, or one without an access token. */
export interface RefusedCall {
  readonly operation: keyof typeof withoutEffect;
  readonly what: string;
  readonly change?: Readonly<Record<string, unknown>>;
  readonly authorization?: 'absent' | 'unknown' | 'expired';
  /** It names what was never issued: an addition another request in its path, a creation a document in `change`. */
  readonly unknown?: true;
  /** What it was made for has ended a moment ago. */
  readonly endedIds?: true;
  /** Violated when it is taken; without it that is judged elsewhere. */
  readonly requirement?: RequirementId;
}

/** The request of a flow, as it is made, and what it proves. */
export interface FlowPlan {
  /** Names the flow in rows, titles and timelines. */
  readonly name: string;
  readonly signatories: readonly FlowSignatory[];
  /** Tried before the first of its signatories is added: they leave nothing behind. */
  readonly refused?: readonly RefusedCall[];
  /**
   * What is uploaded for it: a PDF of one page, one of three, a DOCX or a DOC; each has a marker of its own. Where there is
   * none the request has the first one of the run, unless uses are limited, and nothing is looked for in it.
   */
  readonly documents: readonly ('page' | 'pages' | 'docx' | 'doc')[];
  /** Which of its texts is not ASCII; the other one shows whether anything of the request can be read. */
  readonly accented?: 'Title' | 'Message';
  /** CallbackTypes; absent: the request is created without CallbackUrl. */
  readonly subscription?: readonly number[];
  readonly attached?: boolean;
  /** The listener answers so many deliveries with 503 before it takes any. */
  readonly away?: number;
  /** The request is of type 3: each signer has stamps. */
  readonly stamped?: true;
  /**
   * Given: once its script has come to its end, a signatory makes this call of the profile, and what follows is
   * observed and not judged. Only a run that explores has such a flow.
   */
  readonly explores?: 'decline';
  /** Whether a refused act is tried again once only, when a turn has had its time to come, and never with a code that nobody asked for: that takes fewer calls. */
  readonly sparing?: true;
  /** Whether the states that its request goes through are asked for, where the profile can. */
  readonly tracked?: boolean;
  /**
   * A second request with the same people, Title, file names and CallbackUrl, made and judged beside this one: what is
   * done to one of them is not done to the other. Only where calls name the request and its signatories by their ids.
   */
  readonly neighbour?: FlowPlan;
  /** What the flow proves besides what its callbacks prove. */
  readonly proves: readonly RequirementId[];
}

/** Requests of what is only observed come after those that `must`s need. */
export function purposeOf({ explores }: FlowPlan): 'flow' | 'observation' {
  return explores ? 'observation' : 'flow';
}

export interface FlowResult {
  readonly name: string;
  readonly judgements: readonly FlowJudgement[];
  readonly observations: readonly SequenceObservation[];
  readonly timeline: readonly TimelineEntry[];
  /** Why the script did not come to its end. */
  readonly blocked?: Found;
}

/** A judgement that stands only when messages of the channel could be read at all. */
export type Deferred = FlowJudgement & {
  readonly channel: Channel;
  /** Why those to the person in question could not be read; absent when they could. */
  readonly problem?: string | undefined;
  /** It stands only where event 3 told that the request is over. */
  readonly unlessOpen?: true;
};

/** Looks at the completed documents: what they show that is not as expected, or `null`. */
export interface CompletedJudge {
  readonly requirement: RequirementId;
  readonly expected: FlowExpected;
  readonly look: (files: readonly Uint8Array[]) => Promise<FlowSeen | null>;
  /** `if-there`: nothing is judged where there are none. */
  readonly need?: 'if-there';
}

/** To whom a message goes, and how. */
export interface Addressee {
  readonly signatory: number;
  readonly channel: Channel;
}
