/** Does jobs in several processes at the same time. */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

interface Pool<Job, Result> {
  /** The module that exports `doJob`, without its ending. */
  readonly module: URL;
  /** How many jobs a process has under way: while one waits for silence, another one runs. */
  readonly atATime: number;
  /** Is called with each result as it comes, and the number of results by then. */
  readonly told: (result: Result, count: number) => void;
  readonly isRight: (result: Result) => boolean;
  /** The result of a job in which the suite itself broke. */
  readonly broken: (job: Job, message: string) => Result;
  readonly name: (job: Job) => string;
}

/** Messages of a process; jobs have numbers. */
export type Told<Result> =
  | { readonly ready: true }
  | { readonly job: number; readonly result: Result }
  | { readonly job: number; readonly broke: string };

/** TypeScript sources need a loader, compiled ones do not. */
const isSource = import.meta.url.endsWith('.ts');

/** Most processes of a pool: more would only slow each other down. */
const mostProcesses = 4;

/**
 * Does all jobs, then repeats each whose result is not right, alone, since a busy machine may be the reason.
 * @returns the results in the order of the jobs
 * @throws when a process ends before its jobs do
 */
export async function runJobs<Job extends object, Result>(
  jobs: readonly Job[],
  pool: Pool<Job, Result>,
): Promise<readonly Result[]> {
  const results = new Map<Job, Result>();
  const keep = (result: Result, job: Job) => results.set(job, result);
  const processes = Math.min(mostProcesses, availableParallelism(), Math.ceil(jobs.length / pool.atATime));
  const todo = [...jobs];
  const told = (result: Result, job: Job) => {
    keep(result, job);
    pool.told(result, results.size);
  };
  await Promise.all(Array.from({ length: processes }, () => work(todo, pool, told)));
  const again = jobs.filter((job) => {
    const result = results.get(job);
    return result === undefined || !pool.isRight(result);
  });
  if (again.length > 0) {
    process.stdout.write(`once more, alone: ${again.map(pool.name).join(', ')}\n`);
    await work(again, { ...pool, atATime: 1 }, keep);
  }
  return jobs.flatMap((job) => results.get(job) ?? []);
}

/** One process; takes from the jobs that are left until there is none. */
async function work<Job extends object, Result>(
  waiting: Job[],
  { module, atATime, broken }: Pool<Job, Result>,
  done: (result: Result, job: Job) => void,
): Promise<void> {
  const fileOf = ({ href }: URL) => `${href}${isSource ? '.ts' : '.js'}`;
  const program = new URL(fileOf(new URL('./pool-work', import.meta.url)));
  const started = fork(fileURLToPath(program), [fileOf(module)], {
    // Calls make many short-lived objects: with more room for them, garbage collection copies and looks for fewer.
    execArgv: [
      ...process.execArgv,
      '--max-semi-space-size=64',
      '--initial-old-space-size=256',
      ...(isSource ? ['--import', 'tsx'] : []),
    ],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const taken: Job[] = [];
  let underWay = 0;
  const next = (process: ChildProcess) => {
    const job = waiting.shift();
    if (job) {
      underWay += 1;
      process.send({ number: taken.push(job) - 1, job });
    } else if (underWay === 0) {
      process.disconnect();
    }
  };
  await new Promise<void>((resolve, reject) => {
    started.on('message', (told: Told<Result>) => {
      if ('ready' in told) {
        const places = Math.min(atATime, Math.max(1, waiting.length));
        for (let place = 0; place < places; place += 1) next(started);
        return;
      }
      underWay -= 1;
      const job = taken[told.job] as Job;
      done('result' in told ? told.result : broken(job, told.broke), job);
      next(started);
    });
    started.once('error', reject);
    started.once('exit', (code) => {
      if (underWay === 0) resolve();
      else reject(new Error(`a process ended with ${code}, ${underWay} jobs under way`));
    });
  });
}
