/** A session inside the worker, against a reference service that speaks one dialect. */

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProfile, withoutAliases } from '../../../harness/profile/load.ts';
import { runDefaults } from '../../../harness/profile/run-options.ts';
import type { Profile } from '../../../harness/profile/schema.ts';
import { RunSession } from '../../../harness/running/run-session.ts';
import { type Reference, startReference } from '../../../reference/server.ts';
import { packageRoot } from '../../../reports/package.ts';
import { flows } from '../../flows/all.ts';
import { startForeign } from '../../suite/services/foreign/start.ts';
import { firstProfiles } from './first-profiles.ts';
import { dialectProfile, emptyProfile } from './profile.ts';
import type { DialectRow, Foreigner } from './rows.ts';

/** Starts the service of a row; `use` gets a session at it. */
export async function withDialect(
  row: DialectRow,
  use: (session: RunSession) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'esign-dialect-'));
  const target = row.foreign ? await foreignTarget(row.foreign, row.profile) : await referenceTarget(row);
  const callbacks = await deafListener();
  const session = new RunSession(
    { profile: target.profile, hash: '', secrets: new Map() },
    { ...runDefaults, out: folder },
    { runId: 'dialect', callbackUrl: urlOf(callbacks), flows, profileDir: folder },
  );
  try {
    session.startFlows();
    await use(session);
  } finally {
    await session.close();
    session.stages.assertWhole();
    await target.close();
    callbacks.closeAllConnections();
    callbacks.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Target {
  readonly profile: Profile;
  close(): Promise<void>;
}

async function referenceTarget({ dialect, profile }: DialectRow): Promise<Target> {
  const reference = await startReference({ dialect });
  return {
    profile: profileOf(reference, profile),
    close: () => reference.close(),
  };
}

function profileOf(reference: Reference, profile: DialectRow['profile']): Profile {
  if (profile === 'derived') return dialectProfile(reference);
  const { baseUrl, tokens } = reference;
  const env = { SANDBOX_URL: baseUrl, SANDBOX_TOKEN: tokens.valid };
  if (typeof profile === 'object' && 'file' in profile) return written(profile.file, env);
  const empty = emptyProfile(reference);
  return profile === 'empty' ? empty : withoutAliases({ ...empty, ...firstProfiles[profile.first] });
}

/** A profile in a file of the checkout; what it refers to in the environment is filled in. */
export function written(file: string, env: NodeJS.ProcessEnv): Profile {
  const loaded = loadProfile({ target: join(packageRoot(), file) }, env);
  if (!loaded) throw new Error(`no profile is in ${file}`);
  const { address } = loaded.profile;
  // A machine on which much else runs is no slow service.
  return { ...loaded.profile, address: { ...address, deadlineMs: 60_000 } };
}

/** With a first profile, or with nothing but an address and tokens. */
async function foreignTarget(name: Foreigner, profile: DialectRow['profile']): Promise<Target> {
  const service = await startForeign(name);
  const { baseUrl, token, expiredToken } = service;
  const env = { FOREIGN_URL: baseUrl, FOREIGN_TOKEN: token };
  const known: Profile =
    typeof profile === 'object' && 'file' in profile
      ? written(profile.file, env)
      : { address: { baseUrl }, auth: { kind: 'static', token, expiredToken } };
  return {
    profile: known,
    close: () => service.close(),
  };
}

/** Takes the callbacks of requests that no check listens to, as the run host does. */
async function deafListener(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`;
}
