/** The command `run`: checks the options, runs the checks, and ends with the run's exit code. */
import { accessSync, constants, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parse, resolve } from 'node:path';
import { assertPackages } from '../harness/people/load-module.ts';
import { assertLoggedIn, type LoadedProfile, loadProfile } from '../harness/profile/load.ts';
import { type RunOptions, runDefaults } from '../harness/profile/run-options.ts';
import { referenceName, targetName } from '../harness/profile/schema.ts';
import { unfinishedIn } from '../harness/session/cleanup-journal.ts';
import { assertNoRunIn } from '../harness/session/folder-lock.ts';
import { ConfigurationError } from '../record/errors.ts';
import { FileTrouble, makeFolder } from '../record/files.ts';
import { placeIn } from '../record/own-files.ts';
import { print, printError } from '../record/print.ts';
import { readSequence } from '../record/sequence.ts';
import type { Runs } from '../reports/comparison/compare-runs.ts';
import { exitCode, worstExit } from '../reports/concluding/outcome.ts';
import { toRecheck } from '../reports/concluding/recheck.ts';
import { scriptFolder } from '../reports/reproduce/scripts.ts';
import type { Run } from '../reports/run/run.ts';
import { watchForInterruption } from '../running/interruption.ts';
import { cleanupCommand } from './called-as.ts';
import { select } from './selection.ts';

type RunArguments = Partial<RunOptions> &
  Pick<RunOptions, 'out' | 'seed' | 'concurrency'> & { readonly dryRun?: boolean };

export function runTargets({
  target: [one, ...others] = [],
  ...options
}: Omit<RunArguments, 'target'> & { readonly target?: readonly string[] }): Promise<number> {
  if (one !== undefined && others.length > 0) return runEach([one, ...others], options);
  return run({ ...options, target: one });
}

type ExploreArguments = RunArguments & {
  readonly steps?: number;
  /** Milliseconds. */
  readonly time?: number;
};

const usualSteps = 300;

const thoroughSteps = 3_000;

/** Runs drawn sequences without the checks; resolves with the exit code. */
export function explore({ steps, time, ...given }: ExploreArguments): Promise<number> {
  const many = steps ?? (time === undefined && given.replaySequence === undefined ? usualSteps : undefined);
  return run({ ...given, only: [], exploreAlone: true, exploreSteps: many, exploreMs: time });
}

/** Options that are about a single target, or about one run. */
const ofOneTarget = ['baseUrl', 'baseline', 'recheck', 'resume', 'record', 'replay'] as const;

/**
 * Runs the checks against one target after the other, each into a folder of its own below `out`, and compares them;
 * resolves with the worst exit code.
 * @throws ConfigurationError, before any of them is called
 */
export async function runEach(targets: readonly string[], given: RunArguments): Promise<number> {
  const other = ofOneTarget.find((key) => given[key] !== undefined);
  if (other) {
    const option = other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new ConfigurationError(
      `--${option} is for one --target; run the others by themselves, and compare with report`,
    );
  }
  const names = namesOf(targets);
  const each = targets.map((target, at) => ({ ...given, target, out: placeIn(given.out, names[at] ?? '') }));
  const prepared: RunOptions[] = [];
  for (const one of each) {
    if (given.dryRun) await run(one);
    else prepared.push(...[(await prepare(one)) ?? []].flat());
  }
  const runs: Run[] = [];
  for (const options of prepared) {
    print(`${runs.length > 0 ? '\n' : ''}${options.target} (${runs.length + 1} of ${targets.length})\n`);
    runs.push(await runHere(options));
    if (runs.at(-1)?.interrupted) break;
  }
  const [first, second, ...more] = runs;
  if (first && second) {
    const { writeComparison } = await import('./report.ts');
    print('\n');
    const compared: Runs = [first, second, ...more];
    await writeComparison(resolve(given.out), compared, names.slice(0, runs.length), given.singleFile);
  }
  return worstExit(runs.map((one) => one.exitCode));
}

/** Folders for targets: the names of their files, with a number where several have the same. */
function namesOf(targets: readonly string[]): string[] {
  const names: string[] = [];
  for (const target of targets) {
    const { name } = parse(target);
    let free = name;
    for (let number = 2; names.includes(free); number += 1) free = `${name}-${number}`;
    names.push(free);
  }
  return names;
}

export async function run(given: RunArguments): Promise<number> {
  const { dryRun, ...rest } = given;
  if (dryRun) {
    const asked = await runOptionsOf(rest);
    await assertReplayable(asked);
    return (await import('./plan.ts')).printPlan(asked);
  }
  const options = await prepare(rest);
  if (options) return (await runHere(options)).exitCode;
  print('Nothing failed, deviated or could not run there: nothing is left to recheck.\n');
  return 0;
}

/** The options of a run that can start; `null` if nothing is left to recheck. @throws ConfigurationError before any call */
export async function prepare(given: Partial<RunArguments>): Promise<RunOptions | null> {
  const asked = await runOptionsOf(given);
  await assertReplayable(asked);
  const loaded = loadProfile(asked);
  if (loaded) {
    assertLoggedIn(loaded);
    assertPackages(loaded);
  }
  if (asked.resume !== undefined) {
    const { waitingFor } = await import('../harness/flows/resuming/ledger.ts');
    waitingFor(asked.resume, loaded?.profile, asked.manual);
  }
  if (asked.recheck && asked.only)
    throw new ConfigurationError(
      '--recheck and --only exclude each other: --recheck chooses from the run that it names',
    );
  const { readEarlier } = await import('../reports/assembling/earlier.ts');
  const { recheck } = readEarlier(asked);
  const only = recheck ? recheckSelection(recheck, loaded) : asked.only;
  if (only?.length === 0 && !asked.exploreAlone) return null;
  if (asked.replaySequence !== undefined) readSequence(asked.replaySequence);
  const options = { ...asked, only };
  // While requests wait for people, files of the run hold ids and addresses with which others could forge events.
  assertFolder('--out', options.out, loaded?.profile.signing?.driver === 'manual' ? 0o700 : undefined);
  // A folder of somebody else may have links in it: files of the run would be written elsewhere, or not at all.
  for (const name of ['run.json', 'bodies', scriptFolder]) {
    const place = placeIn(options.out, name);
    const found = statSync(place, { throwIfNoEntry: false });
    if (found && found.isFile() !== (name === 'run.json'))
      throw new ConfigurationError(
        `--out: ${place} is ${found.isFile() ? 'no folder' : 'a folder'}; move it away`,
      );
  }
  assertWritable('TMPDIR', tmpdir());
  if (options.record !== undefined) {
    assertFolder('--record', options.record);
    for (const name of ['recording.json', 'bodies']) placeIn(options.record, name);
  }
  // What the files of a run that still goes on list is no leftover.
  await assertNoRunIn(options.out);
  warnOfUnfinished(options);
  return options;
}

async function runOptionsOf({ only, ...given }: Partial<RunArguments>): Promise<RunOptions> {
  // Own checks bring ids of requirements, which have to be known before ids are looked up.
  if (given.checks !== undefined) await (await import('../running/own-checks.ts')).ownChecks(given.checks);
  return {
    ...runDefaults,
    ...(given.thorough ? { exploreSteps: thoroughSteps } : {}),
    ...given,
    out: resolve(given.out ?? runDefaults.out),
    ...absolute(given),
    ...(only ? { only: select(only) } : {}),
  };
}

/** Options that are paths. They are made absolute, since processes of a run may have other working folders. */
const places = [
  'checks',
  'deviations',
  'baseline',
  'recheck',
  'resume',
  'record',
  'replay',
  'replaySequence',
] as const;

function absolute(given: Partial<RunArguments>): Partial<RunOptions> {
  return Object.fromEntries(
    places.flatMap((key) => {
      const place = given[key];
      return place === undefined ? [] : [[key, resolve(place)]];
    }),
  );
}

/** @throws ConfigurationError when nothing can be written into the folder */
function assertFolder(option: string, folder: string, mode?: number): void {
  assertWritable(option, folder, () => makeFolder(folder, mode));
}

function assertWritable(option: string, folder: string, make = () => {}): void {
  try {
    make();
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    const why = cause instanceof FileTrouble ? cause.because : (cause as Error).message;
    throw new ConfigurationError(`${option} ${folder}: is no folder that can be written into (${why})`, {
      cause,
    });
  }
}

/** @throws ConfigurationError when the options of a replay contradict each other, or it has no recording */
async function assertReplayable({ replay, record, target, baseUrl, resume }: RunOptions): Promise<void> {
  if (replay === undefined) return;
  const others = { '--target': target, '--base-url': baseUrl, '--record': record, '--resume': resume };
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (other)
    throw new ConfigurationError(`--replay and ${other} exclude each other: the recording is the target`);
  const { readRecording } = await import('../harness/replaying/recording.ts');
  readRecording(replay);
}

/** Warns where an earlier run was killed and has left objects at its target. */
function warnOfUnfinished({ out, target }: RunOptions): void {
  const unfinished = unfinishedIn(out);
  for (const { damage } of unfinished) if (damage !== undefined) printError(`warning: ${damage}\n`);
  if (unfinished.every(({ damage }) => damage !== undefined)) return;
  printError(
    `An earlier run into ${out} was ended before it could remove what it created; this removes it:\n  ${cleanupCommand(out, target)}\n`,
  );
}

async function runHere(options: RunOptions): Promise<Run> {
  const atOnce = (): never => {
    printError(`The run was interrupted before it ${endedBefore(options)}\n`);
    process.exit(exitCode.incomplete);
  };
  const interruption = watchForInterruption(atOnce);
  try {
    const { wholeRun } = await import('../running/whole-run.ts');
    if (interruption.signal.aborted) atOnce();
    return await wholeRun(options, interruption.signal);
  } finally {
    interruption.end();
  }
}

/** The end of a sentence about a run that ended without run.json. */
function endedBefore({ out, target }: RunOptions): string {
  if (unfinishedIn(out).length === 0) return 'began; nothing was written.';
  return `came to its end. What it created is still there; this removes it:\n  ${cleanupCommand(out, target)}`;
}

/** @throws ConfigurationError when the run is one of another target */
function recheckSelection(earlier: Run, loaded: LoadedProfile | null): string[] {
  const name = loaded ? targetName(loaded.profile) : referenceName;
  if (earlier.target.name !== name)
    throw new ConfigurationError(
      `--recheck: that run is of the target "${earlier.target.name}", this one would call "${name}"; give the same --target or --base-url`,
    );
  return toRecheck(earlier);
}
