/** Gives tests and proofs a state folder of their own, so that nothing is kept in that of the user who runs them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Environment variables that make this the user's state folder, on each system. */
export const stateIn = (folder: string) => ({ XDG_STATE_HOME: folder, LOCALAPPDATA: folder });

const folder = mkdtempSync(join(tmpdir(), 'esign-tests-state-'));
Object.assign(process.env, stateIn(folder));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
