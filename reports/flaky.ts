/** How often a failure is asked about again, and whether it failed no more often than a rate permits. */

import { worst } from '../record/verdict.ts';
import { lowestRate } from './deviations.ts';
import type { RunRequirement } from './run.ts';

/** Attempts that one confirmation consists of. */
export interface Sample {
  readonly attempts: number;
  /** How many of them may fail. */
  readonly permitted: number;
}

/** A failure that nobody listed as flaky is asked about once more. */
export const once: Sample = { attempts: 1, permitted: 0 };

/**
 * Enough attempts for a permitted rate to mean something: two failures may be among them, or one at the lowest
 * rate. A check that fails half as often as permitted is taken as flaky in more than nine of ten cases.
 * @param rate from 0.1 to 0.5, both included
 */
export function sampleFor(rate: number): Sample {
  const attempts = Math.ceil(Math.min(2 / rate, 1 / lowestRate) - Number.EPSILON);
  return { attempts, permitted: Math.floor(rate * attempts + 1e-9) };
}

/** The verdicts of a requirement in each attempt after the first. */
export function attemptsOf(requirement: Pick<RunRequirement, 'checks'>): ReturnType<typeof worst>[] {
  const lists = requirement.checks.map(({ confirmation }) => confirmation?.attempts ?? []);
  const rounds = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) =>
    worst(lists.flatMap((attempts) => attempts[round]?.verdict ?? [])),
  );
}

/** Whether nothing that may still come changes the answer. */
export function isSettled(verdicts: readonly string[], sample: Sample): boolean {
  return (
    isPermitted(verdicts, sample) || verdicts.filter((each) => each === 'failed').length > sample.permitted
  );
}

/** Whether so many attempts passed that the others may all fail. */
export function isPermitted(verdicts: readonly string[], { attempts, permitted }: Sample): boolean {
  return verdicts.filter((each) => each === 'passed').length >= attempts - permitted;
}
