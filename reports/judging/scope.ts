/** Which parts of the interface a run has examined: its verdict says nothing about the others. */
import { areaOf } from '../../openapi/requirements/catalogue.ts';
import type { Run, RunRequirement } from '../run/run.ts';
import { counted } from '../run/words.ts';
import { column } from './outcome.ts';

/** Areas as a verdict names them; the one requirement of `service` stands beside those of creation. */
const names: Readonly<Record<string, string>> = {
  upload: 'upload',
  skeleton: 'creation',
  signatory: 'signatories',
  otp: 'OTP',
  create: 'types 1 to 3',
  stamping: 'auto stamping',
  signing: 'signing',
  events: 'events',
};

type Examined = NonNullable<Run['examined']>[number];

/** How many of the testable requirements of each area were judged: they passed or failed. */
export function examinedOf(requirements: readonly RunRequirement[]): Examined[] {
  const testable = requirements.filter(({ notTestable }) => notTestable === undefined);
  return [...new Set(testable.map(({ id }) => areaOf(id)))].map((area) => {
    const own = testable.filter(({ id }) => areaOf(id) === area);
    const judged = own.filter(({ verdict }) => verdict === 'passed' || verdict === 'failed').length;
    return { area, judged, testable: own.length };
  });
}

/**
 * The verdict with its scope: `conformant in upload, creation, signatories; signing and events not examined`. An area
 * counts as examined when at least half of its requirements were judged.
 */
export function standing({
  verdict,
  scope,
  requirements,
}: Pick<Run, 'verdict' | 'scope' | 'requirements'>): string {
  const areas = examinedOf(requirements).filter(({ area }) => Object.hasOwn(names, area));
  const isExamined = ({ judged, testable }: Examined) => judged * 2 >= testable;
  const named = (those: readonly Examined[]) => those.map(({ area }) => names[area] ?? area);
  const left = named(areas.filter((each) => !isExamined(each)));
  if (left.length === 0 || scope === 'partial') return verdict;
  if (left.length === areas.length) return `${verdict}; nothing examined`;
  const within = verdict === 'conformant' ? ` in ${named(areas.filter(isExamined)).join(', ')}` : '';
  return `${verdict}${within}; ${listed(left)} not examined`;
}

function listed(all: readonly string[]): string {
  return all.length < 2 ? all.join() : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** `acme: 1 of 2 requirements of its own failed: exit code 1, whatever the verdict about the interface`. */
export function ownLine({ own }: Run): string | undefined {
  if (!own) return undefined;
  const { prefix, requirements, counts, exitCode } = own;
  const all = `of ${counted(requirements.length, 'requirement')} of its own`;
  const parts = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
  const code = exitCode === 0 ? '' : `; exit code ${exitCode}, apart from the verdict about the interface`;
  return `${prefix}: ${parts.join(', ')} ${all}${code}`;
}

/** With the musts in numbers, for the badge and the head of the reports: `conformant, 51 of 93 musts, 42 not applicable`. */
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
