/** The record of the run host at the end of a run, and how it reaches Playwright's reporter in the same process. */
import type { Observation } from '../../openapi/observation.ts';
import type { RecordedDelivery, Unattributed } from '../../record/delivery.ts';
import type { Created, Exchange } from '../../record/exchange.ts';
import type { Explored } from '../../record/explored.ts';
import type { ConfirmationRecord } from '../concluding/confirmation.ts';
import type { Run } from '../run/run.ts';

export interface RunRecord {
  readonly target: Run['target'];
  readonly seed: number;
  /** When the run host started, ISO 8601 in UTC. */
  readonly startedAt: string;
  /** In the order of their `index`, none left out. */
  readonly exchanges: readonly Exchange[];
  readonly deliveries: readonly RecordedDelivery[];
  /** Calls to the listener that were no deliveries of the run. */
  readonly unattributed?: readonly Unattributed[];
  readonly created: readonly Created[];
  readonly observations: readonly Observation[];
  /** The gaps that the profile answers, with what it says, as YAML. */
  readonly answeredByProfile: readonly { readonly gap: string; readonly says: string }[];
  readonly retries: number;
  readonly warnings: readonly string[];
  /** Errors of the suite itself outside of any check; each makes the run an `error`. */
  readonly problems?: readonly string[];
  /** Areas that must not be not-applicable, as the profile says. */
  readonly mustRun?: readonly string[];
  /** Results of random sequences; absent when none were run. */
  readonly explored?: Explored;
  /** How failures were confirmed at the end of the run; absent when they were not. */
  readonly confirmation?: ConfirmationRecord;
  /** Keys that the profile lacks, each with the requirements that it would make applicable. */
  readonly unlocks: readonly { readonly key: string; readonly requirements: readonly string[] }[];
}

export const emptyRecord: Omit<RunRecord, 'target' | 'seed' | 'startedAt'> = {
  exchanges: [],
  deliveries: [],
  created: [],
  observations: [],
  answeredByProfile: [],
  retries: 0,
  warnings: [],
  unlocks: [],
};

// Global set-up and reporter run in one process, but Playwright loads them with two loaders, which may give each a copy
// of this module. A key in the global symbol registry is the same for both.
const key = Symbol.for('esign-conformance.run-record');
const place = globalThis as { [key]?: RunRecord };

/** Called by global teardown, once per run. */
export function handOver(record: RunRecord): void {
  place[key] = record;
}

/** The record of this run, once; `undefined` when the teardown was not reached. */
export function takeRecord(): RunRecord | undefined {
  const record = place[key];
  delete place[key];
  return record;
}
