/** Runs one check in a session, without Playwright. */

import { Check } from '../../harness/judging/check.ts';
import { partsOf } from '../../harness/judging/parts.ts';
import type { Session } from '../../harness/judging/session.ts';
import type { RunFacts } from '../../harness/target/run-facts.ts';
import type { CheckResult } from '../../record/check-result.ts';
import type { LoadedCheck } from './load-checks.ts';

/** @param round in which failures are confirmed; 0 in the run itself */
export interface CheckSurroundings {
  readonly session: Session;
  readonly facts: RunFacts;
  readonly round?: number;
}

/**
 * What one check reports; an error of the suite itself is one of its results.
 * @throws what an observation threw, which reports nothing
 */
export async function runCheck(
  { title, tags, ids, body }: LoadedCheck,
  { session, facts, round = 0 }: CheckSurroundings,
): Promise<readonly CheckResult[]> {
  const handed: CheckResult[] = [];
  const errors: unknown[] = [];
  const check = new Check(
    {
      title,
      tags: [...tags],
      errors,
      setTimeout: () => {},
      attach: async (_, { body: results } = {}) => {
        handed.push(...(JSON.parse(String(results)) as CheckResult[]));
      },
    },
    round,
  );
  const parts = partsOf({ session, facts, check });
  const reason = check.notApplicable(facts);
  if (reason === undefined || (await parts.evidence.isViolated())) {
    try {
      await body(parts);
    } catch (error) {
      errors.push(error);
    }
  } else {
    check.skip(reason);
  }
  await check.conclude();
  if (handed.length > 0) return handed;
  const [error] = errors;
  if (!check.judges) {
    if (error !== undefined) throw error;
    return [];
  }
  const message = error === undefined ? 'the check reported nothing' : String(error);
  return ids.map((id) => ({ id, title, verdict: 'error', message, durationMs: 0, rows: [] }));
}
