/** Before the first test: brings the run host up. After the last: hands over what was recorded. */
import { dirname, relative } from 'node:path';
import type { FullConfig } from '@playwright/test';
import { announce, startHost } from '../harness/host.ts';
import { assertLoggedIn } from '../harness/logged-in.ts';
import { type LoadedProfile, loadProfile } from '../harness/profile/load.ts';
import { saidUnder } from '../harness/profile/said.ts';
import { replayOf } from '../harness/replay/load.ts';
import { roundOf } from '../harness/round.ts';
import { newRunId } from '../harness/run-id.ts';
import { type RunOptions, runOptions, startedByCommandLine } from '../harness/run-options.ts';
import { RunSession } from '../harness/run-session.ts';
import { isProduction } from '../harness/smoke.ts';
import { targetName } from '../harness/target-name.ts';
import { lacking } from '../harness/unlocks.ts';
import { WaitingLedger } from '../harness/waiting/ledger.ts';
import { gaps } from '../openapi/gaps/register.ts';
import { handOver, type RunRecord } from '../reports/record.ts';
import { confirmFailures, watchForInterrupt } from './confirm.ts';
import { flows } from './flows/all.ts';
import { followParent } from './parent-process.ts';
import { startReferenceTarget, type Target } from './reference-target.ts';

/** Nothing but the host is started before a check asks: the suite's own tests need no target. */
export default async function globalSetup(_: FullConfig): Promise<() => Promise<void>> {
  if (startedByCommandLine()) followParent();
  // The host of the run is up already.
  if (roundOf()) return async () => {};
  const startedAt = new Date().toISOString();
  const options = runOptions();
  const loaded = loadProfile(options);
  if (loaded) assertLoggedIn(loaded);
  const stop = startedByCommandLine() ? watchForInterrupt() : undefined;
  let target: Target | null = null;
  let session: Promise<RunSession> | null = null;
  let waiting: WaitingLedger | undefined;

  const open = async (): Promise<RunSession> => {
    const replay = options.replay === undefined ? undefined : await replayOf(options.replay);
    const known = replay?.loaded ?? loaded;
    target = known ? { loaded: known, close: async () => {} } : await startReferenceTarget();
    const again = replay ? { runId: replay.recording.runId, seed: replay.recording.seed } : {};
    const fresh = { ...options, runId: newRunId(), ...again, profile: target.loaded.profile };
    waiting = WaitingLedger.for(fresh);
    // A run that is resumed stays the same run: its people and documents follow from id and seed.
    const { runId, seed } = waiting ?? fresh;
    const run = new RunSession(
      target.loaded,
      { ...options, seed, explore: replay?.recording.explore ?? options.explore },
      {
        ...(waiting ? { waiting } : {}),
        record: options.record,
        replay,
        runId,
        callbackUrl: `${host.address.url}/callbacks`,
        flows,
        profileDir: target.loaded.file ? dirname(target.loaded.file) : process.cwd(),
      },
    );
    if (needsFlows(options.only, run.profile)) run.startFlows();
    return run;
  };
  const host = await startHost(() => {
    session ??= open();
    return session;
  });
  announce(host.address);
  // Once: a second one ends the process at once.
  process.once('SIGINT', () => void session?.then((run) => run.interrupt()));
  if (startedByCommandLine()) {
    // What goes wrong here would go wrong in each check again.
    session = open();
    await session.catch(async (error: unknown) => {
      await host.close();
      throw error;
    });
  }

  return async () => {
    if (session) {
      const run = await session;
      if (!run.tenancy.interrupted) await run.finish();
      const record = async (confirmation?: RunRecord['confirmation']): Promise<RunRecord> => {
        // What they refer to is recorded before the exchanges are taken.
        const observations = await run.observations();
        return {
          target: targetOf(run.profile, target),
          seed: waiting?.seed ?? options.seed,
          startedAt,
          exchanges: await run.recorder.final(),
          deliveries: await run.deliveries(),
          created: run.created(),
          observations,
          answeredByProfile: run.recorder.clean(answeredGaps(target?.loaded ?? { profile: run.profile })),
          retries: run.recorder.exchanges.reduce((sum, { retries }) => sum + retries.length, 0),
          warnings: [...run.warnings(), ...leftWith(waiting, options)],
          unlocks: lacking(run.profile, options.only),
          ...(confirmation ? { confirmation } : {}),
          ...(run.profile.mustRun ? { mustRun: run.profile.mustRun } : {}),
        };
      };
      // An interrupt during the confirmation ends the run at once: then this is what it knows.
      const secure = async () => handOver(await record());
      const confirmation =
        stop && !run.tenancy.interrupted
          ? await confirmFailures(run, options, { startedAt, stop, secure })
          : undefined;
      // What people are still asked to sign stays until the run was resumed.
      if (!waiting || waiting.left.length === 0) await run.tenancy.cleanUp();
      handOver(await record(confirmation));
      await run.close();
      waiting?.close();
      run.tenancy.end();
    }
    await host.close();
    await target?.close();
    stop?.end();
  };
}

/** How to go on with what people have not done. */
function leftWith(waiting: WaitingLedger | undefined, { target, out }: RunOptions): string[] {
  const { length } = waiting?.left ?? [];
  if (length === 0) return [];
  const requests = length === 1 ? '1 request waits' : `${length} requests wait`;
  return [`${requests} for people; go on with: run --target ${target} --resume ${shown(out)}`];
}

function shown(path: string): string {
  const relativePath = relative(process.cwd(), path);
  return relativePath.startsWith('..') ? path : relativePath;
}

/** The gaps whose key stands in the profile, with what it says. */
function answeredGaps(loaded: Pick<LoadedProfile, 'profile' | 'written'>): RunRecord['answeredByProfile'] {
  return gaps.flatMap(({ id, profileKey }) => {
    const says = profileKey === undefined ? undefined : saidUnder(profileKey, loaded);
    return says === undefined ? [] : [{ gap: id, says }];
  });
}

/** Flows begin at once when the command line selects a check that needs them; else when a check asks. */
function needsFlows(only: readonly string[] | undefined, profile: LoadedProfile['profile']): boolean {
  if (!startedByCommandLine() || !profile.signing || isProduction(profile)) return false;
  return flows.some(({ proves }) => proves.some((id) => !only || only.includes(id)));
}

function targetOf(profile: LoadedProfile['profile'], target: Target | null) {
  const { baseUrl } = profile.address;
  return {
    name: targetName(profile),
    baseUrl,
    profileHash: target?.loaded.hash ?? '',
  };
}
