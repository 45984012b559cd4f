/** A session inside the worker, against a reference service of its own: how faults are put before the checks. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDefaults } from '../harness/run-options.ts';
import { RunSession } from '../harness/run-session.ts';
import { flows } from './flows/all.ts';
import { startReferenceTarget } from './reference-target.ts';

/** Starts the reference service with one fault; `use` gets a session at it. */
export async function withFault(fault: string, use: (session: RunSession) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'esign-fault-'));
  const target = await startReferenceTarget({ faults: [fault] });
  const session = new RunSession(
    target.loaded,
    { ...runDefaults, out: folder },
    { runId: 'faults', callbackUrl: 'http://127.0.0.1:9/', flows, profileDir: folder },
  );
  try {
    await use(session);
  } finally {
    await session.close();
    await target.close();
    await rm(folder, { recursive: true, force: true });
  }
}
