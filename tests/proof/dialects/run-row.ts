/** Runs all checks against the service of one row, and tells what did not pass. */
import type { Verdict } from '../../../record/verdict.ts';
import { loadChecks } from '../../running/load-checks.ts';
import { chosenChecks, runChecks } from '../../running/run-checks.ts';
import { judged } from '../faults/run-fault.ts';
import { expected } from './expected.ts';
import { withDialect } from './session.ts';

export interface RowJob {
  /** Name of the row. */
  readonly row: string;
}

/** Something that did not pass. */
export interface Found {
  readonly id: string;
  readonly verdict: Verdict;
  readonly message: string;
  /** A case in which a compliant service cannot be checked. */
  readonly expected: boolean;
}

export interface RowResult {
  readonly row: string;
  /** How many requirements have which verdict. */
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  readonly found: readonly Found[];
}

/** Checks at the same time, as in a run of the command line. */
const atOnce = 8;

const checks = loadChecks();

export async function runRow({ row }: RowJob): Promise<RowResult> {
  const counts: Partial<Record<Verdict, number>> = {};
  const found: Found[] = [];
  const add = (id: string, verdict: Verdict, message: string) =>
    found.push({ id, verdict, message, expected: isExpected(row, verdict, message) });
  await withDialect(row, async (session) => {
    const facts = await session.facts();
    const results = await runChecks(chosenChecks(await checks, undefined, facts), {
      session,
      facts,
      atOnce,
      stop: new AbortController().signal,
      broken: (problem) => add('an observation', 'error', problem),
    });
    for (const { id, verdict, reason, checks: of } of judged(results, session)) {
      counts[verdict] = (counts[verdict] ?? 0) + 1;
      if (verdict === 'passed' || verdict === 'not-applicable') continue;
      const rows = of.flatMap(({ rows: each }) => each.filter((one) => one.verdict === verdict));
      for (const { title, message = '' } of rows) add(id, verdict, `${title}: ${message}`);
      if (rows.length === 0) add(id, verdict, reason ?? of[0]?.message ?? '');
    }
  });
  return { row, counts, found };
}

function isExpected(row: string, verdict: Verdict, message: string): boolean {
  const bare = row.startsWith('bare-');
  return (
    verdict === 'could-not-run' && expected.some((each) => (bare || !each.bare) && each.says.test(message))
  );
}
