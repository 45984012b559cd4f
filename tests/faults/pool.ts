/** Puts faults before the checks in several processes at the same time. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Job } from './child.ts';
import type { FaultResult } from './fault-result.ts';

const child = fileURLToPath(new URL('./child.ts', import.meta.url));

/** While one fault waits for silence or for a deadline, another one runs. */
const faultsAtATime = 3;

type Told =
  | { readonly ready: true }
  | { readonly result: FaultResult }
  | { readonly fault: string | null; readonly broke: string };

/**
 * Does all jobs and calls `done` with each result as it comes.
 * @throws when a process ends before its jobs do
 */
export async function runJobs(
  jobs: readonly Job[],
  options: { readonly processes: number; readonly done: (result: FaultResult) => void },
): Promise<void> {
  const waiting = [...jobs];
  const processes = Math.min(options.processes, Math.ceil(jobs.length / faultsAtATime));
  await Promise.all(Array.from({ length: processes }, () => work(waiting, options.done)));
}

async function work(waiting: Job[], done: (result: FaultResult) => void): Promise<void> {
  const started = fork(child, [], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let underWay = 0;
  const next = (process: ChildProcess) => {
    const job = waiting.shift();
    if (job) {
      underWay += 1;
      process.send(job);
    } else if (underWay === 0) process.disconnect();
  };
  await new Promise<void>((resolve, reject) => {
    started.on('message', (told: Told) => {
      if ('ready' in told) {
        for (let place = 0; place < faultsAtATime; place += 1) next(started);
        return;
      }
      underWay -= 1;
      done('result' in told ? told.result : brokenResult(told.fault ?? '', told.broke));
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
function brokenResult(fault: string, message: string): FaultResult {
  return { fault, ran: [], rows: [], red: {}, couldNotRun: {}, errors: { suite: message } };
}
