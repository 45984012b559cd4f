/** Decides what becomes of accepted deviations in a run, and puts it in words. Pure: the day and the target are given. */
import { isRequirementId } from '../../openapi/requirements/catalogue.ts';
import { type Deviations, fits, type Listed, type Match } from '../run/deviations.ts';
import type { Deviation, Run, RunRequirement, UsedDeviations, UsedEntry } from '../run/run.ts';
import { attemptsOf, isPermitted, sampleFor } from './confirmation-plan.ts';

interface TargetAndDay {
  readonly target: string;
  /** Day of the run in UTC, as YYYY-MM-DD. */
  readonly day: string;
}

interface Row {
  readonly title: string;
  readonly message?: string;
}

/** The requirements with their accepted deviations, and the status of each entry of the file. */
export function applyDeviations(
  requirements: readonly RunRequirement[],
  { file, stale, entries }: Deviations,
  situation: TargetAndDay,
) {
  const byId = new Map(requirements.map((each) => [each.id, each]));
  const used = entries.map((entry): UsedEntry => {
    const { status, why } = judgeEntry(entry, byId.get(entry.requirement), situation);
    return { ...entry, status, says: why && `${file}:${entry.line}: ${why}` };
  });
  return {
    requirements: requirements.map((each) => {
      const own = used.filter(({ requirement }) => requirement === each.id);
      const deviation = deviationOf(each, own);
      return deviation ? { ...each, deviation } : each;
    }),
    deviations: { file, stale, entries: used },
  };
}

/** Whether an entry makes the run nonconformant until somebody changes the file. */
export function entryGates({ status }: UsedEntry, stale: UsedDeviations['stale']): boolean {
  return status === 'expired' || status === 'unknown' || (status === 'stale' && stale === 'fail');
}

/** Whether an entry has to be changed before the run can be green. That includes one that permits fewer failures than there are. */
export function mustChange(entry: UsedEntry, stale: UsedDeviations['stale']): boolean {
  return entryGates(entry, stale) || entry.status === 'exceeded';
}

interface Fate {
  readonly status: UsedEntry['status'];
  /** What to change in the entry, or why it does not apply. */
  readonly why?: string;
}

function judgeEntry(entry: Listed, found: RunRequirement | undefined, { target, day }: TargetAndDay): Fate {
  const { requirement: id, until, targets, owner } = entry;
  if (!isRequirementId(id)) {
    const why = `there is no requirement "${id}": correct it or remove the entry (the command list prints all ids; those of your own need --checks)`;
    return { status: 'unknown', why };
  }
  if (targets && !targets.some((each) => fits(each, target))) return { status: 'other-target' };
  if (!found) return { status: 'not-judged' };
  if (until < day) {
    const why = `${id} was accepted until ${until}, which is past: have it mended, or agree on a new date (owner: ${owner})`;
    return { status: 'expired', why };
  }
  if (found.verdict !== 'passed' && found.verdict !== 'failed') return { status: 'not-judged' };
  return entry.list === 'flaky' ? judgeFlaky(entry, found) : judgeDeviation(entry, found);
}

function judgeDeviation(entry: Listed, found: RunRequirement): Fate {
  if (failingRows(found).some((row) => covers(entry, row))) return { status: 'accepted' };
  // The rows that the entry means may be among those that could not run.
  if (hasUnjudgedRows(found)) return { status: 'not-judged' };
  const what =
    found.verdict === 'passed'
      ? `${entry.requirement} passes now`
      : `no failing row of ${entry.requirement} matches (failing: ${failingRows(found)
          .map(({ title }) => `"${title}"`)
          .join(', ')})`;
  return { status: 'stale', why: `${what}: remove the entry (the command deviations prune does it)` };
}

function judgeFlaky({ requirement: id, rate = 0 }: Listed, found: RunRequirement): Fate {
  if (found.verdict === 'passed') return { status: 'unused' };
  const verdicts = attemptsOf(found);
  const sample = sampleFor(rate);
  if (isPermitted(verdicts, sample)) return { status: 'accepted' };
  const failed = verdicts.filter((each) => each === 'failed').length;
  const why =
    failed > sample.permitted
      ? `${id} failed in ${failed} of ${verdicts.length} further attempts; the rate ${rate} permits ${sample.permitted} of ${sample.attempts}`
      : `${id} could not be asked again often enough to tell whether it is flaky`;
  return { status: 'exceeded', why };
}

/** The deviation of a requirement in run.json: the accepted one, or else the entry that has to be changed. */
function deviationOf(requirement: RunRequirement, entries: readonly UsedEntry[]): Deviation | undefined {
  const accepted = entries.filter(({ status }) => status === 'accepted');
  const covered = failingRows(requirement).every((row) => accepted.some((entry) => covers(entry, row)));
  const [first] = accepted;
  const shown =
    first && covered ? first : entries.find(({ status }) => status === 'stale' || status === 'expired');
  if (!shown) return undefined;
  const { owner, until, link, status, rate } = shown;
  const attempts = attemptsOf(requirement);
  const failed = attempts.filter((each) => each === 'failed').length;
  return {
    reason: shown.reason ?? 'known to fail now and then',
    owner,
    until,
    status: status as Deviation['status'],
    link,
    flaky: rate === undefined ? undefined : { rate, failed, attempts: attempts.length },
  };
}

/** The rows that failed; a check that failed without rows counts as one. */
export function failingRows({ checks }: Pick<RunRequirement, 'checks'>): readonly Row[] {
  return checks.flatMap((check): readonly Row[] => {
    const rows = check.rows.filter(({ verdict }) => verdict === 'failed');
    return rows.length > 0 || check.verdict !== 'failed' ? rows : [check];
  });
}

/** Whether a part of a requirement could not be judged: accepting its failures does not cover that part. */
export function hasUnjudgedRows({ checks }: Pick<RunRequirement, 'checks'>): boolean {
  return checks.some(({ verdict, rows }) =>
    [verdict, ...rows.map((row) => row.verdict)].includes('could-not-run'),
  );
}

function covers({ match }: Listed, { title, message = '' }: Row): boolean {
  if (match === undefined) return true;
  return [match].flat().some((each: Match) => {
    if (typeof each === 'string') return fits(each, title);
    return fits(each.title ?? '*', title) && fits(each.message ?? '*', message);
  });
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

/** Sentences about entries of the deviations file that have to be changed before the run can be green. */
export function entriesToChange({ deviations }: Run): string[] {
  if (!deviations) return [];
  return deviations.entries.filter((each) => mustChange(each, deviations.stale)).map(({ says = '' }) => says);
}

/** Sentences about entries that may be changed: stale ones under `--stale warn`. */
export function entriesToLookAt({ deviations }: Run): string[] {
  if (!deviations) return [];
  return deviations.entries
    .filter((each) => each.status === 'stale' && !entryGates(each, deviations.stale))
    .map(({ says = '' }) => says);
}
