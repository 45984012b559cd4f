/** Reads what a run is compared with: a file of accepted deviations, a baseline, an earlier run to recheck. */

import { ConfigurationError } from '../../record/errors.ts';
import { readBaseline } from '../accepted/baseline.ts';
import { readDeviations } from '../accepted/deviations-file.ts';
import type { StaleMode } from '../run/deviations.ts';
import { readRun } from '../run/run-file.ts';
import type { Material } from './assemble.ts';

/** Options with the names of the command line. */
export interface EarlierOptions {
  readonly deviations?: string;
  readonly stale?: StaleMode;
  readonly baseline?: string;
  readonly strictDrift?: boolean;
  readonly driftFactor?: number;
  readonly recheck?: string;
}

export type Earlier = Pick<Material, 'deviations' | 'baseline' | 'drift' | 'recheck'>;

/** Options that need another option. */
const needed = [
  ['strictDrift', '--strict-drift', 'baseline', '--baseline RUN'],
  ['driftFactor', '--drift-factor', 'baseline', '--baseline RUN'],
] as const;

/**
 * Reads the files that the options name.
 * @throws ConfigurationError, with a message that is complete for the user
 */
export function readEarlier(options: EarlierOptions): Earlier {
  const { deviations, stale, baseline, strictDrift, driftFactor, recheck } = options;
  for (const [key, option, other, otherOption] of needed) {
    if (options[key] !== undefined && options[other] === undefined)
      throw new ConfigurationError(`${option} is of no use without ${otherOption}`);
  }
  if (stale === 'warn' && !deviations)
    throw new ConfigurationError('--stale warn is of no use without --deviations FILE');
  return {
    ...(deviations ? { deviations: readDeviations(deviations, stale) } : {}),
    ...(baseline ? { baseline: readBaseline(baseline) } : {}),
    drift: {
      ...(strictDrift ? { strict: true } : {}),
      ...(driftFactor === undefined ? {} : { factor: driftFactor }),
    },
    ...(recheck ? { recheck: readRun(recheck) } : {}),
  };
}
