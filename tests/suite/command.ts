/** Runs the command line as a user does: a process of its own, its output, its exit code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '../../reports/run.ts';
import { start } from './cli-spawn.ts';

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Ends with the process. Variables that a run of the tests itself brings are not passed on. */
export async function command(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandResult> {
  const { code, stdout, stderr } = await start(args, { env: { NO_COLOR: '1', ...env } }).ended;
  return { exitCode: code, stdout, stderr };
}

/** The run file in a folder. */
export function readRun(folder: string): Run {
  return JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as Run;
}

/** Ids of the requirements with a verdict. */
export function withVerdict(run: Run, verdict: string): string[] {
  return run.requirements.filter((each) => each.verdict === verdict).map(({ id }) => id);
}
