/** The record of the run host at the end of a run, and how it reaches Playwright's reporter in the same process. */
import type { Observation } from '../../openapi/observation.ts';
import type { ConfirmationRecord } from '../concluding/confirmation.ts';
import type { Run } from '../run/run.ts';

type Recorded =
  | ('target' | 'seed' | 'startedAt' | 'exchanges' | 'deliveries' | 'unattributed' | 'created')
  | ('warnings' | 'mustRun' | 'explored' | 'unlocks');

export interface RunRecord extends Pick<Run, Recorded> {
  readonly observations: readonly Observation[];
  /** The gaps that the profile answers, with what it says, as YAML. */
  readonly answeredByProfile: readonly { readonly gap: string; readonly says: string }[];
  readonly retries: number;
  /** Errors of the suite itself outside of any check; each makes the run an `error`. */
  readonly problems?: readonly string[];
  /** How failures were confirmed at the end of the run; absent when they were not. */
  readonly confirmation?: ConfirmationRecord;
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
