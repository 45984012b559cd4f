/** Accepted deviations in words: which there are, and what has to be changed in their file. */
import { entryGates } from './deviations-judge.ts';
import { column } from './outcome.ts';
import type { Run, RunRequirement } from './run.ts';

/** The requirements whose failure is accepted. */
export function acceptedDeviations(run: Run): readonly RunRequirement[] {
  return run.requirements.filter((each) => column(each) === 'deviation');
}

/** `accepted until 2026-12-31 (team): answers 422`, and how often it failed where it is flaky. */
export function deviationLine({ deviation }: RunRequirement): string {
  if (!deviation) return '';
  const { until, owner, reason, link, flaky } = deviation;
  const often = flaky
    ? `; flaky: failed ${flaky.failed} of ${flaky.attempts} further attempts, permitted rate ${flaky.rate}`
    : '';
  return `accepted until ${until} (${owner}): ${reason}${link ? ` ${link}` : ''}${often}`;
}

/** What has to be changed in the deviations file before the run can be green. */
export function entriesToChange({ deviations }: Run): string[] {
  if (!deviations) return [];
  return deviations.entries
    .filter((each) => entryGates(each, deviations.stale) || each.status === 'exceeded')
    .map(({ says = '' }) => says);
}

/** What may be changed there: stale entries under `--stale warn`. */
export function entriesToLookAt({ deviations }: Run): string[] {
  if (!deviations) return [];
  return deviations.entries
    .filter((each) => each.status === 'stale' && !entryGates(each, deviations.stale))
    .map(({ says = '' }) => says);
}
