/** The facts of a run as they are known before its target was called. */
import { callbackUrlsFor } from './callback-urls.ts';
import type { Profile } from './profile/schema.ts';
import type { RunFacts, RunGiven } from './run-facts.ts';
import type { RunOptions } from './run-options.ts';
import { isProduction } from './smoke.ts';

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
