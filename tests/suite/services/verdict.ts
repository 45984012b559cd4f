/** What a judgement comes to: by the error that it throws. */

import { Violation } from '../../../harness/judging/check.ts';
import { CouldNotRun } from '../../../record/errors.ts';

export type Verdict = 'passed' | 'failed' | 'could-not-run';

export async function verdictOf(work: Promise<unknown>): Promise<{ verdict: Verdict; message: string }> {
  try {
    await work;
    return { verdict: 'passed', message: '' };
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof Violation) return { verdict: 'failed', message };
    if (error instanceof CouldNotRun) return { verdict: 'could-not-run', message };
    throw error;
  }
}
