/** The work of one process of a pool: takes jobs, several at a time, and sends their results. */

/** Called once, by the module of the process. */
export function takeJobs<Job, Result>(doJob: (job: Job) => Promise<Result>): void {
  process.on('message', ({ number, job }: { number: number; job: Job }) => {
    doJob(job).then(
      (result) => process.send?.({ job: number, result }),
      (error: Error) => process.send?.({ job: number, broke: error.stack ?? error.message }),
    );
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ ready: true });
}
