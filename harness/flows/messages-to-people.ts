/** What it proves that people were written to, or were not: nothing where their messages cannot be read. */
import { CouldNotRun } from '../../record/errors.ts';
import type { Address } from '../callbacks/address.ts';
import type { SigningTask } from '../people/driver.ts';
import { type Deferred, type FlowJudgement, withoutEffect } from './flow.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowRequest } from './flow-request.ts';
import { nameless, silenceOf } from './settle.ts';

/** The judgements about messages, once it is known which channels could be read. */
export function messageJudgements(
  deferred: readonly Deferred[],
  channelsRead: ReadonlySet<Deferred['channel']>,
): FlowJudgement[] {
  return deferred.map(({ channel, problem, ...judgement }) => {
    const why = problem ?? (channelsRead.has(channel) ? undefined : 'no message could be read');
    if (why === undefined) return judgement;
    const cause = { excuse: 'unread-messages', because: { what: why } } as const;
    return { ...judgement, verdict: 'could-not-run', found: { ...judgement.found, cause } };
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
  const about = { requirement: withoutEffect[operation], exchanges: [] };
  const flow = { expected: { is: 'not-written-to', call: what } } as const;
  const seen = await outbox.known(task, 'email').catch(notToBeRead);
  if (typeof seen === 'string') {
    const cause = { excuse: 'unread-messages', because: { what: seen } } as const;
    return { ...about, verdict: 'could-not-run', found: { flow, cause } };
  }
  return { ...about, verdict: seen.size > 0 ? 'failed' : 'passed', found: { flow } };
}

/** Where all requests share a URL, what nobody claims may be about one that was refused. */
function callbackInVain(address: Address, { listener, settings }: FlowParts): FlowJudgement {
  const { foreign, held } = listener.counts();
  const deliveries = address.deliveries().map(({ index }) => index);
  const isUnclear = settings.correlate === 'request-id' && foreign + held > 0;
  const cause = silenceOf(listener, settings) ?? (isUnclear ? nameless : undefined);
  const flow = { expected: { is: 'none-in-vain' } } as const;
  const came = deliveries.length > 0;
  return {
    requirement: withoutEffect.createSkeletonRequest,
    verdict: came ? 'failed' : cause ? 'could-not-run' : 'passed',
    found: { flow, ...(cause && !came ? { cause } : {}) },
    exchanges: [],
    deliveries,
  };
}

/** Why a mailbox was not asked, such as a run that is interrupted. */
function notToBeRead(error: unknown): string {
  if (error instanceof CouldNotRun) return error.message;
  throw error;
}
