/** The command `cleanup`: removes at the target what a run has left there. */
import { existsSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type LoadedProfile, loadProfile } from '../harness/profile/load.ts';
import { runDefaults } from '../harness/profile/run-options.ts';
import { unfinishedIn } from '../harness/running/cleanup-journal.ts';
import { RunSession } from '../harness/running/run-session.ts';
import { removable } from '../harness/target/cleanup.ts';
import type { Created } from '../record/exchange.ts';
import { exitCode } from '../reports/outcome.ts';
import { readRun } from '../reports/run-file.ts';
import { writeReports } from '../reports/write.ts';
import { UsageError } from './usage-error.ts';

export interface CleanupArguments {
  readonly target?: string;
  readonly baseUrl?: string;
}

/** Objects that one run left, and how to note what became of them. */
interface Leavings {
  readonly baseUrl: string;
  readonly created: readonly Created[];
  readonly settle: (created: readonly Created[]) => void;
}

/** @returns exit code 0 when nothing is left that the profile can remove, else that of an incomplete run */
export async function cleanup(place: string, given: CleanupArguments): Promise<number> {
  const leavings = leavingsIn(place);
  const loaded = loadProfile(given);
  if (!loaded) {
    throw new UsageError(
      'cleanup: name the target of the run (--target PROFILE); the reference service keeps nothing after a run',
    );
  }
  assertCanRemove(loaded);
  let left = 0;
  for (const each of leavings) {
    if (each.baseUrl !== loaded.profile.address.baseUrl) {
      throw new UsageError(
        `cleanup ${place}: that run was against ${each.baseUrl}, but address.baseUrl of the profile is ${loaded.profile.address.baseUrl}; name the profile of that run`,
      );
    }
    left += await remove(each, loaded);
  }
  return left === 0 ? exitCode.conformant : exitCode.incomplete;
}

/** What run.json lists, and what runs listed that were ended before they wrote one. */
function leavingsIn(place: string): Leavings[] {
  if (!existsSync(place)) throw new UsageError(`cleanup ${place}: there is no such folder or file`);
  const folder = resolve(statSync(place).isDirectory() ? place : dirname(place));
  const unfinished = unfinishedIn(folder).map(({ file, baseUrl, created }): Leavings => {
    const settle = (after: readonly Created[]) => {
      if (after.every(({ removed }) => removed !== false)) rmSync(file);
    };
    return { baseUrl, created, settle };
  });
  const wanted = statSync(place).isDirectory() ? existsSync(resolve(folder, 'run.json')) : true;
  if (!wanted && unfinished.length === 0) throw new UsageError(`cleanup ${place}: no run is in there`);
  if (!wanted) return unfinished;
  const run = readRun(place);
  const settle = (created: readonly Created[]) =>
    void writeReports(folder, { ...run, created: [...created] });
  return [...unfinished, { baseUrl: run.target.baseUrl, created: run.created, settle }];
}

function assertCanRemove({ profile, file }: LoadedProfile): void {
  if (profile.calls?.deleteRequest || profile.calls?.invalidateDocument) return;
  throw new UsageError(
    `${file ?? 'the command line'}: the profile says neither how a request is deleted (calls.deleteRequest) nor how a document token is made invalid (calls.invalidateDocument)`,
  );
}

/** Removes and says what came of it; returns how many objects are left that the profile has a call for. */
async function remove({ created, settle }: Leavings, loaded: LoadedProfile): Promise<number> {
  const tried = removable(loaded.profile, created).length;
  const session = new RunSession(
    loaded,
    { ...runDefaults, out: '.' },
    { runId: 'cleanup', callbackUrl: '', flows: [], profileDir: dirname(loaded.file ?? '.') },
  );
  try {
    const after = await session.tenancy.cleanUp(created);
    settle(after);
    const left = removable(loaded.profile, after).length;
    process.stdout.write(
      tried === 0 ? 'nothing is left to remove\n' : `${tried - left} of ${tried} objects removed\n`,
    );
    for (const warning of session.warnings()) process.stdout.write(`warning: ${warning}\n`);
    return left;
  } finally {
    await session.close();
  }
}
