/** Opens a session inside this process at a target of its own, and closes both after use. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FlowDefinition } from '../../harness/flows/flow.ts';
import type { LoadedProfile } from '../../harness/profile/load.ts';
import { type RunOptions, runDefaults } from '../../harness/profile/run-options.ts';
import type { Profile } from '../../harness/profile/schema.ts';
import { RunSession } from '../../harness/session/run-session.ts';
import { startReferenceTarget, type Target } from '../../running/reference-target.ts';
import './own-state.ts';

interface SessionSettings {
  readonly runId: string;
  readonly flows: readonly FlowDefinition[];
  /** Takes the callbacks of requests that no check listens to; without it, nobody listens. */
  readonly callbackUrl?: string;
  readonly options?: Partial<RunOptions>;
}

/** A profile that was not read from a file. */
export const asLoaded = (profile: Profile): LoadedProfile => ({ profile, hash: '', secrets: new Map() });

/** The reference service, with parts of its profile changed. */
export async function changedReference(
  options: Parameters<typeof startReferenceTarget>[0],
  change: (profile: Profile) => Partial<Profile>,
): Promise<Target> {
  const { loaded, close } = await startReferenceTarget(options);
  return { loaded: { ...loaded, profile: { ...loaded.profile, ...change(loaded.profile) } }, close };
}

/** @param start the target; the folder takes what a run keeps, and is removed in the end */
export async function withSession<Result>(
  start: (folder: string) => Promise<Target>,
  { runId, flows, callbackUrl = 'http://127.0.0.1:9/', options }: SessionSettings,
  use: (session: RunSession) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'esign-proof-'));
  const target = await start(folder);
  const session = new RunSession(
    target.loaded,
    { ...runDefaults, ...options, out: folder },
    { runId, callbackUrl, flows, profileDir: folder },
  );
  try {
    return await use(session);
  } finally {
    await session.close();
    session.stages.assertWhole();
    await target.close();
    await rm(folder, { recursive: true, force: true });
  }
}
