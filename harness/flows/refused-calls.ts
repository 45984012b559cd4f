/** Makes the calls of a flow that have to be refused, and judges that they have no effect. */

import { minimalRequest } from '../../generators/bodies/request.ts';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { minimalStamped } from '../../generators/bodies/stamping.ts';
import { alter } from '../../generators/ids.ts';
import { event, role } from '../../openapi/codes.ts';
import { CouldNotRun, callFailed } from '../../record/errors.ts';
import type { Address } from '../callbacks/address.ts';
import { type ReadDelivery, readDelivery } from '../callbacks/reading.ts';
import { isNotThere } from '../judging/classify.ts';
import { personAt, titleAt } from '../judging/names.ts';
import { type FlowJudgement, withoutEffect } from '../judging/sequence/judgement.ts';
import { nameless, silenceOf } from '../judging/sequence/settle.ts';
import type { SigningTask } from '../people/driver.ts';
import { queryProof } from '../profile/callback-settings.ts';
import { canCallBack } from '../profile/needs.ts';
import { type Answer, type Call, isAccepted } from '../target/call.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowPlan, RefusedCall } from './flow-plan.ts';

/** The requirements that are not applicable where an expired access token cannot be had. */
const expiring = {
  addSignatory: 'signatory.token-expired',
  createSkeletonRequest: 'skeleton.token-expired',
  createStampedRequest: 'stamping.token-expired',
} as const;

/** A call that was refused, with the person in it. */
export type CallInVain = RefusedCall & { readonly task: SigningTask };

/** A request of a flow, as far as it matters here. */
interface Refusing {
  readonly definition: FlowPlan;
  readonly requestId: string;
  readonly exchanges: number[];
  /** Makes a call of the contract that belongs to the flow. */
  call(call: Omit<Call, 'purpose' | 'row'>): Promise<Answer>;
  readonly tokens: readonly string[];
  beyond: number;
  readonly refused: CallInVain[];
  /** The callback address that the refused creations named. */
  inVain: Address | undefined;
  /** Requests that were created where they had to be refused, which is judged elsewhere. */
  readonly taken: Set<string>;
  /** Operations of which a call was accepted: messages to the address of the refused people may be due to that call. */
  readonly spoiled: Set<RefusedCall['operation']>;
}

/**
 * Makes a call that has to be refused, unless its effects are not applicable.
 * @param taken is called when the target accepts it
 * @throws CouldNotRun when the target accepts an addition: nobody knows who takes part then
 */
export async function callInVain(
  request: Refusing,
  call: RefusedCall,
  parts: FlowParts,
  taken?: (answer: Answer) => void,
): Promise<void> {
  const { facts } = parts;
  const { requestId, definition, exchanges, tokens: documents } = request;
  const { name } = definition;
  const { what, operation, change = {}, authorization, unknown, endedIds } = call;
  if (facts.notApplicable[withoutEffect[operation]]) return;
  if (authorization === 'expired' && facts.notApplicable[expiring[operation]]) return;
  const place = `refused ${request.beyond}`;
  request.beyond += 1;
  // At one address, so that one look shows whether any of them is written to; the names tell which.
  const { email } = personAt(facts, 'flow', name, `refused by ${operation}`);
  const person = { ...personAt(facts, 'flow', name, place), email };
  const second = { ...personAt(facts, 'flow', name, place, 'second'), email };
  const given = { title: titleAt(facts, `${name} ${place}`), documents };
  const bodies = {
    addSignatory: () => minimalSignatory({ person }),
    createSkeletonRequest: () => ({ ...minimalRequest(given), ...notified(request, parts) }),
    createStampedRequest: () => minimalStamped({ ...given, people: [person, second] }),
  };
  const answer = await request.call({
    operation,
    ...(operation === 'addSignatory'
      ? { requestId: unknown ? alter(requestId, facts.seed) : requestId }
      : {}),
    freshIds: !unknown,
    deliberate: true,
    ...(authorization ? { authorization } : {}),
    ...(endedIds ? { endedIds } : {}),
    body: { json: { ...bodies[operation](), ...change } },
  });
  exchanges.push(answer.exchange.index);
  // Where nothing is offered, nothing was refused.
  if (isNotThere(answer) && !unknown) return;
  // For endpoint 3 no status is stated: a redirect to a login page will do.
  const least = operation === 'createStampedRequest' ? 300 : 400;
  if (isAccepted(answer) && (answer.ids.signatoryId ?? answer.ids.requestId)) taken?.(answer);
  if (isAccepted(answer)) request.spoiled.add(operation);
  if (answer.denied || (answer.status >= least && answer.status < 500)) {
    request.refused.push({ ...call, task: { requestId, ...person, role: role.signer, order: 1 } });
  } else if (answer.ids.requestId !== undefined && operation === 'createSkeletonRequest') {
    request.taken.add(answer.ids.requestId);
  } else if (operation === 'addSignatory') {
    // An accepted creation does not disturb the flow; a person who was added would be waited for.
    throw callFailed(`${what} was not refused`, answer);
  }
}

/** The fields that ask for event 1, at an address of its own. */
function notified(request: Refusing, { listener, profile }: FlowParts) {
  if (!canCallBack(profile) || listener.deaf !== undefined) return {};
  request.inVain ??= listener.open(`${request.definition.name}, refused`);
  const proof = queryProof(profile.callbacks?.authenticity) ?? {};
  return { CallbackUrl: request.inVain.urlWith(proof), CallbackTypes: [event.requestReceived] };
}

/** Judges that refused calls left nothing behind: nobody was written to, and no callback came. */
export async function judgeInVain(
  { refused, inVain: address, taken, spoiled }: Pick<Refusing, 'refused' | 'inVain' | 'taken' | 'spoiled'>,
  parts: FlowParts,
): Promise<FlowJudgement[]> {
  const groups = (['addSignatory', 'createStampedRequest'] as const).flatMap((operation) => {
    const calls = refused.filter((each) => each.operation === operation);
    const isRead = parts.outbox.hasRead('email') && !spoiled.has(operation);
    return calls.length > 0 && isRead ? [calls] : [];
  });
  return [
    ...(await Promise.all(groups.map((calls) => messageInVain(calls, parts)))),
    ...(address ? [await callbackInVain(address, taken, parts)] : []),
  ];
}

/** @param calls of one operation: their people share an address, and have names of their own */
async function messageInVain(calls: readonly CallInVain[], { outbox }: FlowParts): Promise<FlowJudgement> {
  const [{ operation, task }] = calls as [CallInVain];
  const about = { requirement: withoutEffect[operation], exchanges: [] };
  const flow = (of = calls) => {
    const call = `${of.length > 1 ? 'one of these calls: ' : ''}${of.map(({ what }) => what).join(', ')}`;
    return { flow: { expected: { is: 'not-written-to', call } } } as const;
  };
  try {
    if ((await outbox.known(task, 'email')).size === 0) return { ...about, verdict: 'passed', found: flow() };
    const told = (await outbox.messages(task, 'email', () => true)).map(({ text }) => text).join('\n');
    const named = calls.filter((each) => told.includes(each.task.name));
    return { ...about, verdict: 'failed', found: flow(named.length > 0 ? named : calls) };
  } catch (error) {
    // Why a mailbox was not asked, such as a run that is interrupted.
    if (!(error instanceof CouldNotRun)) throw error;
    const cause = { excuse: 'unread-messages', because: { what: error.message } } as const;
    return { ...about, verdict: 'could-not-run', found: { ...flow(), cause } };
  }
}

/** No callback came for refused creations. Where all requests share a URL, a callback of no known request may be for one. */
async function callbackInVain(
  address: Address,
  taken: ReadonlySet<string>,
  parts: FlowParts,
): Promise<FlowJudgement> {
  const { listener, settings } = parts;
  const { foreign, held } = listener.counts();
  const known = { requestIds: [...parts.requestIds], signatories: [] };
  const read: ReadDelivery[] = [];
  for (const delivery of address.deliveries())
    read.push(await readDelivery(delivery, { settings, known, markers: [] }));
  // A call that only checks that the URL answers tells of no event.
  const deliveries = read.flatMap(({ seen }) =>
    seen.events.some(({ code, requestId }) => code !== 'other' && !taken.has(requestId ?? ''))
      ? [seen.index]
      : [],
  );
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
