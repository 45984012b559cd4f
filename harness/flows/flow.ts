/** A flow: one signature request from upload to completion, as a plan, a script, and what it proves. */
import type { AutoStamp } from '../../generators/bodies/stamping.ts';
import type { GeneratedDocument } from '../../generators/documents/document.ts';
import type { OtpType, Role } from '../../openapi/codes.ts';
import type { GapId } from '../../openapi/gaps/register.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { Found } from '../../record/finding.ts';
import type { FlowExpected, FlowSeen, Person } from '../../record/flow-finding.ts';
import type { TimelineEntry } from '../../record/timeline.ts';
import type { FlowJudgement, SequenceObservation, withoutEffect } from '../judging/sequence/judgement.ts';
import type { Act, Channel, Codes, EnteredCodes, PageView, SigningTask } from '../people/driver.ts';
import type { ReadMessage } from '../people/messages/message.ts';

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
   * none the request has one that such flows share, and nothing is looked for in it.
   */
  readonly documents: readonly ('page' | 'pages' | 'docx' | 'doc')[];
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

export interface FlowDefinition extends FlowPlan {
  /** Flows that prove the same together, for a target that takes fewer signatories in a request. */
  readonly parts?: readonly FlowDefinition[];
  /** The flow that stands for this one where a requirement is not applicable that it rests on. */
  readonly without?: { readonly requirement: RequirementId; readonly flow: FlowDefinition };
  /** What happens once the request has its signatories. Throws CouldNotRun when it cannot go on: what it proved stands. */
  readonly script: (flow: FlowScript, neighbour: FlowScript) => Promise<void>;
}

/** The definitions with their neighbours, each after its own. */
export function withNeighbours(definitions: readonly FlowDefinition[]): readonly FlowPlan[] {
  return definitions.flatMap((each) => (each.neighbour ? [each, each.neighbour] : [each]));
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

/** What a script can do with its request, once that has its signatories. Signatories are positions in the plan. */
export interface FlowScript {
  /** Positions of all in the plan. */
  readonly people: readonly number[];
  /** The PrivateMessage of a person; empty where they have none. */
  readonly privateMessageOf: (signatory: number) => string;
  /** Title and Message of the request. */
  readonly title: string;
  readonly message: string;
  readonly documents: readonly GeneratedDocument[];
  /** Whether `view` can be asked. */
  readonly driverShows: boolean;
  /** Whether the profile leaves a requirement to be judged: what its check needs is there. */
  applies(requirement: RequirementId): boolean;
  /** Whether messages of a channel can be read. */
  reads(channel: Channel): boolean;
  task(signatory: number): SigningTask;
  /** As findings name them. */
  person(signatory: number): Person;
  /** Sends the request in the way of the profile. `blame` is failed when the target refuses that. */
  send(blame?: RequirementId): Promise<void>;
  /** Lets a moment pass in which nobody acts, so that an event which tells of an act too early is seen to be early. */
  lull(): Promise<void>;
  /**
   * A person does what their role is for, as soon as it is their turn.
   * @param blame the requirement that a refusal violates; without it the one of the role
   */
  acts(signatory: number, blame?: RequirementId): Promise<void>;
  /**
   * A person tries what they may not do; `requirement` is failed when the target lets them. Nothing is tried where it
   * is not applicable, or where a code of theirs could not be entered.
   */
  mayNot(signatory: number, act: Act, codes: Codes, requirement: RequirementId, why: string): Promise<void>;
  /**
   * The same with exactly these codes, where the driver can enter given ones and the target asks for them there;
   * otherwise nothing happens.
   */
  mayNotEnter(signatory: number, codes: EnteredCodes, requirement: RequirementId, why: string): Promise<void>;
  /** Positions of those whom the target let act. */
  readonly done: readonly number[];
  /** A person tries what the document leaves open; whether the target let them, `undefined` where nobody knows. */
  tries(signatory: number, act: Act, codes: Codes | EnteredCodes): Promise<boolean | undefined>;
  /** Makes a call that has to be refused, and leaves nothing behind. */
  refuse(call: RefusedCall): Promise<void>;
  /** Creates another request with the same documents, of type 1 or 2, as the profile says; what comes of it is not looked at. */
  creates(type: 1 | 2): Promise<void>;
  /** Adds somebody who is not in the plan; whether the target took them. From then on no event is judged. */
  adds(planned: FlowSignatory): Promise<boolean>;
  /** Deletes the request by the call of the profile; whether that succeeded. From then on no event is judged. */
  deletes(): Promise<boolean>;
  /** What a person is shown. */
  view(signatory: number): Promise<PageView>;
  /** Messages to a person, once `until` holds for one of them or time is up. */
  messages(
    signatory: number,
    channel: Channel,
    until?: (message: ReadMessage) => boolean,
  ): Promise<readonly ReadMessage[]>;
  /** What is wrong with files that are to be the signed PDFs; undefined when nothing is known to be. */
  unsigned(
    files: readonly { readonly bytes: Uint8Array; readonly markers: readonly string[] }[],
  ): Promise<FlowSeen['unsigned']>;
  /** The file that a link in a message leads to; `null` when there is none. */
  follow(link: string): Promise<Uint8Array | null>;
  /** Lets the target send the one-time passwords of a person; whether anybody could ask for them. */
  requestOtp(signatory: number): Promise<boolean>;
  /** The newest one-time password that came to a person. */
  code(signatory: number, channel: Channel): Promise<string | undefined>;
  judge(
    requirement: RequirementId,
    verdict: FlowJudgement['verdict'],
    found: Found,
    exchanges?: readonly number[],
    assumes?: RequirementId,
  ): void;
  /** Passed, or failed where the messages to the person could be read, and some of the channel at all. */
  judgeMessage(requirement: RequirementId, to: Addressee, holds: boolean, expected: FlowExpected): void;
  /** Judges the completed documents once they are there. */
  judgeCompleted(judge: CompletedJudge): void;
  /** The requirements against which the flow has spoken. */
  readonly failed: readonly RequirementId[];
  /** Whether the flow has spoken against a requirement. */
  hasFailed(requirement: RequirementId): boolean;
  /** Notes what was seen about a gap. */
  observe(gap: GapId, key: string, value: string | number): void;
}
