/** The folder of the user for what outlives a run and belongs to nobody else: the XDG state folder, or its like. */
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

export const thisMachine = (): Machine => ({ platform: process.platform, home: homedir(), env: process.env });

/** Absolute path of the suite's own folder there; it need not exist. */
export function stateFolder({ platform, home, env }: Machine = thisMachine()): string {
  const base =
    platform === 'win32'
      ? env.LOCALAPPDATA || join(home, 'AppData', 'Local')
      : env.XDG_STATE_HOME || join(home, '.local', 'state');
  return join(base, 'esign-conformance');
}
