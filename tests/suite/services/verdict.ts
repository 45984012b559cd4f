/** What a judgement comes to, and how it is told. */
import type { Judged } from '../../../harness/judging/case.ts';
import { CouldNotRun } from '../../../record/errors.ts';
import { findingText } from '../../../record/finding-text.ts';

export type Verdict = Judged['verdict'];

export async function verdictOf(
  work: Promise<Judged>,
): Promise<{ verdict: Verdict; message: string; cause: Judged['found']['cause'] }> {
  try {
    const { verdict, found, answers } = await work;
    const at = (index: number) => answers.find(({ exchange }) => exchange.index === index)?.exchange;
    const message = verdict === 'passed' ? '' : (findingText(found, at) ?? '');
    return { verdict, message, cause: found.cause };
  } catch (error) {
    if (!(error instanceof CouldNotRun)) throw error;
    return { verdict: 'could-not-run', message: error.message, cause: error.found.cause };
  }
}
