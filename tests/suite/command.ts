/** Runs the command line, and reads what it leaves. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '../../reports/run.ts';
import { inProcess } from './cli-spawn.ts';

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Variables that a run of the tests itself brings are not passed on. */
export async function command(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandResult> {
  const { code, stdout, stderr } = await inProcess(args, { NO_COLOR: '1', ...env });
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
