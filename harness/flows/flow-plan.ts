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
  /** The OTP Type that is sent with IsRequired false, where `otp` is absent; e-mail by default. */
  readonly idleOtp?: OtpType;
  /** The person has a MobileNumber although no SMS is sent to them; it is left out if the target refuses it. */
  readonly numbered?: true;
  readonly privateMessage?: string;
  /** The person's Name has letters that are not ASCII. */
  readonly accented?: true;
  readonly color?: string;
  /** With OTP by AccessCode: the person has another code than that of the run. */
  readonly otherAccessCode?: true;
  /** The person's stamps, in a request of type 3. */
  readonly stamps?: readonly AutoStamp[];
}

/** A call that should be refused: a valid body with one thing changed, or a call without an access token. */
export interface RefusedCall {
  readonly operation: keyof typeof withoutEffect;
  readonly what: string;
  readonly change?: Readonly<Record<string, unknown>>;
  /** The body is cut off before its end. */
  readonly cut?: true;
  /** Instead of application/json. */
  readonly contentType?: string;
  /** For a creation of type 3: what is changed in its second person. */
  readonly ofSecond?: Readonly<Record<string, unknown>>;
  readonly authorization?: 'absent' | 'unknown' | 'expired';
  /** The call names what was never issued: an addition, a request in its path; a creation, a document in `change`. */
  readonly unknown?: true;
  /** The object that the call names was ended a moment ago. */
  readonly endedIds?: true;
  /** The call adds the first person of the plan, who is also added by a valid call before or after it. */
  readonly own?: true;
  /** The call is made once everybody was added, and not before. */
  readonly after?: true;
  /** The requirement that is violated when the call is accepted; absent where that is judged elsewhere. */
  readonly requirement?: RequirementId;
}

/** The request of a flow, as it is made, and what it proves. */
export interface FlowPlan {
  /** Names the flow in rows, titles and timelines. */
  readonly name: string;
  readonly signatories: readonly FlowSignatory[];
  /** The signatories, no two of one Order, are added at once, unless the way to send depends on the sequence. */
  readonly atOnce?: true;
  /** Calls that should be refused without effect, made before the first signatory is added or after the last. */
  readonly refused?: readonly RefusedCall[];
  /**
   * The documents to upload, each with a marker of its own: a PDF of one page, of three, or of twelve of different
   * kinds, a DOCX or a DOC. If the list is empty, the request has the run's first document (unless that can be used
   * only so often), and nothing is looked for in it.
   */
  readonly documents: readonly ('page' | 'pages' | 'mixed' | 'docx' | 'doc')[];
  /** Which text of the request is not ASCII. The other text shows whether anything of the request can be read at all. */
  readonly accented?: 'Title' | 'Message';
  /** CallbackTypes; absent: the request is created without CallbackUrl. */
  readonly subscription?: readonly number[];
  readonly attached?: boolean;
  /** How many deliveries the listener answers with 503 before it takes one. */
  readonly away?: number;
  /** The request is of type 3: each signer has stamps. */
  readonly stamped?: true;
  /** The profile's call at the end of the script; what follows is only observed. Only in runs that explore. */
  readonly explores?: 'decline';
  /** Saves calls: a refused act is tried again once, when a turn may have come, never with a code not required. */
  readonly sparing?: true;
  /** Once it was judged, the request is deleted, and has to take nobody any more; if the profile has a call for that. */
  readonly deleted?: true;
  /** Whether the state of the request is asked for, if the profile has a call for it. */
  readonly tracked?: boolean;
  /**
   * A second request with the same people, Title, file names and CallbackUrl, made and judged beside this one: an act
   * on one must not count for the other. Only if calls name the request and its signatories by their ids.
   */
  readonly neighbour?: FlowPlan;
  /** The requirements that the flow proves besides those that its callbacks prove. */
  readonly proves: readonly RequirementId[];
}

/** The purpose of a flow's calls. Requests that are only observed come after those that `must`s need. */
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
  /** Why messages to the person in question could not be read; absent when they could. */
  readonly problem?: string;
  /** Whether a message like the missed one has come by now; waits once more. */
  readonly cameLate?: () => Promise<boolean>;
  /** The judgement stands only if event 3 said that the request is over. */
  readonly unlessOpen?: true;
};

/** A question about the completed documents; `look` gives what is not as expected in them, or `null`. */
export interface CompletedJudge {
  readonly requirement: RequirementId;
  readonly expected: FlowExpected;
  readonly look: (files: readonly Uint8Array[]) => Promise<FlowSeen | null>;
  /** `if-there`: without completed documents nothing is judged. */
  readonly need?: 'if-there';
}

/** To whom a message goes, and how. */
export interface Addressee {
  readonly signatory: number;
  readonly channel: Channel;
}
