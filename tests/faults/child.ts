/** A process that puts faults before the checks: takes jobs, several at a time, and tells what came of each. */
import { doJob, type Job } from './job.ts';

process.on('message', (job: Job) => {
  doJob(job).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ fault: job.fault, broke: error.stack ?? error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
