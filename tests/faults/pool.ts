/** Puts faults before the checks in several processes at the same time. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FaultId } from '../../reference/faults.ts';
import type { FaultResult } from './fault-result.ts';
import type { Job } from './job.ts';

/** The sources as they stand need a loader, compiled ones do not. */
const isSource = import.meta.url.endsWith('.ts');
const child = fileURLToPath(new URL(isSource ? './child.ts' : './child.js', import.meta.url));

/** What a process tells of itself. */
type Told =
  | { readonly ready: true }
  | { readonly result: FaultResult }
  | { readonly fault: FaultId | null; readonly broke: string };

export interface PoolOptions {
  readonly processes: number;
  /** How many faults a process has under way: while one waits for silence, another one runs. */
  readonly atATime: number;
  /** Is told each result as it comes. */
  readonly done: (result: FaultResult) => void;
}

/**
 * Does all jobs.
 * @throws when a process ends before its jobs do
 */
export async function runJobs(jobs: readonly Job[], options: PoolOptions): Promise<void> {
  const waiting = [...jobs];
  const processes = Math.min(options.processes, Math.ceil(jobs.length / options.atATime));
  await Promise.all(Array.from({ length: processes }, () => work(waiting, options)));
}

async function work(waiting: Job[], { atATime, done }: PoolOptions): Promise<void> {
  const started = fork(child, [], {
    execArgv: isSource ? ['--import', 'tsx'] : [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let underWay = 0;
  const next = (process: ChildProcess) => {
    const job = waiting.shift();
    if (job) {
      underWay += 1;
      process.send(job);
    } else if (underWay === 0) {
      process.disconnect();
    }
  };
  await new Promise<void>((resolve, reject) => {
    started.on('message', (told: Told) => {
      if ('ready' in told) {
        const places = Math.min(atATime, Math.max(1, waiting.length));
        for (let place = 0; place < places; place += 1) next(started);
        return;
      }
      underWay -= 1;
      done('result' in told ? told.result : broken(told.fault, told.broke));
      next(started);
    });
    started.once('error', reject);
    started.once('exit', (code) => {
      if (underWay === 0) resolve();
      else reject(new Error(`a process of the fault runs ended with ${code}, ${underWay} faults under way`));
    });
  });
}

/** The suite itself broke. */
function broken(fault: FaultId | null, message: string): FaultResult {
  return { fault, ran: [], rows: {}, red: {}, couldNotRun: {}, errors: { 'the suite': message } };
}
