/** Whatever tests and proofs start keeps nothing in the folder of the user who runs them: they have one of their own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The environment in which the folder of the user is this one, on each system. */
export const stateIn = (folder: string) => ({ XDG_STATE_HOME: folder, LOCALAPPDATA: folder });

const folder = mkdtempSync(join(tmpdir(), 'esign-tests-state-'));
Object.assign(process.env, stateIn(folder));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
