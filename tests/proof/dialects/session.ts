/** A session inside the worker, against a reference service that speaks one dialect. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { FlowDefinition } from '../../../harness/flows/flow.ts';
import { type LoadedProfile, loadProfile, withoutAliases } from '../../../harness/profile/load.ts';
import type { Profile } from '../../../harness/profile/schema.ts';
import type { RunSession } from '../../../harness/session/run-session.ts';
import { startReference } from '../../../reference/server.ts';
import { packageRoot } from '../../../reports/run/package.ts';
import type { Target } from '../../../running/reference-target.ts';
import { deadPort, serve } from '../../suite/services/loopback.ts';
import { asLoaded, withSession } from '../session.ts';
import { firstProfiles } from './first-profiles.ts';
import { startForeign } from './foreign/start.ts';
import { dialectProfile, emptyProfile } from './profile.ts';
import type { DialectRow, Foreigner, Written } from './rows.ts';
import { environmentOf } from './sandboxes.ts';

/** Starts the service of a row; `use` gets a session at it. */
export async function withDialect<Result>(
  row: DialectRow,
  flows: readonly FlowDefinition[],
  use: (session: RunSession) => Promise<Result>,
): Promise<Result> {
  // Takes the callbacks of requests that no check listens to, as the run host does.
  const callbacks = await serve((_, response) => response.end());
  const start = (folder: string) =>
    row.foreign ? foreignTarget(row.foreign, row.profile, folder) : referenceTarget(row, folder);
  const settings = { runId: 'dialect', flows, callbackUrl: `${callbacks.baseUrl}/callbacks` };
  try {
    return await withSession(start, settings, (session) => {
      session.startFlows();
      return use(session);
    });
  } finally {
    await callbacks.close();
  }
}

async function referenceTarget({ dialect, profile }: DialectRow, folder: string): Promise<Target> {
  const reference = await startReference({ dialect });
  const close = () => reference.close();
  if (profile === 'derived') return { loaded: asLoaded(dialectProfile(reference)), close };
  if (typeof profile === 'object' && 'file' in profile) {
    return { loaded: await loadWritten(profile, await environmentOf(reference), folder), close };
  }
  const empty = emptyProfile(reference);
  const known = profile === 'empty' ? empty : withoutAliases({ ...empty, ...firstProfiles[profile.first] });
  return { loaded: asLoaded(known), close };
}

/**
 * A profile in a file of the checkout; what it refers to in the environment is filled in.
 * @param folder takes what a run with this profile keeps
 */
async function loadWritten(
  { file, mistaken }: Written,
  env: NodeJS.ProcessEnv,
  folder: string,
): Promise<LoadedProfile> {
  const target = join(folder, 'profile.json');
  const { callbacks = {} } = parse(await readFile(join(packageRoot(), file), 'utf8')) as Partial<Profile>;
  const port = callbacks.publicUrl === undefined ? undefined : await deadPort();
  // The port of the profile may be taken on this machine.
  const here =
    port === undefined ? {} : { callbacks: { listen: { port }, publicUrl: `http://127.0.0.1:${port}` } };
  await writeFile(target, JSON.stringify({ extends: join(packageRoot(), file), ...here }));
  const loaded = loadProfile({ target }, env);
  if (!loaded) throw new Error(`no profile is in ${file}`);
  const { address } = loaded.profile;
  // The deadline is long enough for a busy machine.
  return {
    ...loaded,
    profile: withoutAliases({
      ...loaded.profile,
      address: { ...address, deadlineMs: 60_000 },
      ...mistaken,
    }),
  };
}

/** A foreign service, with a first profile or with nothing but an address and tokens. */
async function foreignTarget(
  name: Foreigner,
  profile: DialectRow['profile'],
  folder: string,
): Promise<Target> {
  const service = await startForeign(name);
  const { baseUrl, token, expiredToken } = service;
  const env = { FOREIGN_URL: baseUrl, FOREIGN_TOKEN: token };
  const loaded =
    typeof profile === 'object' && 'file' in profile
      ? await loadWritten(profile, env, folder)
      : asLoaded({ address: { baseUrl }, auth: { kind: 'static', token, expiredToken } });
  return { loaded, close: () => service.close() };
}
