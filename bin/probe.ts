/** The command `probe`: says what it will call, asks, probes the target and writes the drafted profile. */
import { accessSync, constants, existsSync, rmSync, statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { newRunId } from '../harness/judging/names.ts';
import { draftProfile } from '../harness/probing/draft-profile.ts';
import { mostProbeCalls, mostProbeRequests, type StepBroken } from '../harness/probing/ground.ts';
import { probe as probeTarget } from '../harness/probing/probe.ts';
import { assertLoggedIn, type LoadedProfile, loadProfile } from '../harness/profile/load.ts';
import { isProduction } from '../harness/profile/smoke.ts';
import { counted } from '../record/counted.ts';
import { ConfigurationError } from '../record/errors.ts';
import type { Created } from '../record/exchange.ts';
import { makeFolder, temporaryFolder, writeWhole } from '../record/files.ts';
import { readOwnYaml } from '../record/own-files.ts';
import { print, printError } from '../record/print.ts';
import { visible } from '../record/visible.ts';
import { exitCode } from '../reports/concluding/outcome.ts';
import { schemaFrom } from '../reports/run/package.ts';
import { createdWords, leftThere } from '../reports/run/words.ts';
import { calledAs } from './called-as.ts';

export interface ProbeArguments {
  readonly target?: string;
  readonly baseUrl?: string;
  readonly out?: string;
  readonly yes?: boolean;
  readonly force?: boolean;
}

export interface ProbeTerminal {
  readonly isTerminal: boolean;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly ask: (question: string) => Promise<string>;
}

/** Resolves with 0 when all steps hold, with 2 when one breaks or nobody wanted the calls. */
export async function probe(given: ProbeArguments, terminal: ProbeTerminal = thisTerminal): Promise<number> {
  const loaded = load(given);
  assertWritable(given, loaded);
  // Without --out the profile itself goes to stdout.
  const tell = given.out === undefined ? terminal.complain : terminal.print;
  // Nothing of ours has colors here, so all of them are of strangers.
  const say = (text: string) => tell(visible(text));
  say(plan(loaded));
  if (!given.yes && !terminal.isTerminal)
    throw new ConfigurationError(
      'probe: nothing was called: there is no terminal to ask whether this may be done. With --yes it is done',
    );
  if (!given.yes && !/^y(es)?$/i.test((await terminal.ask('Go on? [y/N] ')).trim())) {
    say('Nothing was called.\n');
    return exitCode.incomplete;
  }
  const folder = temporaryFolder();
  const runId = newRunId();
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    const options = {
      runId,
      folder,
      say: (step: string, text: string) => say(`  ${step.padEnd(13)} ${text}\n`),
    };
    const result = await probeTarget(loaded, options, stop.signal);
    const { broken, created, warnings } = result;
    if (broken) say(inWords(broken));
    for (const warning of warnings) say(`warning: ${warning}\n`);
    say(`${counted(result.calls, 'call')}. ${leftInWords(created, runId)}\n`);
    // Before the first upload nothing was learned that a profile could hold.
    if (broken && result.upload === undefined && broken.step !== 'upload') {
      say('No profile was drafted.\n');
      return exitCode.incomplete;
    }
    const draft = draftProfile(loaded, result, {
      on: new Date().toISOString().slice(0, 10),
      schema: schemaFrom(given.out, 'targets/profile.schema.json'),
    });
    if (given.out === undefined) terminal.print(draft);
    else keepDraft(given.out, draft, terminal);
    say(next(given.out, broken));
    return broken ? exitCode.incomplete : exitCode.conformant;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the draft, or prints it where that fails, so that the calls were not made for nothing. */
function keepDraft(file: string, draft: string, { print }: ProbeTerminal): void {
  try {
    writeWhole(file, draft, { named: 'by-user' });
  } catch (error) {
    print(draft);
    throw error;
  }
}

/** @throws ConfigurationError when there is no target that may be probed */
function load({ target, baseUrl }: ProbeArguments): LoadedProfile {
  const loaded = loadProfile({ target, baseUrl });
  if (!loaded)
    throw new ConfigurationError(
      'probe: name the target: --base-url URL (its access token in ESIGN_TOKEN), or --target PROFILE with address and auth',
    );
  assertLoggedIn(loaded);
  if (isProduction(loaded.profile))
    throw new ConfigurationError(
      `${target}: environment "production": a probe sends what may be refused; probe a sandbox of the service`,
    );
  return loaded;
}

/** @throws ConfigurationError when the profile cannot be written, or its relative paths would lead elsewhere */
function assertWritable({ out, force }: ProbeArguments, { file }: LoadedProfile): void {
  if (out === undefined) return;
  const folder = dirname(resolve(out));
  if (existsSync(out) && statSync(out).isDirectory())
    throw new ConfigurationError(`--out ${out}: is a folder; name a file`);
  if (existsSync(out) && !force)
    throw new ConfigurationError(
      `--out ${out}: is there already; name another file, or overwrite it with --force`,
    );
  try {
    makeFolder(folder);
    accessSync(existsSync(out) ? out : folder, constants.W_OK);
  } catch (cause) {
    throw new ConfigurationError(`--out ${out}: cannot be written (${(cause as Error).message})`, { cause });
  }
  const [key] = file === undefined || folder === dirname(file) ? [] : relativePaths(file);
  if (key === undefined) return;
  throw new ConfigurationError(
    `--out ${out}: ${key} of ${file} is a path relative to that file; write into its folder`,
  );
}

/** Keys of a profile that name a file relative to it. */
function relativePaths(file: string): string[] {
  const { document } = readOwnYaml('profile', file);
  const keys = [['extends'], ['address', 'ca'], ['auth', 'tokenFile'], ['signing', 'module']];
  return keys
    .filter((key) => {
      const value = document.getIn(key);
      return typeof value === 'string' && !isAbsolute(value) && !/^[~$]/.test(value);
    })
    .map((key) => key.join('.'));
}

function plan({ profile }: LoadedProfile): string {
  const { address, people, calls } = profile;
  const stays = calls?.deleteRequest
    ? 'Requests are deleted at the end.'
    : 'They stay there: the profile does not say how a request is deleted (calls.deleteRequest).';
  return [
    `probe of ${address.baseUrl}: about 15 calls, ${mostProbeCalls} at most.`,
    'It uploads a small PDF, as a form or in other ways until the target takes one,',
    'and creates 2 signature requests, of types 0 and 3',
    `(${mostProbeRequests} at most, if the target takes what it ought to refuse).`,
    'Each gets one signatory, with an address at',
    `${people?.email ?? 'example.com, where nobody reads mail'}.`,
    stays,
    '',
  ].join('\n');
}

function inWords({ step, message, fix, exchange }: StepBroken): string {
  return [
    `BROKEN: ${step}`,
    `  ${message}`,
    `  fix: ${fix}`,
    ...(exchange ? [`  reproduce: ${exchange.curl}`] : []),
    '',
  ].join('\n');
}

function leftInWords(created: readonly Created[], runId: string): string {
  const there = leftThere(created);
  if (created.length === 0) return 'Nothing was created.';
  if (there.length === 0) return 'What was created is removed.';
  return `Left at the target: ${createdWords(there)}; titles begin with "Conformance ${runId}".`;
}

function next(out: string | undefined, broken: StepBroken | undefined): string {
  const name = out ?? 'PROFILE';
  const where = out === undefined ? 'Keep the profile above in a file' : `Written: ${out}`;
  return broken
    ? `${where}. Fill in what it marks with "not found", then: ${calledAs()} probe --target ${name} --out ${name} --force\n`
    : `${where}. Next: ${calledAs()} run --target ${name}\n`;
}

const thisTerminal: ProbeTerminal = {
  isTerminal: Boolean(process.stdin.isTTY && process.stderr.isTTY),
  print,
  complain: printError,
  ask: async (question) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  },
};
