/** A flow: its plan, and the script that its people follow. */
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import type { FlowPlan } from './flow-plan.ts';
import type { FlowRun } from './flow-run.ts';

/** What a script can do with its request once people are added, who are given by their positions in the plan. */
export type FlowScript = Omit<
  FlowRun,
  | 'request'
  | 'judgements'
  | 'deferred'
  | 'completed'
  | 'attempted'
  | 'answers'
  | 'completedJudges'
  | 'observations'
  | 'states'
  | 'sent'
  | 'open'
  | 'isStamped'
  | 'attempts'
  | 'lettersSeen'
  | 'lettersBefore'
>;

export interface FlowDefinition extends FlowPlan {
  /** Flows that together prove the same, for a target that accepts fewer signatories in a request. */
  readonly parts?: readonly FlowDefinition[];
  /** The flows that replace this one if a requirement that it rests on is not applicable. */
  readonly without?: { readonly [Id in RequirementId]?: FlowDefinition };
  /** The acts once the request has its signatories. Throws CouldNotRun when it cannot go on: what was proved before stands. */
  readonly script: (flow: FlowScript, neighbour: FlowScript) => Promise<void>;
}

/** The definitions, each followed by its neighbour. */
export function withNeighbours(definitions: readonly FlowDefinition[]): readonly FlowPlan[] {
  return definitions.flatMap((each) => (each.neighbour ? [each, each.neighbour] : [each]));
}
