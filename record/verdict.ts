/** The verdicts of a check and of a requirement, and which one counts where there are several. */

export const verdicts = ['error', 'failed', 'could-not-run', 'passed', 'not-applicable'] as const;

/**
 * `error`: the suite's own fault. `failed`: the target's. `could-not-run`: a prerequisite was missing or the
 * target could not be reached. `not-applicable`: the profile says so.
 */
export type Verdict = (typeof verdicts)[number];

/** The worst of some verdicts; `not-applicable` when there is none. */
export function worst(given: readonly Verdict[]): Verdict {
  return verdicts.find((verdict) => given.includes(verdict)) ?? 'not-applicable';
}
