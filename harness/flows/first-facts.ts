/** What is decided before a run begins, and the facts that are known before its target was called. */
import type { RunOptions } from '../profile/run-options.ts';
import type { Profile } from '../profile/schema.ts';
import { isProduction } from '../profile/smoke.ts';
import type { Replay } from '../replaying/recording.ts';
import type { RunFacts } from '../target/run-facts.ts';
import type { FlowDefinition } from './flow.ts';
import { callbackUrlsFor } from './placeholder-urls.ts';
import type { WaitingLedger } from './resuming/ledger.ts';

export interface RunGiven {
  readonly runId: string;
  readonly callbackUrl: string;
  readonly flows: readonly FlowDefinition[];
  readonly profileDir: string;
  /** What is left with people; absent where no people act. */
  readonly waiting?: WaitingLedger;
  /** Folder of a recording that is made of the run. */
  readonly record?: string | undefined;
  /** The recording that is judged again, and its folder. */
  readonly replay?: Replay | undefined;
}

export interface FirstFacts extends Pick<RunFacts, 'accessCode' | 'notApplicable'> {
  readonly profile: Profile;
  readonly options: Pick<RunOptions, 'seed' | 'explore'>;
  readonly run: Pick<RunGiven, 'runId' | 'callbackUrl'>;
}

export function firstFacts({ profile, options, run, accessCode, notApplicable }: FirstFacts): RunFacts {
  return {
    accessCode,
    creations: profile.create ?? {},
    runId: run.runId,
    ...callbackUrlsFor(profile, run.callbackUrl),
    seed: options.seed,
    explore: options.explore,
    smoke: isProduction(profile),
    people: profile.people ?? {},
    limits: profile.limits ?? {},
    notApplicable,
  };
}
