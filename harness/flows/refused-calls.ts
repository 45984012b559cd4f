/** Makes the calls of a flow that should be refused, and judges that they have no effect. */
import { minimalRequest } from '../../generators/bodies/request.ts';
import { minimalSignatory } from '../../generators/bodies/signatory.ts';
import { minimalStamped } from '../../generators/bodies/stamping.ts';
import { alter } from '../../generators/ids.ts';
import { event, role } from '../../openapi/codes.ts';
import { CouldNotRun, callFailed } from '../../record/errors.ts';
import { grouped } from '../../record/grouped.ts';
import type { Address } from '../callbacks/address.ts';
import { type ReadDelivery, readDelivery } from '../callbacks/reading.ts';
import { classify, isNotThere } from '../judging/classify.ts';
import { personAt, titleAt } from '../judging/names.ts';
import { type FlowJudgement, withoutEffect } from '../judging/sequence/judgement.ts';
import { nameless, silenceOf } from '../judging/sequence/settle.ts';
import { queryProof } from '../profile/callback-settings.ts';
import { canCallBack } from '../profile/needs.ts';
import { type Answer, isAccepted } from '../target/call.ts';
import { plain } from '../untrusted/text.ts';
import type { FlowParts } from './flow-parts.ts';
import type { RefusedCall } from './flow-plan.ts';
import type { FlowRequest, Refusals, Refused } from './flow-request.ts';

/** The requirements that are not applicable if there is no expired access token. */
const expiring = {
  addSignatory: 'signatory.token-expired',
  createSkeletonRequest: 'skeleton.token-expired',
  createStampedRequest: 'stamping.token-expired',
} as const;

/**
 * Makes a call that should be refused, unless its effects are not applicable.
 * @param onAccepted is called when the target accepts it
 * @throws CouldNotRun when the target accepts an addition: nobody knows who takes part then
 */
export async function makeRefusedCall(
  request: FlowRequest,
  call: RefusedCall,
  parts: FlowParts,
  onAccepted?: (answer: Answer) => void,
): Promise<void> {
  const { notApplicable, seed } = parts.facts;
  const { requestId } = request;
  const { operation, change = {}, authorization, unknown, endedIds, contentType, cut } = call;
  if (notApplicable[withoutEffect[operation]]) return;
  if (authorization === 'expired' && notApplicable[expiring[operation]]) return;
  const valid = validCall(request, call, parts);
  const place = unknown ? alter(requestId, seed) : requestId;
  const json = { ...valid.body, ...change };
  const answer = await request.call({
    operation,
    requestId: operation === 'addSignatory' ? place : undefined,
    freshIds: !unknown,
    deliberate: true,
    authorization,
    endedIds,
    contentType,
    body: cut ? { raw: JSON.stringify(json).slice(0, -1) } : { json },
  });
  request.exchanges.push(answer.exchange.index);
  const { refusals } = request;
  // If the operation is not offered, nothing was refused.
  if (isNotThere(answer) && !unknown) {
    refusals.notThere.set(operation, answer);
    return;
  }
  if (isAccepted(answer) || wasTakenAtFirst(answer)) {
    refusals.accepted.add(valid.person.email);
    if (answer.ids.signatoryId ?? answer.ids.requestId) onAccepted?.(answer);
  }
  noteOutcome(request, call, valid, answer, parts);
}

/** Whether a call was accepted at first and refused later, since what it names had not ended yet. */
const wasTakenAtFirst = (answer: Answer): boolean =>
  !isAccepted(answer) && (answer.exchange.attempts?.some(({ because }) => because === 'ended') ?? false);

/** @throws CouldNotRun when somebody was added */
function noteOutcome(
  { requestId, refusals }: FlowRequest,
  call: RefusedCall,
  { person, names, title }: ReturnType<typeof validCall>,
  answer: Answer,
  { requestIds }: FlowParts,
): void {
  const { what, operation } = call;
  const { ids, denied, status } = answer;
  const isTakenAtFirst = wasTakenAtFirst(answer);
  if (isTakenAtFirst && operation === 'addSignatory')
    throw callFailed(`${what} was not refused at first`, answer);
  if (isTakenAtFirst && operation === 'createSkeletonRequest') refusals.taken = answer;
  // No status is stated for endpoint 3, so a redirect to a login page is a refusal, too.
  const least = operation === 'createStampedRequest' ? 300 : 400;
  if (denied || (status >= least && status < 500)) {
    const task = { requestId, ...person, role: role.signer, order: 1 };
    refusals.refused.push({ ...call, task, names, title });
  } else if (ids.requestId !== undefined && operation === 'createSkeletonRequest') {
    // It was created all the same, which is judged elsewhere.
    requestIds.add(ids.requestId);
  } else if (operation === 'addSignatory') {
    // An accepted creation does not disturb the flow; a person who was added would be waited for.
    throw callFailed(`${what} was not refused`, answer);
  }
}

/**
 * A body that is valid but for its second person, and its first person. All people in calls of one operation have the
 * same e-mail address, so that one look shows whether anybody was written to. Those in calls that some targets accept
 * have another one.
 */
function validCall(request: FlowRequest, { operation, ofSecond, own }: RefusedCall, parts: FlowParts) {
  const { facts } = parts;
  const { name } = request.definition;
  const place = request.newPlace('refused');
  const { email } = personAt(facts, 'flow', name, `refused by ${operation}${ofSecond ? ', changed' : ''}`);
  const person = own
    ? personAt(facts, 'flow', name, '0')
    : { ...personAt(facts, 'flow', name, place), email };
  const second = { ...personAt(facts, 'flow', name, place, 'second'), email };
  const given = { title: titleAt(facts, `${name} ${place}`), documents: request.tokens };
  const bodies = {
    addSignatory: () => minimalSignatory({ person }),
    createSkeletonRequest: () => ({ ...minimalRequest(given), ...notified(request, parts) }),
    createStampedRequest: () => {
      const stamped = minimalStamped({ ...given, people: [person, second] });
      const [first, other] = stamped.Signatories;
      return { ...stamped, Signatories: [first, { ...other, ...ofSecond }] };
    },
  };
  const { title } = operation === 'addSignatory' ? request : given;
  return { person, names: [person.name, second.name], title, body: bodies[operation]() };
}

/** The fields that ask for event 1, at an address of its own. */
function notified({ definition, refusals }: FlowRequest, { listener, profile }: FlowParts) {
  if (!canCallBack(profile) || listener.deaf !== undefined) return {};
  refusals.address ??= listener.open(`${definition.name}, refused`);
  const proof = queryProof(profile.callbacks?.authenticity) ?? {};
  return { CallbackUrl: refusals.address.urlWith(proof), CallbackTypes: [event.requestReceived] };
}

/** Judges that refused calls left nothing behind: nobody was written to, and no callback came. */
export async function judgeRefusals(
  { refused, address, taken, accepted, notThere, locked }: Refusals,
  parts: FlowParts,
): Promise<FlowJudgement[]> {
  // Somebody who is also added by a valid call gets e-mails rightly.
  const withPeople = refused.filter(({ operation, own }) => operation !== 'createSkeletonRequest' && !own);
  const groups = parts.outbox.hasRead('email')
    ? [...grouped(withPeople, ({ task }) => task.email)].filter(([email]) => !accepted.has(email))
    : [];
  const notOffered = [...notThere].flatMap(([operation, answer]): FlowJudgement[] => {
    if (refused.some((each) => each.operation === operation)) return [];
    const of = answer.exchange.index;
    const found = { cause: { answer: classify(answer), of } };
    return [{ requirement: withoutEffect[operation], verdict: 'could-not-run', found, exchanges: [of] }];
  });
  return [
    ...(locked === undefined ? [] : [judgeLocked(locked)]),
    ...notOffered,
    ...(await Promise.all(groups.map(([, calls]) => judgeMessages(calls, parts)))),
    ...(address ? [await judgeCallbacks(address, taken, parts)] : []),
  ];
}

/** The request accepts nobody any more. That counts only if people can sign in other requests. */
const judgeLocked = (exchange: number): FlowJudgement => ({
  requirement: withoutEffect.addSignatory,
  verdict: 'failed',
  found: { flow: { expected: { is: 'completes', despite: 'refused' } } },
  exchanges: [exchange],
  assumes: 'signing.signer-signs',
});

/** Judges that nobody was written to. @param calls calls whose people have one address, and each a name of their own */
async function judgeMessages(calls: readonly Refused[], { outbox }: FlowParts): Promise<FlowJudgement> {
  const [{ operation, task }] = calls as [Refused];
  const about = { requirement: withoutEffect[operation], exchanges: [] };
  const flow = (of = calls) => {
    const call = `${of.length > 1 ? 'one of these calls: ' : ''}${of.map(({ what }) => what).join(', ')}`;
    return { flow: { expected: { is: 'not-written-to', call } } } as const;
  };
  try {
    const hasNone = (await outbox.known(task, 'email')).size === 0;
    const problem = outbox.problem(task, 'email');
    if (hasNone && problem !== undefined) throw new CouldNotRun(problem);
    if (hasNone) return { ...about, verdict: 'passed', found: flow() };
    const mails = await outbox.messages(task, 'email', () => true);
    const told = plain(mails.map(({ text }) => text).join('\n'));
    const isTold = (text: string) => told.includes(plain(text));
    const named = calls.filter(({ names }) => names.some(isTold));
    if (named.length === 0 && !calls.some(({ title }) => isTold(title)))
      throw new CouldNotRun(
        'what came to them names neither one of them nor Title, so anybody may have sent it',
      );
    return { ...about, verdict: 'failed', found: flow(named.length > 0 ? named : calls) };
  } catch (error) {
    // Why a mailbox was not asked, such as a run that is interrupted.
    if (!(error instanceof CouldNotRun)) throw error;
    const what = `who was written to for a refused call cannot be told: ${error.message}`;
    return {
      ...about,
      verdict: 'could-not-run',
      found: { ...flow(), cause: { excuse: 'unread', because: { what } } },
    };
  }
}

/** Judges that no callback came for refused creations: on a shared URL one about an unknown request may be theirs. */
async function judgeCallbacks(
  address: Address,
  taken: Refusals['taken'],
  parts: FlowParts,
): Promise<FlowJudgement> {
  const { listener, settings } = parts;
  const { foreign, held } = listener.counts();
  const known = { requestIds: [...parts.requestIds], signatories: [] };
  const read: ReadDelivery[] = [];
  for (const delivery of address.deliveries())
    read.push(await readDelivery(delivery, { settings, known, markers: [] }));
  // A call that only checks that the URL answers is about no event. A callback about a request that was created may
  // be a copy: whoever reads a callback can send it again, to any address.
  const deliveries = read.flatMap(({ seen }) =>
    seen.events.some(({ code, requestId }) => code !== 'other' && !parts.requestIds.has(requestId ?? ''))
      ? [seen.index]
      : [],
  );
  const isUnclear = settings.correlate === 'request-id' && foreign + held > 0;
  const flow = { expected: { is: 'none-in-vain' } } as const;
  const came = deliveries.length > 0 && !taken;
  const what = 'a creation was taken before its token had expired, and a callback may be for that';
  const doubt = taken && ({ excuse: 'guess', because: { exchange: taken.exchange.index, what } } as const);
  const cause =
    silenceOf(listener, settings) ?? (isUnclear ? nameless : deliveries.length > 0 ? doubt : undefined);
  return {
    requirement: withoutEffect.createSkeletonRequest,
    verdict: came ? 'failed' : cause ? 'could-not-run' : 'passed',
    found: { flow, cause: came ? undefined : cause },
    exchanges: [],
    deliveries,
  };
}
