/** What the run host knows at the end of a run, and how it reaches Playwright's reporter in the same process. */
import type { Observation } from '../../openapi/observation.ts';
import type { RecordedDelivery, Unattributed } from '../../record/delivery.ts';
import type { Created, Exchange } from '../../record/exchange.ts';
import type { Explored } from '../../record/explored.ts';
import type { ConfirmationRecord } from '../concluding/confirmation.ts';
import type { Run } from '../run/run.ts';

export interface RunRecord {
  readonly target: Run['target'];
  readonly seed: number;
  /** ISO 8601 in UTC: when the run host came up. */
  readonly startedAt: string;
  /** In the order of their `index`, none left out. */
  readonly exchanges: readonly Exchange[];
  readonly deliveries: readonly RecordedDelivery[];
  /** What came to the listener beside them. */
  readonly unattributed?: readonly Unattributed[];
  readonly created: readonly Created[];
  readonly observations: readonly Observation[];
  /** The gaps that the profile answers, with what it says, as YAML. */
  readonly answeredByProfile: readonly { readonly gap: string; readonly says: string }[];
  /** Calls that were repeated. */
  readonly retries: number;
  readonly warnings: readonly string[];
  /** What broke in the suite itself outside of any check; each entry makes the run an `error`. */
  readonly problems?: readonly string[];
  /** Areas that the profile does not allow to be not-applicable. */
  readonly mustRun?: readonly string[];
  /** What random sequences showed; absent when none were made. */
  readonly explored?: Explored;
  /** How failures were confirmed at the end of the run; absent when they were not. */
  readonly confirmation?: ConfirmationRecord;
  /** Keys that the profile does not have, each with the requirements that it would make applicable. */
  readonly unlocks: readonly { readonly key: string; readonly requirements: readonly string[] }[];
}

/** A record in which nothing happened. */
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

// Global set-up and reporter live in one process but are loaded by two loaders of Playwright; the key of the
// global symbol registry holds even when that gives each of them an own copy of this module.
const key = Symbol.for('esign-conformance.run-record');
const place = globalThis as { [key]?: RunRecord };

/** Called by global teardown, once per run. */
export function handOver(record: RunRecord): void {
  place[key] = record;
}

/** The record of this run, once; `undefined` when teardown was never reached. */
export function takeRecord(): RunRecord | undefined {
  const record = place[key];
  delete place[key];
  return record;
}
