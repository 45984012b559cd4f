/** What a run was asked to do: made by the command line, or from the environment under Playwright. */
import type { GivenOptions } from './given-options.ts';

/** All options of a run, with those that only commands give. */
export interface RunOptions extends GivenOptions {
  /** Run random sequences only, without the checks. */
  readonly exploreAlone?: boolean;
  /** How long sequences are run at most, in milliseconds. */
  readonly exploreMs?: number;
}

export const runDefaults: RunOptions = {
  out: 'reports/out',
  strict: false,
  seed: 1,
  concurrency: 8,
  explore: false,
  manual: true,
  confirm: true,
};

/** The options of a run under `npx playwright test`: the defaults, with `ESIGN_TARGET` (a profile) or `ESIGN_BASE_URL`. */
export function runOptions(): RunOptions {
  const { ESIGN_TARGET: target, ESIGN_BASE_URL: baseUrl } = process.env;
  return { ...runDefaults, target: target || undefined, baseUrl: baseUrl || undefined };
}
