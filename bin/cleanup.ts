/** The command `cleanup`: removes at the target what a run has left there. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type LoadedProfile, loadProfile } from '../harness/profile/load.ts';
import { runDefaults } from '../harness/profile/run-options.ts';
import {
  isMarked,
  keepUnfinished,
  type Unfinished,
  unfinishedIn,
} from '../harness/session/cleanup-journal.ts';
import { assertNoRunIn } from '../harness/session/folder-lock.ts';
import { RunSession } from '../harness/session/run-session.ts';
import type { Creation } from '../harness/target/call.ts';
import { leftOf } from '../harness/target/cleanup.ts';
import { counted } from '../record/counted.ts';
import { ConfigurationError } from '../record/errors.ts';
import type { Created } from '../record/exchange.ts';
import { print } from '../record/print.ts';
import { exitCode } from '../reports/concluding/outcome.ts';
import { writeReports } from '../reports/ending/write.ts';
import { folderOf, readRun } from '../reports/run/run-file.ts';
import { createdWords, leftThere } from '../reports/run/words.ts';

interface CleanupArguments {
  readonly target?: string;
  /** Whether to remove also what others listed, or what was listed on another machine. */
  readonly ofOthers?: boolean;
}

interface Leavings extends Omit<Unfinished, 'damage'> {
  readonly settle: (after: readonly Created[], left: readonly Created[]) => void;
}

/**
 * Removes what can be removed, even where one of the files in a folder cannot be read or is of another target.
 * @returns exit code 0 when nothing is left that the profile can remove, else that of an incomplete run
 * @throws ConfigurationError that names what could not be used
 */
export async function cleanup(place: string, given: CleanupArguments): Promise<number> {
  const troubles: string[] = [];
  const leavings = leavingsIn(place, troubles);
  await assertNoRunIn(folderOf(place));
  const loaded = loadProfile(given);
  if (!loaded)
    throw new ConfigurationError(
      'cleanup: name a profile of the target of the run (--target PROFILE), with its calls that remove; the reference service keeps nothing after a run',
    );
  assertCanRemove(loaded);
  const { baseUrl } = loaded.profile.address;
  let left = 0;
  for (const each of leavings) {
    const foreign = each.created.filter((created) => !given.ofOthers && !isMarked(baseUrl, created));
    const unsure = leftOf(loaded.profile, foreign);
    if (each.baseUrl !== baseUrl) {
      troubles.push(
        `cleanup ${each.file}: that run was against ${each.baseUrl}, but address.baseUrl of the profile is ${baseUrl}; name the profile of that run`,
      );
    } else if (unsure.length > 0) {
      troubles.push(
        `cleanup ${each.file}: nothing shows that a run of yours on this machine created ${unsure.length} of the objects that it lists (${unsure[0]?.kind} ${unsure[0]?.id}), and whatever it lists is removed: look at the file, then say --of-others`,
      );
    } else left += await remove(each, loaded);
  }
  if (troubles.length > 0) throw new ConfigurationError(troubles.join('\n'));
  return left === 0 ? exitCode.conformant : exitCode.incomplete;
}

/** The objects that run.json lists, and those that runs listed which ended before they wrote run.json. */
function leavingsIn(place: string, troubles: string[]): Leavings[] {
  if (!existsSync(place)) throw new ConfigurationError(`cleanup ${place}: there is no such folder or file`);
  const folder = folderOf(place);
  const unfinished = unfinishedIn(folder).flatMap((each): Leavings[] => {
    if (each.damage === undefined) return [{ ...each, settle: (_, left) => keepUnfinished(each, left) }];
    troubles.push(each.damage);
    return each.baseUrl === '' ? [] : [{ ...each, settle: () => {} }];
  });
  const file = statSync(place).isDirectory() ? join(folder, 'run.json') : place;
  if (existsSync(file)) return [...unfinished, ...finishedIn(file, folder, troubles)];
  if (unfinished.length === 0 && troubles.length === 0)
    throw new ConfigurationError(
      `cleanup ${place}: no run is in there; name the folder that --out of the run named`,
    );
  return unfinished;
}

function finishedIn(file: string, folder: string, troubles: string[]): Leavings[] {
  try {
    const run = readRun(file);
    const { created } = run;
    const settle = (after: readonly Created[]) => void writeReports(folder, { ...run, created: [...after] });
    return [{ file, baseUrl: run.target.baseUrl, created, underWay: [], settle }];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    troubles.push(error.message);
    return [];
  }
}

function assertCanRemove({ profile, file }: LoadedProfile): void {
  if (profile.calls?.deleteRequest || profile.calls?.invalidateDocument) return;
  throw new ConfigurationError(
    `${file}: the profile says neither how a request is deleted (calls.deleteRequest) nor how a document token is made invalid (calls.invalidateDocument): add the calls that the target has`,
  );
}

/** Removes and says what came of it; returns how many objects are left that the profile has a call for. */
async function remove({ file, created, underWay, settle }: Leavings, loaded: LoadedProfile): Promise<number> {
  const { profile } = loaded;
  const lost = underWay.filter(({ kind }) => leftOf(profile, [{ kind, id: '', exchange: 0 }]).length > 0);
  const tried = leftOf(profile, created).length + lost.length;
  if (tried > 0) print(`${file}: ${counted(tried, 'object')} to be removed at ${profile.address.baseUrl}\n`);
  const session = new RunSession(
    loaded,
    { ...runDefaults, out: '.' },
    { runId: 'cleanup', callbackUrl: '', flows: [], profileDir: dirname(loaded.file ?? '.') },
  );
  try {
    const after = await session.tenancy.cleanUp(created);
    const still = leftOf(profile, after);
    settle(after, still);
    const left = still.length + lost.length;
    print(tried === 0 ? nothing(created) : `${tried - left} of ${counted(tried, 'object')} removed\n`);
    for (const warning of session.warnings()) print(`warning: ${warning}\n`);
    if (lost.length > 0) print(inWords(lost, file));
    return left;
  } finally {
    await session.close();
    session.stages.assertWhole();
  }
}

function nothing(created: readonly Created[]): string {
  const left = leftThere(created);
  const calls = new Set(
    left.map(({ kind }) => `calls.${kind === 'document' ? 'invalidateDocument' : 'deleteRequest'}`),
  );
  return left.length === 0
    ? 'nothing is left to remove\n'
    : `nothing was removed: for ${createdWords(left)} the profile has no call (${[...calls].join(', ')})\n`;
}

/** Tells people to look for creations that were under way: their ids are not known, nor whether they were made. */
function inWords(lost: readonly Creation[], file: string): string {
  return [
    `${counted(lost.length, 'creation was', 'creations were')} under way when the run ended, and the id of what came of it is not known. Look at the target, remove what is there, then delete ${file}:`,
    ...lost.map(({ kind, title }) => `  ${kind} "${title}"`),
    '',
  ].join('\n');
}
