/** Compares a run with a baseline: changes in documented behaviour, and changes where the document is silent. */
import type { Drift } from '../run/run.ts';
import type { Baseline, Standing } from './baseline.ts';

export interface DriftOptions {
  /** Changes where the document is silent gate too. */
  readonly strict?: boolean;
  /** Volatile numbers that grew or shrank by more than this factor are drift; absent: they never are. */
  readonly factor?: number;
  /** The ids of a partial run: other requirements are not expected in it. */
  readonly selection?: readonly string[];
}

export function driftBetween(before: Baseline, after: Baseline, options: DriftOptions = {}): Drift[] {
  return [
    ...requirementDrift(before, after, options),
    ...checkDrift(before, after, options),
    ...observationDrift(before, after, options),
  ];
}

/** Stands for a value that only the other side has. */
const absent = '(absent)';

function sameSuite(before: Baseline, after: Baseline): boolean {
  return before.suite.version === after.suite.version && before.contract.version === after.contract.version;
}

/** Standings that say something about the target. */
const judged: readonly Standing[] = ['passed', 'failed', 'deviation'];

type Entry = Baseline['requirements'][number];

/** Requirements come from the catalogue, so the suite is the cause when one was added or removed, never the target. */
const ofSuite = { gating: false, kind: 'verdict', cause: 'suite' } as const;

function requirementDrift(before: Baseline, after: Baseline, options: DriftOptions): Drift[] {
  const now = byId(after);
  const then = byId(before);
  const cause = causeOf(before, after);
  const changed = before.requirements.flatMap((old): Drift[] => {
    const { id, standing } = old;
    const current = now.get(id);
    if (!current) return options.selection ? [] : [{ id, before: standing, after: absent, ...ofSuite }];
    if (standing === current.standing) return [];
    const gating = isRegression(old, current, options, cause);
    return [{ id, before: standing, after: current.standing, gating, kind: 'verdict', cause }];
  });
  const added = after.requirements
    .filter(({ id }) => !then.has(id))
    .map(({ id, standing }): Drift => ({ id, before: absent, after: standing, ...ofSuite }));
  return [...changed, ...added];
}

/**
 * Documented behaviour got worse, or is not shown any more. A requirement that could not run proves neither: such a run
 * is incomplete anyway. A `should` gates only with `strict`. A new version of the suite may need more of the profile,
 * so a requirement that became not-applicable with it is no regression by itself.
 */
function isRegression(
  old: Entry,
  current: Entry,
  { strict = false }: DriftOptions,
  cause: Drift['cause'],
): boolean {
  if (!judged.includes(old.standing) || (current.level === 'should' && !strict)) return false;
  if (current.standing === 'failed') return true;
  return current.standing === 'not-applicable' && (cause === 'target' || strict);
}

/** Checks that the baseline has and the run has not, although their requirement is still judged. */
function checkDrift(before: Baseline, after: Baseline, { strict = false }: DriftOptions): Drift[] {
  const now = byId(after);
  const cause = sameSuite(before, after) ? 'target' : 'suite';
  return before.requirements.flatMap(({ id, level, checks }) => {
    const current = now.get(id);
    // A requirement without any check has another verdict now, which is reported already.
    if (!current || current.checks.length === 0) return [];
    const reported = new Set(current.checks);
    const gating = cause === 'target' && (level === 'must' || strict);
    return checks
      .filter((title) => !reported.has(title))
      .map((key): Drift => ({ id, key, before: 'reported', after: absent, gating, kind: 'check', cause }));
  });
}

type Observed = Baseline['observations'][number];

function observationDrift(before: Baseline, after: Baseline, options: DriftOptions): Drift[] {
  const then = observationsByKey(before);
  const now = observationsByKey(after);
  // Missing observations count only in a complete run: elsewhere, a check that could not run may be the reason.
  const complete =
    !options.selection && after.requirements.every(({ standing }) => standing !== 'could-not-run');
  const drift = (one: Observed, from: string, to: string): Drift => ({
    id: one.gap,
    key: one.key,
    before: from,
    after: to,
    gating: options.strict ?? false,
    kind: 'observation',
    cause: causeOf(before, after),
  });
  const changed = before.observations.flatMap((old) => {
    const current = now.get(nameOf(old));
    if (!current) return complete && old.stability === 'stable' ? [drift(old, textOfValue(old), absent)] : [];
    return differs(old, current, options) ? [drift(current, textOfValue(old), textOfValue(current))] : [];
  });
  const appeared = after.observations
    .filter((each) => !then.has(nameOf(each)) && each.stability === 'stable')
    .map((each) => drift(each, absent, textOfValue(each)));
  return [...changed, ...appeared];
}

function differs(old: Observed, current: Observed, { factor }: DriftOptions): boolean {
  if (old.stability === 'volatile' || current.stability === 'volatile')
    return factor !== undefined && ratio(old.value, current.value) > factor;
  return textOfValue(old) !== textOfValue(current);
}

/** By which factor the larger of two numbers is larger; 1 where one is no number. */
function ratio(one: Observed['value'], other: Observed['value']): number {
  if (typeof one !== 'number' || typeof other !== 'number' || one === other) return 1;
  // Numbers below 1 (a millisecond, one repetition) count as 1, since their quotients mean nothing.
  return Math.max(one, other) / Math.max(1, Math.min(one, other));
}

/** An observed value in words; the order of a list means nothing. */
export function shownValue(value: Observed['value']): string {
  if (typeof value !== 'object') return String(value);
  return [...value].map(String).sort().join(' | ');
}

const textOfValue = ({ value }: Observed): string => shownValue(value);

const nameOf = ({ gap, key }: Observed): string => `${gap} ${key}`;

function observationsByKey({ observations }: Baseline): ReadonlyMap<string, Observed> {
  return new Map(observations.map((each) => [nameOf(each), each]));
}

function byId({ requirements }: Baseline): ReadonlyMap<string, Entry> {
  return new Map(requirements.map((each) => [each.id, each]));
}

function causeOf(before: Baseline, after: Baseline): NonNullable<Drift['cause']> {
  return sameSuite(before, after) ? 'target' : 'unclear';
}
