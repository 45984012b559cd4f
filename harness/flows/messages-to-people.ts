/** What it proves that people were written to, or were not: nothing where their messages cannot be read. */
import { CouldNotRun } from '../../record/errors.ts';
import type { Address } from '../callbacks/mailbox.ts';
import type { SigningTask } from '../people/driver.ts';
import { type Deferred, type FlowJudgement, withoutEffect } from './flow.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowRequest } from './flow-request.ts';
import { nothingArrived } from './silence.ts';

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

/** That calls which were refused left nothing behind: nobody was written to, and no callback came. */
export async function inVain(
  { refused, inVain: address }: Pick<FlowRequest, 'refused' | 'inVain'>,
  parts: FlowParts,
): Promise<FlowJudgement[]> {
  const people = refused.filter(({ operation }) => operation !== 'createSkeletonRequest');
  const messages = parts.channelsRead.has('email') ? people.map((each) => messageInVain(each, parts)) : [];
  return [...(await Promise.all(messages)), ...(address ? [callbackInVain(address, parts)] : [])];
}

async function messageInVain(
  { what, operation, task }: FlowRequest['refused'][number],
  { outbox }: FlowParts,
): Promise<FlowJudgement> {
  const requirement = withoutEffect[operation];
  const seen = await outbox.known(task, 'email').catch(notToBeRead);
  if (typeof seen === 'string') {
    return { requirement, verdict: 'could-not-run', message: `${what}: ${seen}`, exchanges: [] };
  }
  const written = seen.size > 0;
  const message = `${what} was refused, and its signatory was ${written ? '' : 'not '}written to`;
  return { requirement, verdict: written ? 'failed' : 'passed', message, exchanges: [] };
}

/** Where all requests share a URL, what nobody claims may be about one that was refused. */
function callbackInVain(address: Address, { listener, settings }: FlowParts): FlowJudgement {
  const requirement = withoutEffect.createSkeletonRequest;
  const { foreign, held } = listener.counts();
  const came = address.deliveries().map(({ index }) => index);
  const judgement = (verdict: FlowJudgement['verdict'], message: string): FlowJudgement => ({
    requirement,
    verdict,
    message,
    exchanges: [],
    deliveries: came,
  });
  if (came.length > 0)
    return judgement('failed', 'a callback came to a CallbackUrl that only refused creations named');
  const unclear = settings.correlate === 'request-id' && foreign + held > 0;
  if (nothingArrived(listener)) return judgement('could-not-run', 'no callback arrived at all');
  if (unclear) return judgement('could-not-run', 'callbacks came that name no request of the run');
  return judgement('passed', 'no callback came for a creation that was refused');
}

/** Why a mailbox was not asked, such as a run that is interrupted. */
function notToBeRead(error: unknown): string {
  if (error instanceof CouldNotRun) return error.message;
  throw error;
}
