/** Reads what a run is compared with: a file of accepted deviations, a baseline, an earlier run to recheck. */
import { ConfigurationError } from '../../record/errors.ts';
import { readBaseline } from '../accepted/baseline.ts';
import { readDeviations } from '../accepted/deviations-file.ts';
import type { StaleMode } from '../run/deviations.ts';
import { readRun } from '../run/run-file.ts';
import type { Material } from './assemble.ts';

export interface EarlierOptions {
  readonly deviations?: string;
  readonly stale?: StaleMode;
  readonly baseline?: string;
  readonly strictDrift?: boolean;
  readonly driftFactor?: number;
  readonly recheck?: string;
}

export type Earlier = Pick<Material, 'deviations' | 'baseline' | 'drift' | 'recheck'>;

/** @throws ConfigurationError, with a message that is complete for the user */
export function readEarlier(options: EarlierOptions): Earlier {
  const { deviations, stale, baseline, strictDrift, driftFactor, recheck } = options;
  const needless = [
    [strictDrift !== undefined && baseline === undefined, '--strict-drift', '--baseline RUN'],
    [driftFactor !== undefined && baseline === undefined, '--drift-factor', '--baseline RUN'],
    [stale === 'warn' && !deviations, '--stale warn', '--deviations FILE'],
  ] as const;
  for (const [isSo, option, other] of needless)
    if (isSo) throw new ConfigurationError(`${option} is of no use without ${other}`);
  return {
    deviations: deviations ? readDeviations(deviations, stale) : undefined,
    baseline: baseline ? readBaseline(baseline) : undefined,
    drift: { strict: strictDrift, factor: driftFactor },
    recheck: recheck ? readRun(recheck) : undefined,
  };
}
