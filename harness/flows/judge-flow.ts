/** Judges a flow that has ended, with what the other flows of the run show. */
import { event } from '../../openapi/codes.ts';
import { moment, monotonicMs } from '../../record/clock.ts';
import { ifCouldNotRun } from '../../record/errors.ts';
import type { SentCode } from '../../record/event.ts';
import type { Actions, Losses, Plan, SeenDelivery } from '../../record/facts.ts';
import type { FlowExpected } from '../../record/flow-finding.ts';
import type { TimelineEntry } from '../../record/timeline.ts';
import { lostBetween } from '../callbacks/counts.ts';
import type { ReadDelivery } from '../callbacks/reading.ts';
import { unwatchedName } from '../callbacks/self-call.ts';
import { actedSigners, due, isComplete, sentCodes } from '../judging/sequence/expected.ts';
import { type FlowJudgement, personOf, withoutEffect } from '../judging/sequence/judgement.ts';
import { holdsWith, judgeSequence } from '../judging/sequence/sequence.ts';
import { allowedOf, timelineOf } from '../judging/sequence/timeline.ts';
import type { Channel } from '../people/driver.ts';
import { isAccepted } from '../target/call.ts';
import type { EventCodes } from '../untrusted/guess/event-code.ts';
import { type FlowAtEnd, readEach, withoutLinks } from './flow-deliveries.ts';
import type { FlowParts } from './flow-parts.ts';
import type { Deferred, FlowResult } from './flow-plan.ts';
import { type FlowRequest, type RefusedFor, refusedFor } from './flow-request.ts';
import type { FlowRun } from './flow-run.ts';
import { judgeCompleted, judgeUnheard, unsignedAttached } from './judge-completed.ts';
import { judgeSeenLetters } from './judge-messages.ts';
import { judgeRefusals } from './refused-calls.ts';
import { noteState, statesSeen } from './track-status.ts';
import { astrayOf, ofAddress, ofOwnId } from './whose-events.ts';

/** A result, and the function that makes its timeline once the judgements are settled. */
export type JudgedFlow = FlowResult & {
  /** Whether no callback fails where the events that the profile names have these codes. */
  readonly holdsWith?: ((codes: EventCodes) => boolean) | undefined;
  readonly tell?: (judgements: readonly FlowJudgement[]) => readonly TimelineEntry[];
};

/** What the callbacks, messages and documents of a flow show, and what was judged on its way. */
export async function resultOf(
  ended: FlowAtEnd,
  all: readonly FlowAtEnd[],
  parts: FlowParts,
): Promise<JudgedFlow> {
  const { run, blocked, plan, actions, before } = ended;
  const { request } = run;
  const { deaf } = parts.listener;
  const seen = await seenBy(ended, all, parts);
  const losses = lossesOf(ended, all, parts);
  // If no callback can be assigned to this request, a missing one says nothing.
  const heard = request.requestId !== '' && deaf === undefined && seen !== undefined;
  const facts =
    heard &&
    ([
      { ...plan, ...toldByAll(all, request.requestId) },
      actions,
      // If calls are not those of the recording, nobody knows which acts the recorded callbacks are about.
      losses.end === 'unrecorded' ? [] : [...before, ...seen],
      losses,
    ] as const);
  const sequence = facts ? judgeSequence(...facts) : { judgements: [], observations: [] };
  const completed = await judgeCompleted(ended, parts);
  const unsigned = await unsignedAttached(ended, parts);
  const unheard = await judgeUnheard(ended, all, parts);
  const refusals = await judgeRefusals(request.refusals, parts);
  if (isComplete(plan, actions)) await noteState(run, parts, 'after everybody completed');
  judgeSeenLetters(run);
  const anchor = moment();
  const { unnotified, created } = request;
  const why = blocked ?? (unnotified && { cause: unnotified }) ?? (deaf && { cause: { needs: deaf } });
  const about = { ...actions, created };
  const told = plan.callbackUrl ? [...before, ...(seen ?? [])] : [];
  const isOver = told.some(
    ({ forged, events }) =>
      forged === undefined &&
      events.some(
        ({ code, requestId: id = request.requestId }) =>
          code === event.processCompleted && id === request.requestId,
      ),
  );
  const messages = await messageJudgements(
    run.deferred.filter(({ unlessOpen }) => isOver || !unlessOpen),
    parts,
  );
  // A failure is shown beside the last call of its flow.
  const sequenced = sequence.judgements.map((each) => ({
    ...each,
    exchanges: each.verdict === 'failed' ? request.exchanges.slice(-1) : [],
  }));
  const attached = sequenced.filter(({ requirement }) => requirement === 'events.documents-attached');
  return {
    name: request.definition.name,
    judgements: ofOwnDocuments(request, parts, [
      ...asEffects([...run.judgements, ...messages, ...attached], request),
      ...refusals,
      ...additionsOf(run),
      ...completed,
      ...unsigned,
      ...unheard,
      ...sequenced.filter((each) => !attached.includes(each)),
    ]),
    observations: [...run.observations, ...statesSeen(run.states), ...sequence.observations],
    timeline: [],
    holdsWith: facts ? (codes) => holdsWith(codes, ...facts) : undefined,
    tell: (judgements) => [
      ...allowedOf(plan, about, anchor),
      ...timelineOf(plan, about, told, judgements, anchor),
    ],
    blocked: why || undefined,
  };
}

/** A request that was sent and is deleted takes nobody. With which status it refuses is judged of a draft. */
export async function judgeDeleted({ run, blocked }: FlowAtEnd): Promise<readonly FlowJudgement[]> {
  const requirement = 'signatory.deleted-request';
  const isMeant = run.request.definition.deleted && !blocked && run.applies(requirement);
  if (!isMeant || !(await run.deletes())) return [];
  const answer = await run.request.asked({ endedIds: true });
  const call = 'an addition to a request that was sent and then deleted';
  const about = { requirement, found: { flow: { expected: { is: 'refused', call } } } } as const;
  const exchanges = [answer.exchange.index];
  if (answer.status === 404) return [{ ...about, verdict: 'passed', exchanges }];
  return isAccepted(answer) ? [{ ...about, verdict: 'failed', exchanges }] : [];
}

/** Whether the codes of the creation were taken, and each of several people was; refused calls before may be the reason. */
function additionsOf({ request }: FlowRun): readonly FlowJudgement[] {
  const { definition, unadded, unsubscribed, tasks } = request;
  const last = definition.signatories.length - 1;
  const judge = (
    verdict: 'passed' | 'failed',
    signatory: number,
    exchanges: readonly number[],
    why: RefusedFor = 'company',
  ) => {
    const expected = { is: 'added', person: personOf(definition, signatory) } as const;
    const { requirement, how } = refusedFor[why];
    const seen = verdict === 'failed' ? { seen: { how } } : {};
    return [{ requirement, verdict, found: { flow: { expected, ...seen } }, exchanges }];
  };
  if (definition.stamped || definition.refused) return [];
  if (unsubscribed !== undefined) {
    const expected = { is: 'created', codes: definition.subscription ?? [] } as const;
    return [
      {
        requirement: 'skeleton.callback-types',
        verdict: 'failed',
        found: { flow: { expected } },
        exchanges: [unsubscribed],
      },
    ];
  }
  if (unadded) return judge('failed', unadded.signatory, [unadded.exchange], unadded.why);
  return last > 0 && tasks[last] ? judge('passed', last, []) : [];
}

/** Expectations that depend on which documents a request has. */
const ofDocuments: ReadonlySet<FlowExpected['is'] | undefined> = new Set([
  'documents',
  'no-documents',
  'copy',
  'stamps',
  'shows',
  'color-unseen',
]);

/** A failure about documents proves nothing if one of their tokens was also given for another document. */
function ofOwnDocuments(
  { tokens }: FlowRequest,
  { client }: FlowParts,
  judgements: readonly FlowJudgement[],
): readonly FlowJudgement[] {
  if (!tokens.some((token) => client.issued.repeatedTokens.has(token))) return judgements;
  return judgements.map((each) =>
    each.verdict === 'failed' && ofDocuments.has(each.found.flow?.expected.is)
      ? { ...each, assumes: 'upload.token-identifies' }
      : each,
  );
}

/** In a flow with calls to be refused, only effects of refused additions are judged: what fails in no other flow. */
const asEffects = (
  judgements: readonly FlowJudgement[],
  { definition, refusals }: FlowRequest,
): readonly FlowJudgement[] =>
  judgements.flatMap((each): FlowJudgement[] => {
    if (!definition.refused || each.requirement === withoutEffect.addSignatory) return [each];
    if (each.verdict !== 'failed' || !refusals.hasAddition) return [];
    return [{ ...each, requirement: withoutEffect.addSignatory, assumes: each.requirement }];
  });

/** The deliveries by which a flow is judged; undefined if they cannot be told apart from those of other flows. */
async function seenBy(
  { run, plan, read }: FlowAtEnd,
  all: readonly FlowAtEnd[],
  parts: FlowParts,
): Promise<readonly SeenDelivery[] | undefined> {
  const { address, requestId, tasks, documents } = run.request;
  if (plan.callbackUrl) {
    const came = read.map(({ seen }) => seen);
    const shares = all.some((each) => each.run !== run && address && each.run.request.address === address);
    return shares ? ofOwnId(came, requestId, idsOf(all)) : came;
  }
  // The request has no CallbackUrl: callbacks for it would come to the addresses of other requests.
  const others = parts.listener.deliveries().filter(({ check }) => check !== unwatchedName);
  // The queries of all of them have the same names.
  const callbackUrl = all.find((each) => each.plan.callbackUrl)?.plan.callbackUrl;
  const about = { request: { tasks, documents, callbackUrl } };
  return readEach(others, about, withoutLinks(parts), ({ seen }, { check }) =>
    ofAddress(seen, check, all, parts),
  );
}

/** Why a flow ended early. Two requests of one script end together. */
function endOf({ request: { definition, beside } }: FlowRun, client: FlowParts['client']): Losses['end'] {
  const names = [definition, definition.neighbour, beside?.definition].flatMap((each) => each?.name ?? []);
  return names.map((name) => client.endOf(name)).find((end) => end !== undefined);
}

/** What may have been lost on the way to the listener, or gone to the address of another flow. */
function lossesOf(ended: FlowAtEnd, all: readonly FlowAtEnd[], { client, listener }: FlowParts): Losses {
  const { run, isForgotten } = ended;
  const { address, created } = run.request;
  const { counts = {}, shared = 0 } = address?.refused() ?? {};
  return {
    refused: Object.values(counts).reduce((sum, count) => sum + count, 0),
    shared,
    connections: lostBetween(listener.counts(), created?.startMs ?? 0, monotonicMs()),
    end: endOf(run, client) ?? (isForgotten ? 'forgotten' : undefined),
    astray: astrayOf(ended, all),
  };
}

const idsOf = (all: readonly FlowAtEnd[]) =>
  all.map(({ run }) => run.request.requestId).filter((id) => id !== '');

/** What all flows together tell about the callbacks of each. */
function toldByAll(all: readonly FlowAtEnd[], requestId: string): Partial<Plan> {
  return {
    explicitCodes: codesNamedExplicitly(all),
    otherRequestIds: idsOf(all).filter((id) => id !== requestId),
    strangers: all.flatMap(({ plan }) => (plan.requestId === requestId ? [] : plan.signatories)),
    namesRequests: nameRequests(all),
    copies: copiesOf(all),
  };
}

/**
 * The codes that arrived for every request that subscribed to them by number and in which they were due. A request
 * with code 0 has to get these as well. A code that is missing in one of those requests is judged there.
 */
function codesNamedExplicitly(ended: readonly FlowAtEnd[]): readonly SentCode[] {
  const explicit = ended.filter(
    ({ plan, run, blocked }) => plan.subscription && !plan.subscription.includes(0) && !blocked && !run.open,
  );
  return sentCodes.filter((code) => {
    const asked = explicit.filter(({ plan, actions }) => due(plan, actions).includes(code));
    return asked.length > 0 && asked.every(({ plan, actions, read }) => hasAll(code, plan, actions, read));
  });
}

/** Whether some callback named the request at whose address it came: then callbacks use the ids that creations gave. */
function nameRequests(all: readonly FlowAtEnd[]): boolean {
  return all.some(({ plan: { requestId }, read }) =>
    read.some(
      ({ seen }) => !seen.forged && seen.events.some((each) => requestId && each.requestId === requestId),
    ),
  );
}

/** How many copies of each callback the target sends at least, by flows whose deliveries were all answered with 2xx. */
function copiesOf(all: readonly FlowAtEnd[]): number {
  const accepted = all.filter(({ read }) => read.every(({ seen }) => seen.accepted));
  const counts = accepted.flatMap(({ read }) => {
    const told = read
      .flatMap(({ seen }) => seen.events)
      .map(({ code, signatory }) => `${code} ${signatory?.value}`);
    return [...new Set(told)].map((each) => told.filter((other) => other === each).length);
  });
  return counts.length > 0 ? Math.min(...counts) : 1;
}

/** Whether a code arrived: once, or for each signer who acted. */
function hasAll(code: SentCode, plan: Plan, actions: Actions, read: readonly ReadDelivery[]): boolean {
  const seen = read.flatMap(({ seen: { events } }) => events).filter((each) => each.code === code);
  return seen.length >= (code === event.signatoryCompleted ? actedSigners(plan, actions).length : 1);
}

/** E-mails may take this long. If the profile waits less, a message that did not come is not judged; one that came is. */
const leastWaitMs = 1_000;

/** The judgements about messages, once it is known which channels could be read. */
async function messageJudgements(
  deferred: readonly Deferred[],
  { outbox }: FlowParts,
): Promise<FlowJudgement[]> {
  const { waitMs } = outbox;
  const slow = `messages take longer than ${waitMs} ms, for which they are waited for (outbox.waitMs)`;
  const unread =
    waitMs < leastWaitMs ? `messages are waited for ${waitMs} ms only (outbox.waitMs)` : undefined;
  const lost = async (channel: Channel) =>
    (await outbox.hasLost(channel)) &&
    `messages that were there before cannot be read any more: was outbox.${channel} emptied?`;
  const excuse = async ({ channel, problem, cameLate, found }: Deferred) => {
    if (problem !== undefined) return problem;
    if (!outbox.hasRead(channel))
      return `no message to anybody was found: see whether outbox.${channel} leads to them`;
    const isMissed = found.flow?.expected.is !== 'shows';
    return (isMissed && unread) || ((await cameLate?.()) && slow) || (isMissed && (await lost(channel)));
  };
  const judged = deferred.map(async (each) => {
    const { channel: _, problem: _1, cameLate: _2, unlessOpen: _3, ...judgement } = each;
    const why = await excuse(each).catch(ifCouldNotRun(({ message }) => message));
    if (!why) return judgement;
    const cause = { excuse: 'unread-messages', because: { what: why } } as const;
    return { ...judgement, verdict: 'could-not-run' as const, found: { ...judgement.found, cause } };
  });
  return Promise.all(judged);
}
