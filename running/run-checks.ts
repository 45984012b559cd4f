/** Runs the checks in this process, without Playwright: some at the same time, until all are done or the run is stopped. */
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
  /** The round of confirmation; absent: the run itself. */
  readonly round?: number;
  /** Checks at the same time; at least 1. */
  readonly atOnce: number;
  /** Stops the run. Checks that are still running then give no result. */
  readonly stop: AbortSignal;
  readonly begun?: (check: LoadedCheck) => void;
  readonly ended?: (results: readonly CheckResult[]) => void;
  /** Called with the error of an observation, which is a mistake of the suite. */
  readonly broken: (title: string, error: unknown) => void;
}

/** The checks of a run. `must`s and slow checks come first, since a budget may not be enough for all. */
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
    // Checks of a team's own come last, so that they use up no budget of the others.
    if (ids.some(isOwn)) return 3;
    return ids.some((id) => requirement(id).level === 'must') ? 0 : 1;
  };
  return chosen.toSorted((one, other) => rank(one) - rank(other));
}

const isOfFlows = ({ tags, ids: [id] }: LoadedCheck) =>
  tags.includes('@flows') || (id !== undefined && !isOwn(id) && isJudgedByFlows(requirement(id)));

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
  // Checks that wait for flows make no calls, so they are not counted among those at the same time.
  const all = Promise.all([...checks.filter(isOfFlows).map(work), ...Array.from({ length: atOnce }, next)]);
  await Promise.race([all, stop.aborted || once(stop, 'abort')]);
  return results;
}

/** The results of one check, also where the suite breaks. @throws the error of an observation, which has no results */
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
