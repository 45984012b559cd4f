/** What it proves that people were written to, or were not: nothing where their messages cannot be read. */
import { CouldNotRun } from '../../record/errors.ts';
import type { SigningTask } from '../people/driver.ts';
import type { Deferred, FlowJudgement } from './flow.ts';
import type { FlowParts } from './flow-parts.ts';

/** The judgements about messages, once it is known which channels could be read. */
export function messageJudgements(
  deferred: readonly Deferred[],
  channelsRead: ReadonlySet<Deferred['channel']>,
): FlowJudgement[] {
  return deferred.map(({ channel, problem, ...judgement }) => {
    const why = problem ?? (channelsRead.has(channel) ? undefined : 'no message could be read');
    if (why === undefined) return judgement;
    return { ...judgement, verdict: 'could-not-run', message: `${why}: ${judgement.message}` };
  });
}

/** Whether the signing page is reached by a link in an e-mail, and none came. */
export async function isUninvited({ driver, outbox }: FlowParts, task: SigningTask): Promise<boolean> {
  if (!driver.shows || !outbox.reads('email')) return false;
  return (await outbox.link(task)) === undefined && outbox.problem(task, 'email') === undefined;
}

/** That nobody was written to whose addition was refused; nothing where no message of anybody could be read. */
export async function messagesInVain(
  refused: readonly { readonly what: string; readonly task: SigningTask }[],
  { outbox, channelsRead }: FlowParts,
): Promise<FlowJudgement[]> {
  if (!channelsRead.has('email')) return [];
  const requirement = 'signatory.refused-without-effect';
  return Promise.all(
    refused.map(async ({ what, task }): Promise<FlowJudgement> => {
      const seen = await outbox.known(task, 'email').catch(notToBeRead);
      if (typeof seen === 'string') {
        return { requirement, verdict: 'could-not-run', message: `${what}: ${seen}`, exchanges: [] };
      }
      const written = seen.size > 0;
      const message = `whose addition ${what} was refused, was ${written ? '' : 'not '}written to`;
      return { requirement, verdict: written ? 'failed' : 'passed', message, exchanges: [] };
    }),
  );
}

/** Why a mailbox was not asked, such as a run that is interrupted. */
function notToBeRead(error: unknown): string {
  if (error instanceof CouldNotRun) return error.message;
  throw error;
}
