/** The command `run`: checks the options, lets Playwright run the checks, and ends with the run's exit code. */
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { unfinishedIn } from '../harness/cleanup-journal.ts';
import type { LoadedProfile } from '../harness/profile/load.ts';
import { type RunOptions, runDefaults, runEnvironment } from '../harness/run-options.ts';
import { interrupt, spawnFollowing } from '../tests/parent-process.ts';
import { grepOf, playwrightTest } from '../tests/playwright-command.ts';
import { calledAs } from './called-as.ts';
import { earlierOf, recheckSelection } from './earlier.ts';
import { select } from './selection.ts';
import { UsageError } from './usage-error.ts';

/** Options of `run` as commander hands them over. */
export interface RunArguments {
  readonly target?: string;
  readonly baseUrl?: string;
  readonly out: string;
  readonly only?: readonly string[];
  readonly strict?: boolean;
  readonly seed: number;
  readonly concurrency: number;
  readonly explore?: boolean;
  readonly manual?: boolean;
  readonly confirm?: boolean;
  readonly deviations?: string;
  readonly stale?: 'fail' | 'warn';
  readonly baseline?: string;
  readonly strictDrift?: boolean;
  readonly driftFactor?: number;
  readonly recheck?: string;
  readonly resume?: string;
  readonly budget?: number;
  readonly dryRun?: boolean;
  readonly record?: string;
  readonly replay?: string;
}

/** Runs the checks; resolves with the exit code of the run. */
export async function run(given: RunArguments): Promise<number> {
  const { dryRun, ...rest } = given;
  const asked = runOptionsOf(rest);
  await assertReplayable(asked);
  if (dryRun) return (await import('./plan.ts')).printPlan(asked);
  const { loadProfile } = await import('../harness/profile/load.ts');
  const loaded = loadProfile(asked);
  const { assertLoggedIn } = await import('../harness/logged-in.ts');
  if (loaded) assertLoggedIn(loaded);
  if (asked.resume !== undefined) {
    const { waitingFor } = await import('../harness/waiting/ledger.ts');
    waitingFor(asked.resume, loaded?.profile, asked.manual);
  }
  const { recheck } = await earlierOf(asked);
  const only = recheck ? recheckSelection(recheck, loaded) : asked.only;
  if (only?.length === 0) {
    process.stdout.write('Nothing failed, deviated or could not run there: nothing is left to recheck.\n');
    return 0;
  }
  const options = { ...asked, ...(only ? { only } : {}) };
  prepare(options.out);
  warnOfUnfinished(options.out);
  const before = Date.now();
  const end = await unlessStopped(() => workersFor(loaded));
  return exitCodeOf(options.out, before, end === 'stopped' ? stopped : await playwright(options, end));
}

function runOptionsOf({ only, ...given }: RunArguments): RunOptions {
  return {
    ...runDefaults,
    ...given,
    out: resolve(given.out),
    ...absolute(given),
    ...(only ? { only: select(only) } : {}),
    ...(given.record === undefined ? {} : { record: resolve(given.record) }),
    ...(given.replay === undefined ? {} : { replay: resolve(given.replay) }),
  };
}

/** Paths that the processes of a run are told. */
function absolute({ deviations, baseline, recheck, resume }: RunArguments): Partial<RunOptions> {
  return {
    ...(deviations ? { deviations: resolve(deviations) } : {}),
    ...(baseline ? { baseline: resolve(baseline) } : {}),
    ...(recheck ? { recheck: resolve(recheck) } : {}),
    ...(resume ? { resume: resolve(resume) } : {}),
  };
}

/** @throws UsageError when nothing can be written into the folder */
function prepare(out: string): void {
  try {
    mkdirSync(out, { recursive: true });
    accessSync(out, constants.W_OK);
  } catch (cause) {
    const why = (cause as Error).message;
    throw new UsageError(`--out ${out}: is no folder that can be written into (${why})`, { cause });
  }
}

/** @throws UsageError or ConfigurationError when the options of a replay contradict each other, or it has no recording */
async function assertReplayable({ replay, record, target, baseUrl, resume }: RunOptions): Promise<void> {
  if (replay === undefined) return;
  const others = { '--target': target, '--base-url': baseUrl, '--record': record, '--resume': resume };
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (other) throw new UsageError(`--replay and ${other} exclude each other: the recording is the target`);
  const { readRecording } = await import('../harness/replay/recording.ts');
  readRecording(replay);
}

/** A run that was killed has left objects at its target. */
function warnOfUnfinished(out: string): void {
  if (unfinishedIn(out).length === 0) return;
  process.stderr.write(
    `An earlier run into ${out} was ended before it could remove what it created: ${calledAs()} cleanup ${out}\n`,
  );
}

/** Farther away than this, checks mostly wait. */
const farMs = 30;

/** Where answers take their time, several checks wait for theirs at once. Elsewhere one worker keeps up. */
async function workersFor(loaded: LoadedProfile | null): Promise<number> {
  if (!loaded) return 1;
  const { roundTripMs } = await import('../harness/round-trip.ts');
  return ((await roundTripMs(loaded)) ?? 0) > farMs ? 6 : 1;
}

/** Small steps of the young generation: the processes of a run stay some 100 MB smaller, and no slower. */
function lean({ NODE_OPTIONS = '' }: NodeJS.ProcessEnv): { NODE_OPTIONS: string } {
  return { NODE_OPTIONS: `${NODE_OPTIONS} --max-semi-space-size=2`.trim() };
}

/** How Playwright ended. */
interface PlaywrightEnd {
  readonly code: number | null;
  /** Somebody asked the run to stop. */
  readonly interrupted: boolean;
}

const stopped: PlaywrightEnd = { code: null, interrupted: true };

/** Ends at once when somebody asks to stop. */
async function unlessStopped<T>(work: () => Promise<T>): Promise<T | 'stopped'> {
  let stop = () => {};
  const asked = new Promise<'stopped'>((resolve) => {
    stop = () => resolve('stopped');
  });
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    return await Promise.race([work(), asked]);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** Signals within this time are one: a terminal, npm and what started this process may all send the first one. */
const oneSignalMs = 1_000;
/**
 * An interrupted run that is not done by then is ended, in milliseconds. Whatever it waits for has bounds of its own
 * that are shorter, removing what it created included; this one is for what nobody thought of.
 */
const interruptedMs = 120_000;

/** Runs Playwright in a process of its own, which ends with this one, and passes on that somebody wants it to stop. */
async function playwright(options: RunOptions, workers: number): Promise<PlaywrightEnd> {
  // What Playwright itself writes about failed tests says nothing that the reports do not say better.
  const scratch = mkdtempSync(join(tmpdir(), 'esign-conformance-'));
  const child = spawnFollowing(
    playwrightTest(
      `--workers=${workers}`,
      ...(workers > 1 ? ['--fully-parallel'] : []),
      `--output=${scratch}`,
      ...(options.only ? [`--grep=${grepOf(options.only)}`] : []),
    ),
    'inherit',
    { env: { ...process.env, ...runEnvironment(options), ...lean(process.env) } },
  );
  let interrupted = false;
  let firstMs = 0;
  let longest: NodeJS.Timeout | undefined;
  const pass = () => {
    if (!interrupted) {
      interrupted = true;
      firstMs = performance.now();
      longest = setTimeout(() => child.kill('SIGKILL'), interruptedMs);
      interrupt(child);
      return;
    }
    // Whoever asks twice does not want to wait.
    if (performance.now() - firstMs > oneSignalMs) child.kill('SIGKILL');
  };
  process.on('SIGINT', pass).on('SIGTERM', pass);
  try {
    const code = await new Promise<number | null>((settle, fail) => {
      child.once('error', fail);
      child.once('close', settle);
    });
    return { code, interrupted };
  } finally {
    clearTimeout(longest);
    // Still listening: a third signal must not end this process before it has said what is left.
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The exit code that this run wrote; 4 when Playwright ended before it wrote one, unless it was told to. */
async function exitCodeOf(out: string, before: number, end: PlaywrightEnd): Promise<number> {
  const { code, interrupted } = end;
  const { readRun } = await import('../reports/run-file.ts');
  const { exitCode } = await import('../reports/outcome.ts');
  const found = existsSync(join(out, 'run.json')) ? readRun(out) : undefined;
  if (found && Date.parse(found.startedAt) >= before) return found.exitCode;
  if (interrupted) {
    process.stderr.write(`The run was interrupted before it ${endedBefore(out)}\n`);
    return exitCode.incomplete;
  }
  process.stderr.write(
    `The test runner ended with ${code === null ? 'a signal' : `code ${code}`} before it wrote ${join(out, 'run.json')}; what it said stands above.\n`,
  );
  return exitCode.error;
}

/** What became of a run without run.json. */
function endedBefore(out: string): string {
  if (unfinishedIn(out).length === 0) return 'began; nothing was written.';
  return `came to its end. What it created is still there: ${calledAs()} cleanup ${out} removes it.`;
}
