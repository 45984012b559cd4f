/** Counts, verdict and exit code of a whole run. */
import { type CatalogueEntry, isOwn } from '../../openapi/requirements/catalogue.ts';
import type { Counts, Drift, Run, RunRequirement, RunVerdict, UsedDeviations } from '../run/run.ts';
import { entryGates, hasUnjudgedRows } from './deviations-judge.ts';

/** Meanings of the exit codes; 3 is given before a run starts. */
export const exitCode = { conformant: 0, nonconformant: 1, incomplete: 2, usage: 3, error: 4 } as const;

export type Column = keyof Counts['requirements'];

/** The columns of the counts in the order of a table, with their headings. */
export const columns: Readonly<Record<Column, string>> = {
  passed: 'passed',
  failed: 'failed',
  deviation: 'deviation',
  'could-not-run': 'could not run',
  error: 'error',
  'not-applicable': 'not applicable',
  notTestable: 'not testable',
};

/** The columns that are not empty in a run; those for passed and failed are always there. */
export function columnsOf({ counts, own }: Pick<Run, 'counts' | 'own'>): readonly Column[] {
  return (Object.keys(columns) as Column[]).filter(
    (name) =>
      name === 'passed' || name === 'failed' || counts.requirements[name] + (own?.counts[name] ?? 0) > 0,
  );
}

/** The column of a requirement; each requirement is in exactly one. */
export function column(requirement: RunRequirement): Column {
  if (requirement.notTestable !== undefined) return 'notTestable';
  if (requirement.verdict === 'failed' && requirement.deviation?.status === 'accepted') return 'deviation';
  return requirement.verdict;
}

/** All requirements of a run: those of the interface, then those of a team's own. */
export function allOf({ requirements, own }: Pick<Run, 'requirements' | 'own'>): readonly RunRequirement[] {
  return own ? [...requirements, ...own.requirements] : requirements;
}

export function acceptedDeviations(run: Run): readonly RunRequirement[] {
  return allOf(run).filter((each) => column(each) === 'deviation');
}

export function countRequirements(requirements: readonly RunRequirement[]): Counts['requirements'] {
  const all = requirements.map(column);
  const count = (name: string) => all.filter((each) => each === name).length;
  return Object.fromEntries(Object.keys(columns).map((name) => [name, count(name)])) as Record<
    Column,
    number
  >;
}

/** How many `must`s passed, were applicable in this run, and are testable in the catalogue. */
export function countMusts(
  requirements: readonly RunRequirement[],
  catalogue: readonly CatalogueEntry[],
): Counts['musts'] {
  const musts = requirements.filter((requirement) => requirement.level === 'must');
  return {
    passed: musts.filter((requirement) => requirement.verdict === 'passed').length,
    applicable: musts.filter((requirement) => requirement.verdict !== 'not-applicable').length,
    all: catalogue.filter((entry) => entry.level === 'must' && !('notTestable' in entry)).length,
  };
}

export interface OutcomeFacts {
  readonly requirements: readonly RunRequirement[];
  readonly scope: Run['scope'];
  readonly strict: boolean;
  readonly problems: readonly string[];
  readonly interrupted: boolean;
  readonly deviations?: UsedDeviations;
  readonly drift?: readonly Drift[];
  /** Results of a team's own requirements: they count only in the exit code. */
  readonly own?: Run['own'];
}

/** The verdict of a run: the first of error, nonconformant, incomplete that holds. */
export function outcomeOf(facts: OutcomeFacts): { verdict: RunVerdict; exitCode: number } {
  const { requirements, scope, own } = facts;
  const proves = hasSubstance(requirements, scope) || (own !== undefined && requirements.length === 0);
  const sound = scope === 'partial' ? 'partial' : 'conformant';
  const verdict = troubleOf(facts, (id) => !isOwn(id)) ?? (proves ? sound : 'incomplete');
  const code = verdict === 'partial' ? exitCode.conformant : exitCode[verdict];
  return { verdict, exitCode: worstExit([code, own?.exitCode ?? exitCode.conformant]) };
}

export function ownOf(
  prefix: string,
  facts: Pick<OutcomeFacts, 'requirements' | 'strict' | 'interrupted' | 'deviations'>,
): NonNullable<Run['own']> {
  const { requirements } = facts;
  const code = exitCode[troubleOf({ ...facts, problems: [] }, isOwn) ?? 'conformant'];
  return { prefix, requirements, counts: countRequirements(requirements), exitCode: code };
}

export function worstExit(codes: readonly number[]): number {
  const { error, usage, nonconformant, incomplete, conformant } = exitCode;
  return [error, usage, nonconformant, incomplete].find((each) => codes.includes(each)) ?? conformant;
}

/** @param isMeant tells which entries of the deviations file count here, since the file covers all requirements */
function troubleOf(
  facts: Omit<OutcomeFacts, 'scope' | 'own'>,
  isMeant: (id: string) => boolean,
): 'error' | 'nonconformant' | 'incomplete' | undefined {
  const { requirements, problems, interrupted, deviations, drift = [] } = facts;
  if (problems.length > 0 || requirements.some((each) => each.verdict === 'error')) return 'error';
  if (requirements.some((each) => gates(each, facts))) return 'nonconformant';
  const { stale = 'fail', entries = [] } = deviations ?? {};
  if (entries.some((each) => isMeant(each.requirement) && entryGates(each, stale))) return 'nonconformant';
  if (drift.some(({ gating }) => gating)) return 'nonconformant';
  if (interrupted || requirements.some(isUnfinished)) return 'incomplete';
  return undefined;
}

/** Whether a requirement alone makes the run nonconformant. */
export function gates(
  requirement: RunRequirement,
  { strict, deviations }: Pick<OutcomeFacts, 'strict' | 'deviations'>,
): boolean {
  const status = requirement.deviation?.status;
  if (status === 'expired' || (status === 'stale' && deviations?.stale !== 'warn')) return true;
  if (requirement.verdict !== 'failed' || status === 'accepted' || requirement.newer) return false;
  return requirement.level === 'must' || strict;
}

/** Whether it could not run, wholly or in part. That its failures are accepted does not cover rows that could not run. */
function isUnfinished(requirement: RunRequirement): boolean {
  if (requirement.newer) return false;
  if (requirement.verdict === 'could-not-run') return true;
  return requirement.deviation?.status === 'accepted' && hasUnjudgedRows(requirement);
}

/** Whether a `must` passed, or in a selection without `must`s a `should`. */
function hasSubstance(requirements: readonly RunRequirement[], scope: Run['scope']): boolean {
  const passed = requirements.filter((each) => each.verdict === 'passed');
  if (passed.some((each) => each.level === 'must')) return true;
  const onlyShoulds = requirements.every((each) => each.level === 'should');
  return scope === 'partial' && onlyShoulds && passed.length > 0;
}
