/** A process that puts faults before the checks. */
import { takeJobs } from '../pool-work.ts';
import { doJob } from './job.ts';

takeJobs(doJob);
