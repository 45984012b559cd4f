/** How the musts of a run stand, in one phrase: for the badge and the head of the reports. */
import { column } from './outcome.ts';
import type { Run } from './run.ts';

/** `conformant, 51 of 93 musts, 42 not applicable`. */
export function standing(run: Run): string {
  const musts = run.requirements.filter(({ level }) => level === 'must');
  const number = (...columns: string[]) => musts.filter((each) => columns.includes(column(each))).length;
  const parts = [
    [number('failed'), 'failed'],
    [number('deviation'), 'accepted deviations'],
    [number('could-not-run', 'error'), 'could not run'],
    [number('not-applicable'), 'not applicable'],
  ] as const;
  return [
    run.verdict,
    `${run.counts.musts.passed} of ${run.counts.musts.all} musts`,
    ...parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`),
  ].join(', ');
}
