/** Merges runs of one target, such as the shards of a run, into one run that is judged anew. */
import { gaps, isGapId } from '../../openapi/gaps/register.ts';
import { adopted, catalogue, checked, isRequirementId } from '../../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../../record/check-result.ts';
import { ConfigurationError } from '../../record/errors.ts';
import { contractCheckTitle } from '../concluding/conclude.ts';
import { allOf } from '../concluding/outcome.ts';
import { mergedRecheck } from '../concluding/recheck.ts';
import type { Deviations } from '../run/deviations.ts';
import type { Run } from '../run/run.ts';
import { assemble } from './assemble.ts';
import type { Earlier } from './earlier.ts';
import type { RunRecord } from './record.ts';

/** What the merged run is compared with. Without `deviations`, those of the shards count. */
type Held = Pick<Earlier, 'deviations' | 'baseline' | 'drift'>;

/**
 * One run with the exchanges and results of all runs. It is full when together they report on every requirement
 * that has a check.
 * @throws ConfigurationError when the runs have different targets, or different versions of suite or contract,
 * contain unknown open questions, or were compared with a baseline that is not given
 */
export function merge(runs: readonly [Run, ...Run[]], held: Held = {}): Run {
  const [first] = runs;
  for (const other of runs) refuseDifferent(first, other);
  refuseUnknown(runs);
  if (!held.baseline && runs.some(({ baseline }) => baseline))
    throw new ConfigurationError(
      'shards were compared with a baseline: name it for the whole too (--baseline). Their own drift does not count, since what one shard lacks another may have seen',
    );
  let before = 0;
  const shards = runs.map((shard): Run => {
    const { exchanges, created, requirements, own, gaps } = shard;
    const moved = withIndexesMoved(before, { exchanges, created, requirements, own, gaps });
    before += exchanges.length;
    return { ...shard, ...moved };
  });
  const reported = new Set<string>(runs.flatMap((run) => allOf(run).map(({ id }) => id)));
  const full = checked.every(({ id }) => reported.has(id));
  const reportedOwn = runs.flatMap((run) => run.own?.requirements ?? []);
  const own = adopted().filter(({ id }) => reportedOwn.some((each) => each.id === id));
  const merged = assemble({
    catalogue,
    own,
    gaps,
    suite: first.suite,
    contract: first.contract,
    record: recordOf(shards, first),
    results: shards.flatMap(resultsOf),
    ...(full
      ? {}
      : { selection: [...catalogue, ...own].filter(({ id }) => reported.has(id)).map(({ id }) => id) }),
    strict: runs.some(({ strict }) => strict),
    since: first.since,
    durationMs: span(runs),
    interrupted: runs.some(wasInterrupted),
    problems: [...new Set(runs.flatMap(({ problems }) => problems))],
    deviations: held.deviations ?? deviationsOf(runs),
    baseline: held.baseline,
    drift: held.drift,
  });
  return { ...merged, recheck: mergedRecheck(merged, runs) };
}

/** Whether a run was interrupted. Runs of earlier versions do not say so: there, a check is missing without an error. */
function wasInterrupted({ interrupted, requirements }: Run): boolean {
  return (
    interrupted ?? requirements.some((each) => each.verdict === 'could-not-run' && each.checks.length === 0)
  );
}

function deviationsOf(runs: readonly Run[]): Deviations | undefined {
  const [first] = runs.flatMap(({ deviations }) => deviations ?? []);
  if (!first) return undefined;
  const entries = runs.flatMap(({ deviations }) => deviations?.entries ?? []);
  const written = entries.map(({ status: _, says: __, ...entry }) => entry);
  const places = new Map(written.map((entry) => [`${entry.line} ${entry.requirement}`, entry]));
  return { ...first, entries: [...places.values()] };
}

/** The records of all runs as one. */
function recordOf(runs: readonly Run[], { target, seed, startedAt, unlocks }: Run): RunRecord {
  const all = runs.flatMap((run) => run.gaps);
  return {
    target,
    seed,
    startedAt: runs.map((run) => run.startedAt).sort()[0] ?? startedAt,
    exchanges: runs.flatMap((run) => run.exchanges),
    deliveries: runs.flatMap((run) => run.deliveries),
    unattributed: runs.flatMap((run) => run.unattributed ?? []),
    created: runs.flatMap((run) => run.created),
    observations: all.flatMap(({ id, observations }) => observations.map((each) => ({ gap: id, ...each }))),
    // Runs of earlier versions have the status without the words.
    answeredByProfile: all
      .filter(({ profile, status }) => profile !== undefined || status === 'answered-by-profile')
      .map(({ id, profile = '' }) => ({ gap: id, says: profile })),
    retries: runs.reduce((sum, { counts }) => sum + counts.retries, 0),
    warnings: [...new Set(runs.flatMap((run) => run.warnings))],
    mustRun: [...new Set(runs.flatMap(({ mustRun }) => mustRun ?? []))],
    unlocks,
  };
}

/** The results of the checks; breaks of the contract are found again in the exchanges. */
function resultsOf(run: Run): CheckResult[] {
  return allOf(run).flatMap(({ id, checks }) =>
    isRequirementId(id)
      ? checks.filter(({ title }) => title !== contractCheckTitle).map((check) => ({ ...check, id }))
      : [],
  );
}

/** Members whose numbers are indexes of exchanges; `of` has other values too. */
const indexMembers = new Set(['index', 'madeFor', 'exchange', 'exchanges', 'also', 'twin', 'of']);

/** A part of a run with its indexes of exchanges increased by `offset`. */
function withIndexesMoved<Part>(offset: number, part: Part): Part {
  const moved = (value: unknown, key: string): unknown => {
    if (typeof value === 'number') return indexMembers.has(key) ? value + offset : value;
    if (Array.isArray(value)) return value.map((each) => moved(each, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([each, inner]) => [each, moved(inner, each)]));
  };
  return moved(part, '') as Part;
}

function span(runs: readonly Run[]): number {
  const starts = runs.map(({ startedAt }) => Date.parse(startedAt));
  const ends = runs.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs);
  return Math.max(...ends) - Math.min(...starts);
}

/** Refuses runs with an unknown open question; all runs of one version have the same ones. */
function refuseUnknown(runs: readonly Run[]): void {
  const unknown = runs.flatMap((run) => run.gaps.map(({ id }) => id)).find((id) => !isGapId(id));
  if (unknown === undefined) return;
  throw new ConfigurationError(
    `runs that answer ${unknown} cannot be merged: this version has no such question`,
  );
}

function refuseDifferent(one: Run, other: Run): void {
  const differences = [
    [
      'targets',
      `${one.target.name}, ${one.target.profileHash}`,
      `${other.target.name}, ${other.target.profileHash}`,
    ],
    ['versions of the suite', one.suite.version, other.suite.version],
    ['versions of the contract', one.contract.version, other.contract.version],
  ] as const;
  for (const [what, left, right] of differences) {
    if (left !== right)
      throw new ConfigurationError(`runs of different ${what} cannot be merged: ${left} and ${right}`);
  }
}
