/** A run from its beginning to its files: the checks in this process, confirmation, clean-up, reports. */
import type { Exploration } from '../harness/exploring/explore.ts';
import type { RunOptions } from '../harness/profile/run-options.ts';
import type { RunSession } from '../harness/session/run-session.ts';
import { checked } from '../openapi/requirements/catalogue.ts';
import type { CheckResult } from '../record/check-result.ts';
import { screen } from '../record/print.ts';
import { readSequence } from '../record/sequence.ts';
import type { Stages } from '../record/stages.ts';
import { type Earlier, readEarlier } from '../reports/assembling/earlier.ts';
import { finishRun } from '../reports/ending/finish.ts';
import { renderersOf } from '../reports/ending/write.ts';
import type { Run } from '../reports/run/run.ts';
import { Progress } from '../reports/texts/progress.ts';
import { confirmFailures } from './confirm.ts';
import { HostedRun } from './hosted-run.ts';
import { loadChecks } from './load-checks.ts';
import { type OwnChecks, ownChecks } from './own-checks.ts';
import { chosenChecks, runChecks } from './run-checks.ts';

/**
 * Runs the checks and writes the files of the run.
 * @param stop when it is aborted, the run ends as incomplete with what is known by then
 * @throws ConfigurationError, and errors of the files that the run is compared with, before anything is called
 */
export async function wholeRun(options: RunOptions, stop: AbortSignal): Promise<Run> {
  const began = performance.now();
  // Read before anything is written, since these files may be in the folder of the run.
  const earlier = readEarlier(options);
  const own = options.checks === undefined ? undefined : await ownChecks(options.checks);
  const hosted = await HostedRun.start(options);
  let forget = () => {};
  try {
    const session = await hosted.session();
    forget = keepProblems(session.stages);
    const interrupt = () => void session.interrupt();
    // The run may have been stopped while all this started.
    if (stop.aborted) interrupt();
    else stop.addEventListener('abort', interrupt, { once: true });
    const { startedAt } = hosted;
    const judged = await judgeTarget(session, options, { earlier, own, startedAt, stop });
    const exploration = await exploreTarget(session, options, stop);
    const results = [...judged.results, ...(exploration?.results ?? [])];
    // A run that only explores is a selection: the requirements that its sequences say something about.
    const only = options.exploreAlone ? results.map(({ id }) => id) : options.only;
    const { run, files } = finishRun(
      options.out,
      {
        record: {
          ...(await hosted.end(judged.confirmation)),
          ...(exploration ? { explored: exploration.explored } : {}),
        },
        results,
        own: own?.entries,
        selection: only && [...only],
        strict: options.strict,
        since: options.since,
        durationMs: Math.round(performance.now() - began),
        interrupted: stop.aborted,
        problems: [],
        ...earlier,
      },
      renderersOf(options),
    );
    if (files.includes('run.json')) await hosted.written();
    return run;
  } finally {
    forget();
    await hosted.close();
  }
}

interface Surroundings {
  readonly earlier: Earlier;
  readonly own: OwnChecks | undefined;
  readonly startedAt: string;
  readonly stop: AbortSignal;
}

async function exploreTarget(
  session: RunSession,
  { exploreSteps, exploreMs, replaySequence, thorough, seed, concurrency }: RunOptions,
  stop: AbortSignal,
): Promise<Exploration | undefined> {
  if (exploreSteps === undefined && exploreMs === undefined && replaySequence === undefined) return undefined;
  const progress = new Progress(screen(), []);
  const sequence = replaySequence === undefined ? undefined : readSequence(replaySequence);
  const steps = exploreSteps ?? Number.POSITIVE_INFINITY;
  const given = { seed, steps, ms: exploreMs, sequence, thorough, atOnce: concurrency, stop };
  const exploring = () => session.explore(given, (made) => progress.say(`${made} steps explored`));
  const exploration = await session.stages.run('exploring', exploring, undefined);
  progress.clear();
  return exploration;
}

async function judgeTarget(
  session: RunSession,
  { only, concurrency, confirm, exploreAlone }: RunOptions,
  { earlier, own, startedAt, stop }: Surroundings,
) {
  if (exploreAlone) return { results: [] };
  const { stages } = session;
  const all = [...checked, ...(own?.entries ?? [])].map(({ id }) => id);
  const progress = new Progress(screen(), only ?? all);
  const results: CheckResult[] = [];
  session.startFlows();
  const [checks, facts] = await Promise.all([
    stages.run('loading the checks', async () => [...(await loadChecks()), ...(own?.checks ?? [])], []),
    session.facts(),
  ]);
  const how = { session, facts, atOnce: concurrency, stop };
  const running = () =>
    runChecks(chosenChecks(checks, only, facts), {
      ...how,
      broken: (title, error) => stages.note(title, error),
      begun: ({ title }) => progress.begin(title),
      ended: (ended) => {
        results.push(...shownOf(session, ended));
        for (const { id, verdict } of ended) progress.end(id, verdict);
      },
    });
  await stages.run('the checks', running, []);
  progress.clear();
  if (stop.aborted) return { results };
  await stages.run('what was under way', () => session.finish(), null);
  if (!confirm || stop.aborted) return { results };
  const { deviations } = earlier;
  const confirming = () => confirmFailures({ session, checks, results, only, deviations, startedAt, how });
  const confirmation = await stages.run('asking about failures again', confirming, undefined);
  const rounds = confirmation?.rounds.map((round) => ({
    ...round,
    results: shownOf(session, round.results),
  }));
  return { results, ...(confirmation && rounds ? { confirmation: { ...confirmation, rounds } } : {}) };
}

/** The results redacted: their messages quote the target, or are those of a team's own checks. */
function shownOf({ recorder }: RunSession, results: readonly CheckResult[]): readonly CheckResult[] {
  return results.map((each) => ({ ...recorder.clean(each), id: each.id }));
}

/** Errors outside of any awaited work become problems of the run instead of ending it: a signing module may throw at any time. */
function keepProblems(stages: Stages): () => void {
  const keep = (error: unknown) => stages.note('something that nobody waited for', error);
  process.on('unhandledRejection', keep).on('uncaughtException', keep);
  return () => process.off('unhandledRejection', keep).off('uncaughtException', keep);
}
