/** A process that runs the checks against services with faults. */
import { takeJobs } from '../pool-work.ts';
import { doJob } from './job.ts';

takeJobs(doJob);
