/** A session inside the worker, against a reference service that speaks one dialect. */

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDefaults } from '../harness/run-options.ts';
import { RunSession } from '../harness/run-session.ts';
import { startReference } from '../reference/server.ts';
import { dialectProfile, emptyProfile } from './dialects-profile.ts';
import { type DialectRow, dialectRow } from './dialects-rows.ts';
import { flows } from './flows/all.ts';

/** Starts the reference service as a row says; `use` gets a session at it. */
export async function withDialect(name: string, use: (session: RunSession) => Promise<void>): Promise<void> {
  const row: DialectRow = dialectRow(name);
  const folder = await mkdtemp(join(tmpdir(), 'esign-dialect-'));
  const reference = await startReference({ dialect: row.dialect });
  const callbacks = await deafListener();
  const profile = row.profile === 'empty' ? emptyProfile(reference) : dialectProfile(reference);
  const session = new RunSession(
    { profile, hash: '', secrets: new Map() },
    { ...runDefaults, out: folder },
    { runId: 'dialect', callbackUrl: urlOf(callbacks), flows, profileDir: folder },
  );
  try {
    session.startFlows();
    await use(session);
  } finally {
    await session.close();
    await reference.close();
    callbacks.closeAllConnections();
    callbacks.close();
    await rm(folder, { recursive: true, force: true });
  }
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
