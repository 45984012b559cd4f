/** Puts a run together from catalogue, gap register, results of the checks and the record of the run host. */
import { byValue, type Observation } from '../../openapi/observation.ts';
import { areaOf, type CatalogueEntry, isOwn } from '../../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../../record/check-result.ts';
import { counted } from '../../record/counted.ts';
import type { Exchange } from '../../record/exchange.ts';
import { grouped } from '../../record/grouped.ts';
import { type Baseline, baselineOf, headOf } from '../accepted/baseline.ts';
import { type DriftOptions, driftBetween } from '../accepted/drift.ts';
import { causesOf } from '../concluding/causes.ts';
import { concludeRequirement } from '../concluding/conclude.ts';
import { applyDeviations } from '../concluding/deviations-judge.ts';
import { countMusts, countRequirements, outcomeOf, ownOf } from '../concluding/outcome.ts';
import { recheckOf } from '../concluding/recheck.ts';
import { examinedOf, standing } from '../concluding/scope.ts';
import type { Deviations } from '../run/deviations.ts';
import { type Run, type RunGap, type RunRequirement, schemaVersion } from '../run/run.ts';
import type { RunRecord } from './record.ts';

const interruptedWarning = 'the run was interrupted: what is missing is not judged';

export interface Material {
  readonly catalogue: readonly CatalogueEntry[];
  readonly own?: readonly CatalogueEntry[];
  readonly gaps: readonly { readonly id: string; readonly question: string }[];
  readonly suite: Run['suite'];
  readonly contract: Run['contract'];
  readonly record: RunRecord;
  readonly results: readonly CheckResult[];
  /** Ids of the selected requirements; absent: the whole catalogue. */
  readonly selection?: readonly string[];
  readonly strict: boolean;
  /** Requirements that came after this version of the suite do not gate. */
  readonly since?: string;
  readonly durationMs: number;
  readonly interrupted: boolean;
  /** Errors of the suite itself outside of any check. */
  readonly problems: readonly string[];
  readonly deviations?: Deviations;
  readonly baseline?: Baseline;
  readonly drift?: Pick<DriftOptions, 'strict' | 'factor'>;
  readonly recheck?: Run;
}

/** The run as run.json has it. Pure: the same material gives the same run. */
export function assemble(material: Material): Run {
  const { catalogue, own = [], record, results, selection, strict, since, interrupted } = material;
  const all = [...catalogue, ...own];
  const selected = selection ? all.filter((entry) => selection.includes(entry.id)) : all;
  const broken = violationsByRequirement(record.exchanges);
  const judged = selected.map((entry) => ({
    ...concludeRequirement(entry, {
      results: results.filter((result) => result.id === entry.id),
      broken: broken.get(entry.id) ?? [],
      interrupted,
      mustRun: record.mustRun ?? [],
      confirmation: record.confirmation,
      exchanges: record.exchanges,
    }),
    newer: (since !== undefined && isAfter(entry.since, since)) || undefined,
  }));
  const situation = { target: record.target.name, day: record.startedAt.slice(0, 10) };
  const applied = material.deviations && applyDeviations(judged, material.deviations, situation);
  const reached = applied?.requirements ?? judged;
  const requirements = reached.filter(({ id }) => !isOwn(id));
  const theirs = reached.filter(({ id }) => isOwn(id));
  const used = applied?.deviations;
  const [first] = theirs;
  const ownPart = first
    ? { own: ownOf(areaOf(first.id), { requirements: theirs, strict, interrupted, deviations: used }) }
    : {};
  const problems = [...material.problems, ...(record.problems ?? []), ...contradictions(material, broken)];
  const scope = selection ? 'partial' : 'full';
  const expected = selected.filter((entry) => 'check' in entry && !isOwn(entry.id)).map(({ id }) => id);
  const reported = new Set<string>(results.map((result) => result.id));
  const causes = causesOf({ requirements: reached, exchanges: record.exchanges });
  const run: Run = {
    schemaVersion,
    suite: material.suite,
    contract: material.contract,
    target: record.target,
    scope,
    selection,
    strict,
    since,
    seed: record.seed,
    startedAt: record.startedAt,
    durationMs: material.durationMs,
    ...outcomeOf({ requirements, scope, strict, problems, interrupted, deviations: used, ...ownPart }),
    counts: {
      requirements: countRequirements(requirements),
      musts: countMusts(requirements, catalogue),
      checks: { expected: expected.length, reported: expected.filter((id) => reported.has(id)).length },
      exchanges: record.exchanges.length,
      signatureRequestsCreated: record.created.filter((object) => object.kind === 'request').length,
      retries: record.retries,
    },
    requirements,
    ...ownPart,
    gaps: material.gaps.map((gap) => observe(gap, record)),
    exchanges: record.exchanges,
    deliveries: record.deliveries,
    unattributed: record.unattributed?.length ? record.unattributed : undefined,
    created: record.created,
    causes: causes.length > 0 ? causes : undefined,
    interrupted: interrupted || undefined,
    warnings: warnings(material, reached, broken),
    problems,
    unlocks: record.unlocks,
    explored: record.explored,
    mustRun: record.mustRun?.length ? record.mustRun : undefined,
    deviations: applied?.deviations,
    recheck: material.recheck && recheckOf(material.recheck, requirements),
  };
  return withStanding(material.baseline ? compared(run, material.baseline, material) : run);
}

export function withStanding(run: Run): Run {
  return { ...run, standing: standing(run), examined: examinedOf(run.requirements) };
}

/** The run with its drift from the baseline, which may change the verdict. */
function compared(run: Run, baseline: Baseline, { drift: options, selection, interrupted }: Material): Run {
  const found = driftBetween(baseline, baselineOf(run), { ...options, selection });
  // A check that an interrupted run did not reach has not vanished.
  const drift = interrupted ? found.filter(({ kind }) => kind !== 'check') : found;
  return { ...run, ...outcomeOf({ ...run, interrupted, drift }), baseline: headOf(baseline), drift };
}

/** The exchanges that break the contract, by the requirement that is marked at the broken place. */
export function violationsByRequirement(
  exchanges: readonly Exchange[],
): ReadonlyMap<string, readonly Exchange[]> {
  // Answers to calls of a team's own checks are left out, since these calls may be anything.
  const breaks = exchanges
    .filter(({ check }) => !isOwn(check))
    .flatMap((exchange) =>
      [...new Set(exchange.violations.map(({ requirement }) => requirement))].map((id) => ({ id, exchange })),
    );
  const byId = [...grouped(breaks, ({ id }) => id)];
  return new Map(byId.map(([id, each]) => [id, each.map(({ exchange }) => exchange)]));
}

function observe(gap: { readonly id: string; readonly question: string }, record: RunRecord): RunGap {
  const observations = byKey(record.observations.filter((observation) => observation.gap === gap.id));
  const answered = record.answeredByProfile.find((each) => each.gap === gap.id);
  const unseen = answered ? 'answered-by-profile' : 'unobserved';
  return {
    id: gap.id,
    question: gap.question,
    status: observations.length > 0 ? 'observed' : unseen,
    profile: answered?.says,
    observations,
  };
}

/** Ids and indexes in the material that refer to nothing: mistakes of the suite, never of the target. */
function contradictions(material: Material, broken: ReadonlyMap<string, unknown>): string[] {
  const { catalogue, own = [], gaps, record, results } = material;
  const ids = new Set<string>([...catalogue, ...own].map((entry) => entry.id));
  const gapIds = new Set(gaps.map((gap) => gap.id));
  const indexes = [
    ...[...results, ...(record.confirmation?.rounds ?? []).flatMap((round) => round.results)].flatMap(
      (result) => result.rows.flatMap((row) => row.exchanges),
    ),
    ...record.observations.flatMap((observation) => observation.exchanges),
  ];
  return [
    ...results
      .filter((result) => !ids.has(result.id))
      .map(({ id }) => `a check reported on ${id}, which is no requirement`),
    ...[...broken.keys()]
      .filter((id) => !ids.has(id))
      .map((id) => `the contract is marked with ${id}, which is no requirement`),
    ...new Set([
      ...record.observations
        .filter((each) => !gapIds.has(each.gap))
        .map((each) => `an observation speaks of ${each.gap}, which is no gap`),
      ...indexes
        .filter((index) => !record.exchanges[index])
        .map((index) => `exchange ${index} is referred to but was not recorded`),
    ]),
    ...record.exchanges
      .filter((each, position) => each.index !== position)
      .slice(0, 1)
      .map((each) => `exchange ${each.index} was recorded out of order`),
  ];
}

/** Whether a version is a later one; both are of the form 1.2.3. */
function isAfter(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) > 0;
}

function newerWarning(requirements: readonly RunRequirement[], since: string | undefined): string[] {
  const newer = requirements.filter((each) => each.newer);
  if (newer.length === 0) return [];
  const bad = newer.filter(({ verdict }) => verdict === 'failed' || verdict === 'could-not-run');
  const named =
    bad.map(({ id, verdict }) => `${id} ${verdict}`).join(', ') || 'all of them passed or do not apply';
  return [
    `${counted(newer.length, 'requirement')} newer than ${since} without effect on the verdict: ${named}`,
  ];
}

function warnings(
  { catalogue, record, interrupted, since }: Material,
  requirements: readonly RunRequirement[],
  broken: ReadonlyMap<string, readonly Exchange[]>,
): string[] {
  const judged = new Set(requirements.map((requirement) => requirement.id));
  const leftOut = catalogue.filter(({ id }) => !judged.has(id) && broken.has(id));
  return [
    ...new Set([...record.warnings, ...(interrupted ? [interruptedWarning] : [])]),
    ...newerWarning(requirements, since),
    ...leftOut.map(
      ({ id }) => `exchange ${broken.get(id)?.[0]?.index} breaks ${id}, which this selection leaves out`,
    ),
  ];
}

type Seen = RunGap['observations'][number];

/**
 * One entry for each key. Where all observations agree, the value stays as it is; otherwise it is the sorted list of the
 * different values, with lists taken apart. A key is stable only if each of its observations is.
 */
export function byKey(observations: readonly Omit<Observation, 'gap'>[]): Seen[] {
  // Sorted, since the order of calls differs from run to run.
  const sorted = [...grouped(observations, ({ key }) => key)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return sorted.map(([key, group]) => ({
    key,
    value: together(group.map(({ value }) => value)),
    stability: group.every(({ stability }) => stability === 'stable') ? 'stable' : 'volatile',
    exchanges: [...new Set(group.flatMap(({ exchanges }) => exchanges))],
  }));
}

function together(values: readonly Seen['value'][]): Seen['value'] {
  const [first] = values;
  const alike = values.every((value) => JSON.stringify(value) === JSON.stringify(first));
  if (alike && first !== undefined) return first;
  const parts = values.flat().map((value) => (typeof value === 'boolean' ? String(value) : value));
  return [...new Set(parts)].sort(byValue);
}
