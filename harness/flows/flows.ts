/** Runs all flows of a run side by side, judges their callbacks, and settles what only all of them can tell. */

import { event } from '../../openapi/codes.ts';
import { moment, monotonicMs } from '../../record/clock.ts';
import { CouldNotRun } from '../../record/errors.ts';
import type { SentCode } from '../../record/event.ts';
import type { Actions, Plan } from '../../record/facts.ts';
import type { Found } from '../../record/finding.ts';
import type { TimelineEntry } from '../../record/timeline.ts';
import { lostBetween } from '../callbacks/counts.ts';
import type { ReadDelivery } from '../callbacks/reading.ts';
import { unwatchedName } from '../callbacks/self-call.ts';
import { actedSigners, isComplete, sentCodes } from '../judging/sequence/expected.ts';
import { judge } from '../judging/sequence/sequence.ts';
import { allowedOf, timelineOf } from '../judging/sequence/timeline.ts';
import type { SigningStep } from '../people/driver.ts';
import { judgeCompleted, unsignedAttached } from './completed.ts';
import { exploreDecline } from './explore-decline.ts';
import type { Deferred, FlowDefinition, FlowJudgement, FlowResult } from './flow.ts';
import { awaitDeliveries, readOne, type Waited, withLate } from './flow-deliveries.ts';
import type { FlowParts } from './flow-parts.ts';
import { FlowRequest } from './flow-request.ts';
import { FlowRun } from './flow-run.ts';
import { judgeInVain } from './refused-calls.ts';
import { type Gathering, gathering, rehearse } from './rehearse.ts';
import { isLeft, noteFinished, noteLeft, notePossible, seenBefore } from './resuming/left.ts';
import { settle, silenceOf } from './settle.ts';
import { noteState, statesSeen } from './track-status.ts';
import { astrayOf, hasOwnId, ofAddress, ofOwnId, withoutOwnId } from './whose-events.ts';

/** A flow that came to its end, with or without having been blocked. */
interface Ended extends Waited {
  readonly blocked?: Found;
  /** The suite broke on the way: what came of it is not known well enough to judge callbacks by it. */
  readonly broken?: boolean;
}

/** A result, and how its story is told once it is settled. */
type Judged = FlowResult & {
  readonly tell?: (judgements: readonly FlowJudgement[]) => readonly TimelineEntry[];
};

/** What flows have come to, and what those after them are judged beside. */
export interface RanFlows {
  readonly results: readonly FlowResult[];
  readonly beside: { readonly ended: readonly Ended[]; readonly found: readonly Judged[] };
}

/** @param before flows of the same run that have ended: what only all together can tell, they tell too */
export async function runFlows(
  definitions: readonly FlowDefinition[],
  parts: FlowParts,
  before: RanFlows['beside'] = { ended: [], found: [] },
): Promise<RanFlows> {
  const gather = gathering(definitions.length, parts.driver);
  const ran = (await Promise.all(definitions.map((definition) => runFlow(definition, parts, gather)))).flat();
  const { stages } = parts;
  const ended = await stages.run('late callbacks', () => withLate(ran, parts), ran);
  const all = [...before.ended, ...ended];
  const twin = codesOfExplicitTwin(all);
  const found = await Promise.all(
    ended.map((each): Judged | Promise<Judged> => {
      if (!hasOwnId(each, all, parts)) return withoutOwnId(each);
      if (each.run.request.definition.explores) return observed(each);
      const unjudged = unjudgedOf(each);
      const judged = () => resultOf(each, all, twin, parts);
      const isUnjudged = each.broken || each.run.open;
      return isUnjudged ? unjudged : stages.run(`judging the flow "${unjudged.name}"`, judged, unjudged);
    }),
  );
  const beside = { ended: all, found: [...before.found, ...found] };
  const silence = silenceOf(parts.listener, parts.settings);
  const settled = settle(beside.found, all, { silence, resumed: parts.waiting?.resumed ?? false });
  const results = settled.slice(before.found.length).map((result, index) => ({
    ...result,
    timeline: found[index]?.tell?.(result.judgements) ?? [],
  }));
  for (const [index, result] of results.entries()) {
    const run = ended[index]?.run;
    if (run && !isLeft(run, parts)) noteFinished(result, parts);
  }
  return { results, beside };
}

/** Of a flow that only explores. */
function observed({ run, blocked }: Ended): FlowResult {
  const { name } = run.request.definition;
  const { observations } = run;
  return { name, judgements: [], observations, timeline: [], blocked };
}

/** Of a flow in which the suite itself broke, or in which what follows is open: what was judged on the way stands. */
function unjudgedOf({ run, broken: isBroken, blocked = isBroken ? broken : undefined }: Ended): FlowResult {
  const { judgements, observations } = run;
  const { name } = run.request.definition;
  return { name, judgements, observations, timeline: [], ...(blocked ? { blocked } : {}) };
}

async function runFlow(
  definition: FlowDefinition,
  parts: FlowParts,
  gather: Gathering,
): Promise<readonly Ended[]> {
  const { neighbour } = definition;
  const request = new FlowRequest(definition, parts);
  const requests = [request, ...(neighbour ? [new FlowRequest(neighbour, parts, request)] : [])];
  const runs = () => requests.map((each) => new FlowRun(each, parts));
  let [run = new FlowRun(request, parts), beside] = runs();
  let steps: readonly SigningStep[] = [];
  const prepare = async () => {
    for (const each of requests) await each.prepare();
    [run = run, beside] = runs();
    // Whoever has to be told nothing beforehand is asked when the time comes.
    if (parts.driver.announce) steps = await rehearse(definition, request.tasks, parts.facts.notApplicable);
  };
  let isBroken = false;
  const unlessBlocked = (work: () => Promise<void>) =>
    blockedBy(work).catch((error: unknown) => {
      isBroken = true;
      parts.stages.note(`the flow "${definition.name}"`, error);
      return broken;
    });
  let blocked = await unlessBlocked(prepare);
  await gather(steps);
  blocked ??= await unlessBlocked(() => definition.script(run, beside ?? run));
  if (definition.explores) blocked ??= await unlessBlocked(() => exploreDecline(run, parts));
  if (isLeft(run, parts)) notePossible(run, steps, parts);
  return Promise.all([run, ...(beside ? [beside] : [])].map(end));

  async function end(each: FlowRun): Promise<Ended> {
    const plan = planOf(each, parts);
    const { completed, attempted, sent } = each;
    const actions: Actions = { completed, attempted, sent };
    let ended: Ended = { run: each, plan, actions, before: seenBefore(each, plan, parts), read: [] };
    const arrived = await unlessBlocked(async () => {
      if (!definition.explores) ended = await awaitDeliveries(ended, parts);
    });
    const why = blocked ?? arrived;
    if (isLeft(each, parts)) noteLeft(each, plan, ended.read, parts);
    return { ...ended, broken: isBroken, blocked: why };
  }
}

/** The problem itself stands with those of the run. */
const broken: Found = { cause: { needs: 'the suite broke in the flow that shows it' } };

/** Why the work could not go on; absent when it could. */
async function blockedBy(work: () => Promise<void>): Promise<Found | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof CouldNotRun) return error.found;
    throw error;
  }
}

function planOf(run: FlowRun, { settings, requestIds }: FlowParts): Plan {
  const { definition, requestId, callbackUrl, pdfs, tasks } = run.request;
  const { subscription, attached } = definition;
  return {
    requestId,
    otherRequestIds: [...requestIds].filter((id) => id !== requestId),
    signatories: tasks.map(({ signatoryId: id, email, name, role, order }) => ({
      id,
      email,
      name,
      role,
      order,
    })),
    documents: pdfs.map(({ marker }) => marker),
    pages: pdfs.map(({ pages }) => pages),
    callbackUrl,
    subscription: callbackUrl === undefined ? undefined : subscription,
    attachments: callbackUrl === undefined ? undefined : attached,
    requestReceived: settings.requestReceived,
    signatoryCompletedRoles: settings.signatoryCompletedRoles,
  };
}

/**
 * Codes that arrived for every request that asked for them one by one: code 0 is held against these. What got
 * lost there is judged there.
 */
function codesOfExplicitTwin(ended: readonly Ended[]): readonly SentCode[] {
  const explicit = ended.filter(
    ({ plan, run, blocked }) => plan.subscription && !plan.subscription.includes(0) && !blocked && !run.open,
  );
  return sentCodes.filter((code) => {
    const asked = explicit.filter(({ plan }) => plan.subscription?.includes(code));
    return asked.length > 0 && asked.every(({ plan, actions, read }) => hasAll(code, plan, actions, read));
  });
}

/** Whether some callback named the request at whose address it came: then the target names them all by these ids. */
function nameRequests(all: readonly Ended[]): boolean {
  return all.some(({ plan: { requestId }, read }) =>
    read.some(
      ({ seen }) => !seen.forged && seen.events.some((each) => requestId && each.requestId === requestId),
    ),
  );
}

/** How often the callback that came least often came, where all were answered with 2xx. */
function copiesOf(all: readonly Ended[]): number {
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

async function resultOf(
  ended: Ended,
  all: readonly Ended[],
  explicitTwin: readonly SentCode[],
  parts: FlowParts,
): Promise<Judged> {
  const { run, blocked, plan, actions, before, read } = ended;
  const lost = run.request.address?.refused();
  const refused = Object.values(lost?.counts ?? {}).reduce((sum, count) => sum + count, 0);
  // Nobody was told where to notify: whatever arrives for this request arrives elsewhere.
  const { address, requestId } = run.request;
  const shares =
    address !== undefined && all.some((each) => each.run !== run && each.run.request.address === address);
  const came = read.map((each) => each.seen);
  const ids = all.map((each) => each.run.request.requestId).filter((id) => id !== '');
  const own = shares ? ofOwnId(came, requestId, ids) : came;
  const seen = plan.callbackUrl
    ? (own ?? [])
    : await Promise.all(
        parts.listener
          .deliveries()
          .filter(({ check }) => check !== unwatchedName)
          .map(async (delivery) =>
            ofAddress((await readOne(delivery, run, parts)).seen, delivery.check, all, parts),
          ),
      );
  const { deaf } = parts.listener;
  // Nobody heard anything that can be told to be of this request, so that not even silence says something.
  const heard = requestId !== '' && deaf === undefined && own !== undefined;
  const others = ids.filter((id) => id !== requestId);
  const sequence = heard
    ? judge(
        {
          ...plan,
          explicitTwin,
          otherRequestIds: others,
          namesRequests: nameRequests(all),
          copies: copiesOf(all),
        },
        actions,
        [...before, ...seen],
        {
          refused,
          shared: lost?.shared ?? 0,
          connections: lostBetween(parts.listener.counts(), run.request.created?.startMs ?? 0, monotonicMs()),
          astray: astrayOf(run, all),
        },
      )
    : { judgements: [], observations: [] };
  const completed = await judgeCompleted(ended, parts);
  const unsigned = await unsignedAttached(ended, parts);
  if (isComplete(plan, actions)) await noteState(run, parts, 'after everybody completed');
  const anchor = moment();
  const { unnotified } = run.request;
  const why = blocked ?? (unnotified && { cause: unnotified }) ?? (deaf && { cause: { needs: deaf } });
  const about = { ...actions, created: run.request.created };
  return {
    name: run.request.definition.name,
    judgements: [
      ...run.judgements,
      ...messageJudgements(run.deferred, parts.channelsRead),
      ...(await judgeInVain(run.request, parts)),
      ...completed,
      ...unsigned,
      // A failure is shown beside the last call of its flow.
      ...sequence.judgements.map((each) => ({
        ...each,
        exchanges: each.verdict === 'failed' ? run.request.exchanges.slice(-1) : [],
      })),
    ],
    observations: [...run.observations, ...statesSeen(run.states), ...sequence.observations],
    timeline: [],
    tell: (judgements) => [
      ...allowedOf(plan, about, anchor),
      ...timelineOf(plan, about, plan.callbackUrl ? [...before, ...seen] : [], judgements, anchor),
    ],
    blocked: why || undefined,
  };
}

/** The judgements about messages, once it is known which channels could be read. */
function messageJudgements(
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
