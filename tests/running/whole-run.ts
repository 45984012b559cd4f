/** A run from its beginning to what it leaves: the checks in this process, confirmation, clean-up, reports. */
import type { RunOptions } from '../../harness/profile/run-options.ts';
import { isProduction } from '../../harness/profile/smoke.ts';
import type { RunSession } from '../../harness/running/run-session.ts';
import { checked } from '../../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../../record/check-result.ts';
import type { ConfirmationRecord } from '../../reports/confirmation.ts';
import { type Earlier, readEarlier } from '../../reports/earlier.ts';
import { finishRun, missingRecord } from '../../reports/finish.ts';
import { Progress } from '../../reports/progress.ts';
import type { RunRecord } from '../../reports/record.ts';
import type { Run } from '../../reports/run.ts';
import { flows } from '../flows/all.ts';
import { confirmFailures } from './confirm.ts';
import { HostedRun } from './hosted-run.ts';
import { loadChecks } from './load-checks.ts';
import { chosenChecks, runChecks } from './run-checks.ts';

/**
 * Runs the checks and writes what the run leaves.
 * @param stop whoever aborts it gets what is known by then, as an incomplete run
 * @throws ConfigurationError and errors of the files that the run is held against, before anything is called
 */
export async function wholeRun(options: RunOptions, stop: AbortSignal): Promise<Run> {
  const began = performance.now();
  // Before anything is written: what the run is held against may lie in the folder that it writes into.
  const earlier = readEarlier(options);
  const hosted = await HostedRun.start(options);
  const problems: string[] = [];
  const forget = keepProblems(problems);
  try {
    const session = await hosted.session();
    const interrupt = () => void session.interrupt();
    // It may have been asked for while all this came up.
    if (stop.aborted) interrupt();
    else stop.addEventListener('abort', interrupt, { once: true });
    const { results, confirmation } = await judgeTarget(session, options, {
      earlier,
      startedAt: hosted.startedAt,
      stop,
      problems,
    });
    return finishRun(options.out, {
      record: await recordOf(hosted, confirmation, problems, options),
      results,
      ...(options.only ? { selection: options.only } : {}),
      strict: options.strict,
      durationMs: Math.round(performance.now() - began),
      interrupted: stop.aborted,
      problems,
      ...earlier,
    });
  } finally {
    forget();
    await hosted.close();
  }
}

interface Surroundings {
  readonly earlier: Earlier;
  readonly startedAt: string;
  readonly stop: AbortSignal;
  readonly problems: string[];
}

interface Judged {
  readonly results: readonly CheckResult[];
  readonly confirmation?: ConfirmationRecord | undefined;
}

/** Runs the checks, waits for what is under way, and asks about failures again. */
async function judgeTarget(
  session: RunSession,
  { only, concurrency, confirm }: RunOptions,
  { earlier, startedAt, stop, problems }: Surroundings,
): Promise<Judged> {
  const progress = new Progress(process.stdout, only ?? checked.map(({ id }) => id));
  const broken = (problem: string) => problems.push(problem);
  try {
    if (needsFlows(only, session)) session.startFlows();
    const [checks, facts] = await Promise.all([loadChecks(), session.facts()]);
    const how = { session, facts, atOnce: concurrency, stop };
    const results = await runChecks(chosenChecks(checks, only, facts), {
      ...how,
      broken,
      begun: ({ title }) => progress.begin(title),
      ended: (ended) => {
        for (const { id, verdict } of ended) progress.end(id, verdict);
      },
    });
    progress.clear();
    if (stop.aborted) return { results };
    await session.finish();
    if (!confirm || stop.aborted) return { results };
    const { deviations } = earlier;
    const failures = { session, checks, results, startedAt, how };
    return {
      results,
      confirmation: await confirmFailures({
        ...failures,
        ...(only ? { only } : {}),
        ...(deviations ? { deviations } : {}),
      }),
    };
  } finally {
    progress.clear();
  }
}

/** What the run knows at its end, when it has removed what it made. What breaks here is a mistake of the suite. */
async function recordOf(
  hosted: HostedRun,
  confirmation: ConfirmationRecord | undefined,
  problems: string[],
  { seed }: RunOptions,
): Promise<RunRecord> {
  try {
    await hosted.cleanUp();
    return await hosted.record(confirmation);
  } catch (error) {
    problems.push(`the record of the run could not be had: ${(error as Error).message}`);
    return missingRecord(seed, hosted.startedAt);
  }
}

/** Flows begin at once when a check that needs them was chosen. */
function needsFlows(only: readonly string[] | undefined, { profile }: RunSession): boolean {
  if (!profile.signing || isProduction(profile)) return false;
  return flows.some(({ proves }) => proves.some((id) => !only || only.includes(id)));
}

/** What nobody waited for is a problem of the run, not its end: a signing module may throw whenever it likes. */
function keepProblems(problems: string[]): () => void {
  const keep = (error: unknown) => {
    problems.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  };
  process.on('unhandledRejection', keep).on('uncaughtException', keep);
  return () => process.off('unhandledRejection', keep).off('uncaughtException', keep);
}
