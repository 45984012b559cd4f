/** Merges runs of one target, such as the shards of a run, into one run that is judged anew. */
import { gaps, isGapId } from '../../openapi/gaps/register.ts';
import { adopted, catalogue, checked, isRequirementId } from '../../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../../record/check-result.ts';
import { ConfigurationError } from '../../record/errors.ts';
import type { Exchange } from '../../record/exchange.ts';
import { contractCheckTitle } from '../concluding/conclude.ts';
import { allOf } from '../concluding/outcome.ts';
import { mergedRecheck } from '../concluding/recheck.ts';
import type { Deviations } from '../run/deviations.ts';
import type { Run } from '../run/run.ts';
import { assemble } from './assemble.ts';
import type { Earlier } from './earlier.ts';
import type { RunRecord } from './record.ts';

/** What the merged run is compared with; without `deviations`, those of the shards count. */
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
  const results: CheckResult[] = [];
  const record = emptyRecord(runs);
  for (const shard of runs) {
    const { exchanges, created, requirements, own, gaps } = shard;
    const parts = { exchanges, created, requirements, own, gaps };
    const run = { ...shard, ...withIndexesMoved(record.exchanges.length, parts) };
    append(results, resultsOf(run));
    append(record.exchanges, run.exchanges);
    append(record.deliveries, run.deliveries);
    append(record.created, run.created);
    for (const { id, observations, status, profile } of run.gaps) {
      // Runs of earlier versions have the status without the words.
      if (profile !== undefined || status === 'answered-by-profile') {
        record.answeredByProfile.push({ gap: id, says: profile ?? '' });
      }
      for (const each of observations) record.observations.push({ gap: id, ...each });
    }
  }
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
    record,
    results,
    ...(full
      ? {}
      : { selection: [...catalogue, ...own].filter(({ id }) => reported.has(id)).map(({ id }) => id) }),
    strict: runs.some(({ strict }) => strict),
    ...(first.since === undefined ? {} : { since: first.since }),
    durationMs: span(runs),
    interrupted: runs.some(wasInterrupted),
    problems: [...new Set(runs.flatMap(({ problems }) => problems))],
    deviations: held.deviations ?? deviationsOf(runs),
    baseline: held.baseline,
    drift: held.drift,
  });
  return { ...merged, recheck: mergedRecheck(merged, runs) };
}

/** Appends in a loop: `push(...more)` fails for some hundred thousand items, and a foreign run.json may have more. */
function append<Item>(list: Item[], more: readonly Item[]): void {
  for (const each of more) list.push(each);
}

/** Whether a run was interrupted. Runs of earlier versions do not say so: there, a check is missing without an error. */
function wasInterrupted({ interrupted, requirements }: Run): boolean {
  return (
    interrupted ?? requirements.some((each) => each.verdict === 'could-not-run' && each.checks.length === 0)
  );
}

/** The entries of all runs, each once. */
function deviationsOf(runs: readonly Run[]): Deviations | undefined {
  const [first] = runs.flatMap(({ deviations }) => deviations ?? []);
  if (!first) return undefined;
  const entries = runs.flatMap(({ deviations }) => deviations?.entries ?? []);
  const written = entries.map(({ status: _, says: __, ...entry }) => entry);
  const places = new Map(written.map((entry) => [`${entry.line} ${entry.requirement}`, entry]));
  return { ...first, entries: [...places.values()] };
}

type Growing<List> = List extends readonly (infer Item)[] ? Item[] : List;
type GrowingRecord = { [Key in keyof RunRecord]: Growing<RunRecord[Key]> } & { exchanges: Exchange[] };

function emptyRecord(runs: readonly [Run, ...Run[]]): GrowingRecord {
  const [first] = runs;
  const warnings = runs.flatMap((run) => run.warnings);
  return {
    target: first.target,
    seed: first.seed,
    startedAt: runs.map(({ startedAt }) => startedAt).sort()[0] ?? first.startedAt,
    exchanges: [],
    deliveries: [],
    unattributed: runs.flatMap(({ unattributed }) => unattributed ?? []),
    created: [],
    observations: [],
    answeredByProfile: [],
    retries: runs.reduce((sum, { counts }) => sum + counts.retries, 0),
    warnings: [...new Set(warnings)],
    mustRun: [...new Set(runs.flatMap(({ mustRun }) => mustRun ?? []))],
    unlocks: [...first.unlocks],
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

/** From the first start to the last end, in milliseconds. */
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
