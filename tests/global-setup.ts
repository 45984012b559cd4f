/** Before the first test: brings the run host up. After the last: hands over what was recorded. */
import { dirname } from 'node:path';
import type { FullConfig } from '@playwright/test';
import { announce, startHost } from '../harness/host.ts';
import { assertLoggedIn } from '../harness/logged-in.ts';
import { valueAt } from '../harness/pointer.ts';
import { type LoadedProfile, loadProfile } from '../harness/profile/load.ts';
import { roundOf } from '../harness/round.ts';
import { newRunId } from '../harness/run-id.ts';
import { runOptions, startedByCommandLine } from '../harness/run-options.ts';
import { RunSession } from '../harness/run-session.ts';
import { isProduction } from '../harness/smoke.ts';
import { targetName } from '../harness/target-name.ts';
import { lacking } from '../harness/unlocks.ts';
import { gaps } from '../openapi/gaps/register.ts';
import { handOver } from '../reports/record.ts';
import { confirmFailures } from './confirm.ts';
import { flows } from './flows/all.ts';
import { startReferenceTarget, type Target } from './reference-target.ts';

/** Nothing but the host is started before a check asks: the suite's own tests need no target. */
export default async function globalSetup(_: FullConfig): Promise<() => Promise<void>> {
  // The host of the run is up already.
  if (roundOf()) return async () => {};
  const startedAt = new Date().toISOString();
  const options = runOptions();
  const loaded = loadProfile(options);
  if (loaded) assertLoggedIn(loaded);
  let target: Target | null = null;
  let session: Promise<RunSession> | null = null;

  const open = async (): Promise<RunSession> => {
    target = loaded ? { loaded, close: async () => {} } : await startReferenceTarget();
    const runId = newRunId();
    const run = new RunSession(target.loaded, options, {
      runId,
      callbackUrl: `${host.address.url}/callbacks`,
      flows,
      profileDir: target.loaded.file ? dirname(target.loaded.file) : process.cwd(),
    });
    if (needsFlows(options.only, run.profile)) run.startFlows();
    return run;
  };
  const host = await startHost(() => {
    session ??= open();
    return session;
  });
  announce(host.address);
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
      const confirmation = startedByCommandLine()
        ? await confirmFailures(run, options, startedAt)
        : undefined;
      handOver({
        target: targetOf(run.profile, target),
        seed: options.seed,
        startedAt,
        exchanges: run.recorder.settled(),
        deliveries: await run.deliveries(),
        created: run.created(),
        observations: await run.observations(),
        answeredByProfile: answeredGaps(run.profile),
        retries: run.recorder.exchanges.reduce((sum, { retries }) => sum + retries.length, 0),
        warnings: run.warnings(),
        unlocks: lacking(run.profile),
        ...(confirmation ? { confirmation } : {}),
        ...(run.profile.mustRun ? { mustRun: run.profile.mustRun } : {}),
      });
      await run.close();
    }
    await host.close();
    await target?.close();
  };
}

/** The gaps whose key stands in the profile. */
function answeredGaps(profile: LoadedProfile['profile']): string[] {
  return gaps
    .filter(({ profileKey }) => profileKey !== undefined && stands(profile, profileKey))
    .map(({ id }) => id);
}

function stands(profile: unknown, key: string): boolean {
  return valueAt(profile, `/${key.replaceAll('.', '/')}`) !== undefined;
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
