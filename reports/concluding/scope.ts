/** Tells which areas of the interface a run has examined: its verdict says nothing about the others. */
import { areaOf } from '../../openapi/requirements/catalogue.ts';
import { counted, listed } from '../../record/counted.ts';
import type { Run, RunRequirement } from '../run/run.ts';
import { column } from './outcome.ts';

type Examined = NonNullable<Run['examined']>[number];

/** How many of the testable requirements of each area passed or failed. */
export function examinedOf(requirements: readonly RunRequirement[]): Examined[] {
  const testable = requirements.filter(({ notTestable }) => notTestable === undefined);
  return [...new Set(testable.map(({ id }) => areaOf(id)))].map((area) => {
    const own = testable.filter(({ id }) => areaOf(id) === area);
    const judged = own.filter(({ verdict }) => verdict === 'passed' || verdict === 'failed').length;
    return { area, judged, testable: own.length };
  });
}

/**
 * The verdict with its scope: `conformant in upload, skeleton; signing (9 of 41) examined in part; events not examined`.
 * Areas are named as in ids. An area counts as examined if at least half of its requirements were judged; the one
 * requirement of `service` is counted with those of creation.
 */
export function standing({
  verdict,
  scope,
  requirements,
}: Pick<Run, 'verdict' | 'scope' | 'requirements'>): string {
  const areas = examinedOf(requirements).filter(({ area }) => area !== 'service');
  const unseen = areas.filter(({ judged }) => judged === 0);
  const partly = areas.filter(({ judged, testable }) => judged > 0 && judged * 2 < testable);
  const seen = areas.filter((each) => !unseen.includes(each) && !partly.includes(each));
  if (seen.length === areas.length || scope === 'partial') return verdict;
  if (unseen.length === areas.length) return `${verdict}; nothing examined`;
  const named = (those: readonly Examined[]) => those.map(({ area }) => area);
  const parts = partly.map(({ area, judged, testable }) => `${area} (${judged} of ${testable})`);
  const within = verdict === 'conformant' && seen.length > 0 ? ` in ${named(seen).join(', ')}` : '';
  return [
    `${verdict}${within}`,
    ...(partly.length > 0 ? [`${listed(parts, 'and')} examined in part`] : []),
    ...(unseen.length > 0 ? [`${listed(named(unseen), 'and')} not examined`] : []),
  ].join('; ');
}

/** `acme: 1 passed, 1 failed of 2 requirements of its own; exit code 1, apart from the verdict about the interface`. */
export function ownLine({ own }: Run): string | undefined {
  if (!own) return undefined;
  const { prefix, requirements, counts, exitCode } = own;
  const all = `of ${counted(requirements.length, 'requirement')} of its own`;
  const parts = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
  const code = exitCode === 0 ? '' : `; exit code ${exitCode}, apart from the verdict about the interface`;
  return `${prefix}: ${parts.join(', ')} ${all}${code}`;
}

/** The verdict with numbers of musts, for the badge and the head of reports: `conformant, 51 of 93 musts, 42 not applicable`. */
export function standingInNumbers(run: Run): string {
  const musts = run.requirements.filter(({ level }) => level === 'must');
  const number = (...columns: string[]) => musts.filter((each) => columns.includes(column(each))).length;
  const parts = [
    [number('failed'), 'failed'],
    [number('deviation'), 'accepted deviations'],
    [number('could-not-run', 'error'), 'could not run'],
    [number('not-applicable'), 'not applicable'],
  ] as const;
  return [
    standing(run),
    `${run.counts.musts.passed} of ${run.counts.musts.all} musts`,
    ...parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`),
  ].join(', ');
}
