/** Runs the checks of a run in this process, without Playwright: some at the same time, until they are done or somebody asks to stop. */
import { once } from 'node:events';
import { Check } from '../harness/judging/check.ts';
import { partsOf } from '../harness/judging/parts.ts';
import type { RunFacts, Session } from '../harness/judging/session.ts';
import { isJudgedByFlows, isOwn, requirement } from '../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../record/check-result.ts';
import type { LoadedCheck } from './load-checks.ts';

export interface RunningChecks {
  readonly session: Session;
  readonly facts: RunFacts;
  /** In which failures are confirmed; absent: the run itself. */
  readonly round?: number;
  /** Checks at the same time; at least 1. */
  readonly atOnce: number;
  /** What is under way when it is aborted tells nothing. */
  readonly stop: AbortSignal;
  readonly begun?: (check: LoadedCheck) => void;
  readonly ended?: (results: readonly CheckResult[]) => void;
  /** Takes what an observation threw: a mistake of the suite. */
  readonly broken: (title: string, error: unknown) => void;
}

/** The checks that a run is about: `must`s and what takes long first, since a budget may not be enough for all. */
export function chosenChecks(
  checks: readonly LoadedCheck[],
  only: readonly string[] | undefined,
  { explore, smoke }: Pick<RunFacts, 'explore' | 'smoke'>,
): readonly LoadedCheck[] {
  const chosen = checks.filter(({ ids, tags }) => {
    if (only) return ids.some((id) => only.includes(id));
    return ids.length > 0 || (!smoke && (explore || !tags.includes('@explore')));
  });
  const rank = ({ ids, tags }: LoadedCheck) => {
    if (ids.length === 0) return tags.includes('@patient') ? 0 : 2;
    // A team's own come last, so that they take nothing from the others.
    if (ids.some(isOwn)) return 3;
    return ids.some((id) => requirement(id).level === 'must') ? 0 : 1;
  };
  return chosen.toSorted((one, other) => rank(one) - rank(other));
}

const isOfFlows = ({ ids: [id] }: LoadedCheck) =>
  id !== undefined && !isOwn(id) && isJudgedByFlows(requirement(id));

/** The results in the order in which the checks ended. */
export async function runChecks(
  checks: readonly LoadedCheck[],
  { session, facts, round = 0, atOnce, stop, begun, ended, broken }: RunningChecks,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  const work = async (check: LoadedCheck): Promise<void> => {
    begun?.(check);
    try {
      const of = await runCheck(check, { session, facts, round });
      if (stop.aborted) return;
      results.push(...of);
      ended?.(of);
    } catch (error) {
      broken(check.title, error);
    }
  };
  const calling = checks.filter((check) => !isOfFlows(check));
  const next = async (): Promise<void> => {
    for (let check = calling.shift(); check && !stop.aborted; check = calling.shift()) await work(check);
  };
  // Those that wait for flows call nobody, and take nobody's place.
  const all = Promise.all([...checks.filter(isOfFlows).map(work), ...Array.from({ length: atOnce }, next)]);
  await Promise.race([all, stop.aborted || once(stop, 'abort')]);
  return results;
}

/**
 * What one check reports; an error of the suite itself is one of its results.
 * @throws what an observation threw, which reports nothing
 */
export async function runCheck(
  { title, tags, ids, body }: LoadedCheck,
  { session, facts, round = 0 }: Pick<RunningChecks, 'session' | 'facts' | 'round'>,
): Promise<readonly CheckResult[]> {
  const check = new Check({ title, tags }, round);
  const parts = partsOf({ session, facts, check });
  const reason = check.notApplicable(facts);
  let thrown: readonly unknown[] = [];
  if (reason === undefined || (await parts.evidence.isViolated())) {
    await body(parts).catch((error: unknown) => {
      thrown = [error];
    });
  } else {
    check.skip(reason);
  }
  const results = check.results({ broke: thrown.length > 0 });
  if (results.length > 0) return results;
  if (!check.judges && thrown.length > 0) throw thrown[0];
  const message = thrown.length > 0 ? String(thrown[0]) : 'the check reported nothing';
  return ids.map((id) => ({ id, title, verdict: 'error', message, durationMs: 0, rows: [] }));
}
