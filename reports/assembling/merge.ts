/** Merges runs of one target, such as the shards of a run, into one run that is judged anew. */
import { gaps, isGapId } from '../../openapi/gaps/register.ts';
import { adopted, catalogue, checked, isRequirementId } from '../../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../../record/check-result.ts';
import { ConfigurationError } from '../../record/errors.ts';
import type { Exchange } from '../../record/exchange.ts';
import { baselineOf } from '../accepted/baseline.ts';
import { driftBetween, shownValue } from '../accepted/drift.ts';
import { contractCheckTitle } from '../concluding/conclude.ts';
import { allOf, conclude } from '../concluding/outcome.ts';
import { mergedRecheck } from '../concluding/recheck.ts';
import type { Deviations } from '../run/deviations.ts';
import type { Drift, Run } from '../run/run.ts';
import { assemble } from './assemble.ts';
import type { Earlier } from './earlier.ts';
import type { RunRecord } from './record.ts';

/** What the whole is held against; what is absent is as the shards had it. */
type Held = Pick<Earlier, 'deviations' | 'baseline' | 'drift'>;

/**
 * One run with the exchanges and results of all. It is full when together they report on every requirement
 * that has a check.
 * @throws ConfigurationError when the runs are of different targets, or of different versions of suite or contract, or
 * hold questions that nobody asked
 */
export function merge(runs: readonly [Run, ...Run[]], held: Held = {}): Run {
  const [first] = runs;
  for (const other of runs) refuseDifferent(first, other);
  refuseUnknown(runs);
  const results: CheckResult[] = [];
  const record = emptyRecord(runs);
  for (const shard of runs) {
    const { exchanges, created, requirements, own, gaps } = shard;
    const parts = { exchanges, created, requirements, own, gaps };
    const run = { ...shard, ...movedBy(record.exchanges.length, parts) };
    append(results, resultsOf(run));
    append(record.exchanges, run.exchanges);
    append(record.deliveries, run.deliveries);
    append(record.created, run.created);
    for (const { id, observations, status, profile } of run.gaps) {
      // Runs of earlier versions do not have the words.
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
  const interrupted = runs.some(wasInterrupted);
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
    interrupted,
    problems: [...new Set(runs.flatMap(({ problems }) => problems))],
    deviations: held.deviations ?? deviationsOf(runs),
    baseline: held.baseline,
    drift: held.drift,
  });
  return withEarlier(merged, runs, interrupted);
}

/** A call takes some hundred thousand arguments, and a run.json of others may list more. */
function append<Item>(list: Item[], more: readonly Item[]): void {
  for (const each of more) list.push(each);
}

/** Runs of earlier versions do not say it: only an interruption leaves a check out without an error. */
function wasInterrupted({ interrupted, requirements }: Run): boolean {
  return (
    interrupted ?? requirements.some((each) => each.verdict === 'could-not-run' && each.checks.length === 0)
  );
}

/** The entries of all, each once. */
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

/** What the checks reported; a break of the contract is found again in the exchanges. */
function resultsOf(run: Run): CheckResult[] {
  return allOf(run).flatMap(({ id, checks }) =>
    isRequirementId(id)
      ? checks.filter(({ title }) => title !== contractCheckTitle).map((check) => ({ ...check, id }))
      : [],
  );
}

/** Members that refer to an exchange, or to several, by their places in the list; `of` stands for other things too. */
const places = new Set(['index', 'madeFor', 'exchange', 'exchanges', 'also', 'twin', 'of']);

/** A part of a run as it is where its exchanges stand so many places further on. */
function movedBy<Part>(offset: number, part: Part): Part {
  const moved = (value: unknown, key: string): unknown => {
    if (typeof value === 'number') return places.has(key) ? value + offset : value;
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

/** Runs of one version know the same questions. */
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

/**
 * The merged run with the recheck of its shards, and with their drift where it was not compared with a baseline
 * itself, and the verdict that follows. The baseline is not in a run, so that then nobody misses what no shard saw.
 */
function withEarlier(merged: Run, shards: readonly Run[], interrupted: boolean): Run {
  const recheck = mergedRecheck(merged, shards);
  if (merged.baseline) return { ...merged, recheck };
  const [baseline, warning] = commonBaseline(shards);
  const drift = baseline ? driftOf(merged, shards) : undefined;
  return {
    ...merged,
    ...conclude({ ...merged, interrupted, drift }),
    warnings: warning ? [...merged.warnings, warning] : merged.warnings,
    baseline,
    drift,
    recheck,
  };
}

/** The one baseline of all shards, or why there is none. */
function commonBaseline(shards: readonly Run[]): [Run['baseline'], string?] {
  const heads = shards.map(({ baseline }) => baseline);
  const [first] = heads.filter((head) => head !== undefined);
  if (!first) return [undefined];
  const alike = heads.filter((head) => JSON.stringify(head) === JSON.stringify(first)).length;
  if (alike === shards.length) return [first];
  const others = heads.filter((head) => head !== undefined).length > alike;
  if (others) {
    return [undefined, 'the shards were compared with different baselines: their drift is left out'];
  }
  return [first, `only ${alike} of ${shards.length} shards were compared with the baseline`];
}

/** Each difference once. What is observed is that of all shards: what one lacks another may have seen. */
function driftOf(merged: Run, shards: readonly Run[]): Drift[] {
  const once = new Map<string, Drift>();
  for (const each of shards.flatMap(({ drift = [] }) => drift)) {
    once.set(JSON.stringify([each.kind, each.id, each.key]), each);
  }
  const now = standings(merged);
  const told = [...once.values()].flatMap((each) => {
    const after = now.get(`${each.kind} ${placeOf(each)}`);
    return after === each.before ? [] : [{ ...each, after: after ?? each.after }];
  });
  const known = new Set(told.flatMap(({ kind, id }) => (kind === 'verdict' ? [id] : [])));
  return [...turned(merged, shards).filter(({ id }) => !known.has(id)), ...told];
}

/** What only the whole shows: a requirement fails by what another shard saw than the one that checked it. */
function turned(merged: Run, shards: readonly Run[]): Drift[] {
  const then = shards
    .filter(({ baseline }) => baseline !== undefined)
    .map((shard) => ({ ...baselineOf(shard), observations: [] }));
  const now = { ...baselineOf(merged), observations: [] };
  return then.flatMap((shard) => {
    const selection = shard.requirements.map(({ id }) => id);
    return driftBetween(shard, now, { selection }).filter(
      ({ kind, id }) => kind === 'verdict' && selection.includes(id),
    );
  });
}

/** What the merged run says of its own, by the kind and place of a difference: what stands first counts. */
function standings({ requirements, gaps: asked }: Run): ReadonlyMap<string, string> {
  const verdicts = requirements.map(({ id, verdict, deviation }) => {
    const standing = deviation?.status === 'accepted' ? 'deviation' : verdict;
    return [`verdict ${placeOf({ id })}`, standing] as const;
  });
  const seen = asked.flatMap(({ id, observations }) =>
    observations.map((each) => [`observation ${placeOf({ id, ...each })}`, shownValue(each.value)] as const),
  );
  return new Map([...verdicts, ...seen].reverse());
}

const placeOf = ({ id, key = '' }: { readonly id: string; readonly key?: string | undefined }) =>
  `${id} ${key}`;
