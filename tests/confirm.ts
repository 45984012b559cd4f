/** Runs failed checks again at the end of a run: each round a Playwright process against the same host. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { roundEnvironment } from '../harness/round.ts';
import type { RunOptions } from '../harness/run-options.ts';
import type { RunSession } from '../harness/run-session.ts';
import { isProduction } from '../harness/smoke.ts';
import { targetName } from '../harness/target-name.ts';
import type { RoundFile } from '../reports/confirm.ts';
import type { ConfirmationRecord, Round } from '../reports/confirmation.ts';
import { type ConfirmationPlan, failedIds, planConfirmation } from '../reports/confirmation-plan.ts';
import { readDeviations } from '../reports/deviations-file.ts';
import { isSettled } from '../reports/flaky.ts';
import { resultsSoFar } from '../reports/record.ts';
import { worst } from '../reports/verdict.ts';
import { spawnFollowing } from './parent-process.ts';
import { grepOf, playwrightTest } from './playwright-command.ts';

/** A round that takes longer than this is given up, in milliseconds: ten checks take about two seconds. */
const roundLimitMs = 180_000;

export interface Surroundings {
  readonly startedAt: string;
  readonly stop: Stop;
  /** Keeps what the run knows already; called only when something is asked again. */
  readonly secure: () => Promise<void>;
}

/**
 * Asks about what failed again, while the host of the run is still up. Where Playwright's own tools run the checks
 * this is left to them.
 */
export async function confirmFailures(
  run: RunSession,
  { confirm: asked, only, deviations: file }: RunOptions,
  { startedAt, stop, secure }: Surroundings,
): Promise<ConfirmationRecord | undefined> {
  const failed = failedIds(resultsSoFar(), run.recorder.exchanges, only);
  if (!asked || failed.length === 0) return undefined;
  if (isProduction(run.profile)) {
    const note = 'not asked again: the profile says environment: production';
    return { rounds: [], notes: Object.fromEntries(failed.map((id) => [id, note])) };
  }
  const situation = { target: targetName(run.profile), day: startedAt.slice(0, 10) };
  await secure();
  const deviations = file ? readDeviations(file) : undefined;
  return confirm(planConfirmation(failed, deviations, situation), run, stop);
}

/** Asks about the failures of the plan as often as it says, or until the outcome is certain. */
async function confirm(
  { ask, notes }: ConfirmationPlan,
  host: Pick<RunSession, 'beginRound'>,
  stop: Stop,
): Promise<ConfirmationRecord> {
  const rounds: Round[] = [];
  const failures: Record<string, string> = { ...notes };
  const longest = Math.max(0, ...ask.map(({ sample }) => sample.attempts));
  for (let round = 1; round <= longest; round += 1) {
    const open = ask.filter(
      ({ id, sample }) => sample.attempts >= round && !isSettled(verdictsOf(id, rounds), sample),
    );
    if (open.length === 0 || stop.asked()) break;
    const ids = open.map(({ id }) => id);
    if (round === 1) {
      process.stdout.write(`asking again about what failed: ${ids.join(' ')}\n`);
    }
    const from = host.beginRound(round);
    const end = await runRound(round, ids, stop);
    rounds.push({ from, results: end.results.filter(({ id }) => ids.includes(id)) });
    if (end.problems.length > 0) {
      for (const id of ids) failures[id] = `not asked again: ${end.problems[0]}`;
      break;
    }
  }
  if (stop.asked()) {
    for (const { id } of ask) failures[id] ??= 'not asked again: the run was interrupted';
  }
  return { rounds, notes: failures };
}

function verdictsOf(id: string, rounds: readonly Round[]): string[] {
  return rounds.map(({ results }) =>
    worst(results.filter((each) => each.id === id).map(({ verdict }) => verdict)),
  );
}

type Stop = ReturnType<typeof watchForInterrupt>;

/** Who interrupts a run does not wait for confirmations; Playwright itself ends the run. */
export function watchForInterrupt() {
  const end = new AbortController();
  const listen = () => end.abort();
  // Once: the next one ends the process, as it does without us.
  process.once('SIGINT', listen);
  return {
    signal: end.signal,
    asked: () => end.signal.aborted,
    end: () => process.off('SIGINT', listen),
  };
}

async function runRound(round: number, ids: readonly string[], stop: Stop): Promise<RoundFile> {
  const scratch = mkdtempSync(join(tmpdir(), 'esign-conformance-round-'));
  const file = join(scratch, 'results.json');
  try {
    const child = spawnFollowing(
      playwrightTest('--workers=1', `--output=${join(scratch, 'output')}`, `--grep=${grepOf(ids)}`),
      'ignore',
      {
        env: { ...process.env, ...roundEnvironment({ round, file }) },
        timeout: roundLimitMs,
        signal: stop.signal,
      },
    );
    const code = await new Promise<number | null>((settle) => {
      // An abort is told as an error too; what counts is whether there are results.
      child.once('error', () => settle(null));
      child.once('close', settle);
    });
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as RoundFile;
    return {
      results: [],
      problems: [`the test runner ended ${code === null ? 'early' : `with code ${code}`}`],
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
