/** Runs failed checks again at the end of a run, in rounds. */
import { targetName } from '../harness/profile/schema.ts';
import { isProduction } from '../harness/profile/smoke.ts';
import type { RunSession } from '../harness/session/run-session.ts';
import type { CheckResult } from '../record/check-result.ts';
import { print } from '../record/print.ts';
import { worst } from '../record/verdict.ts';
import type { ConfirmationRecord, Round } from '../reports/concluding/confirmation.ts';
import {
  type ConfirmationPlan,
  failedIds,
  isSettled,
  planConfirmation,
} from '../reports/concluding/confirmation-plan.ts';
import type { Deviations } from '../reports/run/deviations.ts';
import type { LoadedCheck } from './load-checks.ts';
import { chosenChecks, type RunningChecks, runChecks } from './run-checks.ts';

interface Confirming {
  readonly session: RunSession;
  readonly checks: readonly LoadedCheck[];
  readonly results: readonly CheckResult[];
  readonly only?: readonly string[];
  /** Tells which ids are flaky; those are asked about more often. */
  readonly deviations?: Pick<Deviations, 'entries'>;
  readonly startedAt: string;
  readonly how: Omit<RunningChecks, 'round' | 'broken'>;
}

/** Asks about failures again while the session is still open; `undefined` if nothing failed. */
export async function confirmFailures(run: Confirming): Promise<ConfirmationRecord | undefined> {
  const { session, results, only, deviations, startedAt } = run;
  const failed = failedIds(results, session.recorder.exchanges, only);
  if (failed.length === 0) return undefined;
  if (isProduction(session.profile)) {
    const note = 'not asked again: the profile says environment: production';
    return { rounds: [], notes: Object.fromEntries(failed.map((id) => [id, note])) };
  }
  const situation = { target: targetName(session.profile), day: startedAt.slice(0, 10) };
  return confirm(planConfirmation(failed, deviations, situation), run);
}

/** Asks about the planned failures as often as the plan says, or until the outcome is certain. */
async function confirm(
  { ask, notes }: ConfirmationPlan,
  { session, checks, how }: Confirming,
): Promise<ConfirmationRecord> {
  const rounds: Round[] = [];
  const failures: Record<string, string> = { ...notes };
  const longest = Math.max(0, ...ask.map(({ sample }) => sample.attempts));
  for (let round = 1; round <= longest; round += 1) {
    const open = ask.filter(
      ({ id, sample }) => sample.attempts >= round && !isSettled(verdictsOf(id, rounds), sample),
    );
    if (open.length === 0 || how.stop.aborted) break;
    const ids = open.map(({ id }) => id);
    if (round === 1) print(`asking again about what failed: ${ids.join(' ')}\n`);
    const from = session.beginRound(round);
    const { stages } = session;
    const before = stages.count;
    const again = chosenChecks(checks, ids, how.facts);
    const results = await runChecks(again, {
      ...how,
      round,
      broken: (title, error) => stages.note(title, error),
    });
    rounds.push({ from, results: results.filter(({ id }) => ids.includes(id)) });
    if (stages.count > before) {
      for (const id of ids) failures[id] = `not asked again: ${stages.problems.at(-1)}`;
      break;
    }
  }
  if (how.stop.aborted) {
    for (const { id } of ask) failures[id] ??= 'not asked again: the run was interrupted';
  }
  return { rounds, notes: failures };
}

function verdictsOf(id: string, rounds: readonly Round[]): string[] {
  return rounds.map(({ results }) =>
    worst(results.filter((each) => each.id === id).map(({ verdict }) => verdict)),
  );
}
