/** Reads the deviations, baseline and run to recheck of `run` before any call, so that a mistake in them ends with code 3. */
import type { LoadedProfile } from '../harness/profile/load.ts';
import type { RunOptions } from '../harness/profile/run-options.ts';
import { referenceName, targetName } from '../harness/profile/schema.ts';
import type { Earlier, EarlierOptions } from '../reports/assembling/earlier.ts';
import { toRecheck } from '../reports/concluding/recheck.ts';
import type { Run } from '../reports/run/run.ts';
import { UsageError } from './usage-error.ts';

/** Options that need another option: key and name of both. */
const needed = [
  ['strictDrift', '--strict-drift', 'baseline', '--baseline'],
  ['driftFactor', '--drift-factor', 'baseline', '--baseline'],
] as const;

/**
 * Reads deviations, baseline and the run to recheck.
 * @throws UsageError or ConfigurationError
 */
export async function earlierOf(options: EarlierOptions & Pick<RunOptions, 'only'>): Promise<Earlier> {
  for (const [key, option, other, otherOption] of needed) {
    if (options[key] !== undefined && options[other] === undefined) {
      throw new UsageError(`${option} is of no use without ${otherOption} RUN`);
    }
  }
  if (options.stale === 'warn' && !options.deviations) {
    throw new UsageError('--stale warn is of no use without --deviations FILE');
  }
  if (options.recheck && options.only) {
    throw new UsageError(
      '--recheck and --only exclude each other: --recheck chooses from the run that it names',
    );
  }
  const { readEarlier } = await import('../reports/assembling/earlier.ts');
  return readEarlier(options);
}

/**
 * The requirements that a recheck runs.
 * @throws UsageError when the run is one of another target
 */
export function recheckSelection(earlier: Run, loaded: LoadedProfile | null): string[] {
  const name = loaded ? targetName(loaded.profile) : referenceName;
  if (earlier.target.name !== name) {
    throw new UsageError(
      `--recheck: that run is of the target "${earlier.target.name}", this one would call "${name}"; give the same --target or --base-url`,
    );
  }
  return toRecheck(earlier);
}
