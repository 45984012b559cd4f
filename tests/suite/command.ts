/** Runs the command line as a user does: a process of its own, its output, its exit code. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Run } from '../../reports/run.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Ends with the process. Variables that a run of the tests itself brings are not passed on. */
export function command(args: readonly string[], env: Record<string, string> = {}): Promise<CommandResult> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(ESIGN_|GITHUB_|PLAYWRIGHT_|PW_|TEST_|FORCE_COLOR|NODE_OPTIONS)/.test(name),
  );
  const child = spawn(process.execPath, [join(root, 'bin/esign-conformance.mjs'), ...args], {
    cwd: root,
    env: { ...Object.fromEntries(inherited), NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}

/** The run file in a folder. */
export function readRun(folder: string): Run {
  return JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as Run;
}

/** Ids of the requirements with a verdict. */
export function withVerdict(run: Run, verdict: string): string[] {
  return run.requirements.filter((each) => each.verdict === verdict).map(({ id }) => id);
}
