/** A flow: one signature request from upload to completion, as a plan, a script, and what it proves. */
import type { AutoStamp } from '../../generators/bodies/stamping.ts';
import type { OtpType, Role } from '../../openapi/codes.ts';
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { AnswerPlan } from '../callbacks/answers.ts';
import type { SequenceObservation } from '../callbacks/sequence/judgement.ts';
import type { TimelineEntry } from '../callbacks/timeline.ts';
import type { FlowRun } from './flow-run.ts';

/** A person of the plan; positions in the plan count from 0. */
export interface FlowSignatory {
  readonly role: Role;
  readonly order: number;
  /** Absent: IsRequired false. */
  readonly otp?: OtpType;
  readonly privateMessage?: string;
  readonly color?: string;
}

export interface FlowDefinition {
  /** Names the flow in rows, titles and timelines. */
  readonly name: string;
  readonly signatories: readonly FlowSignatory[];
  /** How many documents are uploaded for it; each has a marker of its own. */
  readonly documents: number;
  /** CallbackTypes; absent: the request is created without CallbackUrl. */
  readonly subscription?: readonly number[];
  readonly attached?: boolean;
  /** How the listener answers. */
  readonly answers?: AnswerPlan;
  /** Given: the request is of type 3, with one signer who has these stamps. */
  readonly stamps?: readonly AutoStamp[];
  /** What the flow proves besides what its callbacks prove. */
  readonly proves: readonly RequirementId[];
  /** What happens once the request has its signatories. Throws FlowBlocked when it cannot go on. */
  readonly script: (flow: FlowRun) => Promise<void>;
}

export interface FlowJudgement {
  readonly requirement: RequirementId;
  readonly verdict: 'passed' | 'failed' | 'could-not-run';
  readonly message: string;
  readonly exchanges: readonly number[];
  /** A failure counts only when this was proved by some flow; without it the failure has another cause. */
  readonly assumes?: RequirementId;
}

export interface FlowResult {
  readonly name: string;
  readonly judgements: readonly FlowJudgement[];
  readonly observations: readonly SequenceObservation[];
  readonly timeline: readonly TimelineEntry[];
  /** Why the script did not come to its end. */
  readonly blocked?: string;
}

/** Thrown by a script that cannot go on; what it already proved stands. */
export class FlowBlocked extends Error {
  override readonly name = 'FlowBlocked';
}
