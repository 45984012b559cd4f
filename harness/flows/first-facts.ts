/** The facts of a run as they are known before its target was called. */

import type { RunOptions } from '../profile/run-options.ts';
import type { Profile } from '../profile/schema.ts';
import { isProduction } from '../profile/smoke.ts';
import type { RunFacts } from '../target/run-facts.ts';
import { callbackUrlsFor } from './placeholder-urls.ts';
import type { RunGiven } from './run-given.ts';

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
