/** A process that runs the checks against rows of dialects. */
import { takeJobs } from '../pool-work.ts';
import { runRow } from './run-row.ts';

takeJobs(runRow);
