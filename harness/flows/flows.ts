/** Runs all flows of a run side by side, judges each of them, and settles what only all of them together can tell. */
import { role } from '../../openapi/codes.ts';
import { ifCouldNotRun } from '../../record/errors.ts';
import type { Actions, Plan } from '../../record/facts.ts';
import type { Found } from '../../record/finding.ts';
import type { SigningStep } from '../people/driver.ts';
import { signingDefaults } from '../profile/signing-settings.ts';
import { askUntil } from '../target/budgets/pause.ts';
import { exploreDecline } from './explore-decline.ts';
import type { FlowDefinition } from './flow.ts';
import { awaitDeliveries, type FlowAtEnd, isMissing, withLate } from './flow-deliveries.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowResult } from './flow-plan.ts';
import { FlowRequest } from './flow-request.ts';
import { FlowRun } from './flow-run.ts';
import { type JudgedFlow, judgeDeleted, resultOf } from './judge-flow.ts';
import { makeRequest } from './make-request.ts';
import { type Gathering, gathering, rehearse } from './rehearse.ts';
import { isLeft, noteFinished, noteLeft, notePossible, seenBefore } from './resuming/left.ts';
import { type EndedFlows, settleFlows } from './settled-flows.ts';
import { hasOwnId } from './whose-events.ts';

/** @param before flows of this run that ended earlier, for what only all flows together can tell; the new ones are added to it */
export async function runFlows(
  definitions: readonly FlowDefinition[],
  parts: FlowParts,
  before: EndedFlows = { ended: [], found: [] },
): Promise<readonly FlowResult[]> {
  const gather = gathering(definitions.length, parts.driver);
  const ran = (await Promise.all(definitions.map((definition) => runFlow(definition, parts, gather)))).flat();
  const { stages } = parts;
  const late = await stages.run('late callbacks', () => withLate(ran, parts, before.ended), ran);
  const ended = await stages.run('requests that the target forgot', () => withForgotten(late), late);
  const all = [...before.ended, ...ended];
  const found = await Promise.all(
    ended.map((each): JudgedFlow | Promise<JudgedFlow> => {
      const unjudged = unjudgedOf(each);
      if (!hasOwnId(each, all, parts))
        return { ...unjudged, judgements: [], observations: [], blocked: sameId };
      if (each.run.request.definition.explores) return { ...unjudged, judgements: [] };
      const judged = () => resultOf(each, all, parts);
      const isUnjudged = each.broken || each.run.open;
      return isUnjudged ? unjudged : stages.run(`judging the flow "${unjudged.name}"`, judged, unjudged);
    }),
  );
  const whole = await Promise.all(
    found.map(async (each, index) => {
      const one = ended[index];
      if (!one) return each;
      const of = () => judgeDeleted(one);
      const more = await stages.run(`deleting the request of the flow "${each.name}"`, of, []);
      return { ...each, judgements: [...each.judgements, ...more] };
    }),
  );
  // This function may have been called again meanwhile, and may have added other flows.
  const earlier = before.ended.length;
  before.ended.push(...ended);
  before.found.push(...whole);
  if (found.some(hasBrokenOrder))
    parts.sending.sendsEarly ??= await stages.run(
      'a request before it is sent',
      () => isSentEarly(parts),
      'unknown',
    );
  const results = settleFlows(before, parts).slice(earlier);
  for (const [index, result] of results.entries()) {
    const run = ended[index]?.run;
    if (run && !isLeft(run, parts)) noteFinished(result, parts);
  }
  return results;
}

/**
 * The flows, with a note on those that miss a callback: whether the target lost its memory, in a restart for
 * instance, so that it knows neither their request nor that of another flow any more.
 */
async function withForgotten(ended: readonly FlowAtEnd[]): Promise<readonly FlowAtEnd[]> {
  const known = new Map<FlowRequest, Promise<boolean>>();
  const isUnknown = async (request: FlowRequest) => {
    const asked = known.get(request) ?? request.isUnknown();
    known.set(request, asked);
    return asked;
  };
  const requests = ended.flatMap(({ run: { request } }) =>
    request.created && !request.definition.stamped ? [request] : [],
  );
  return Promise.all(
    ended.map(async (each) => {
      const { request } = each.run;
      const other = requests.find(({ requestId }) => requestId !== request.requestId);
      if (!other || !each.plan.callbackUrl || !isMissing(each)) return each;
      return { ...each, isForgotten: (await isUnknown(request)) && (await isUnknown(other)) };
    }),
  );
}

const hasBrokenOrder = ({ judgements }: FlowResult) =>
  judgements.some((each) => each.requirement === 'signing.lower-order-first' && each.verdict === 'failed');

/**
 * Whether a target sends requests before the profile's call does, so that people who were added first need not wait
 * for later ones. Tried with a request that nobody sent: can its signer act? Unknown where no request can be created any more.
 */
async function isSentEarly(parts: FlowParts): Promise<boolean | 'unknown'> {
  const { driver, profile } = parts;
  const { send = 'call', readyMs = signingDefaults.readyMs } = profile.signing ?? {};
  // People who act by hand are told all their tasks beforehand, and this is none of them.
  if (send === 'creation' || send === 'first-signatory' || driver.announce) return false;
  const signatories = [{ role: role.signer, order: 1 }];
  const definition = { name: 'one signer, before it is sent', signatories, proves: [] };
  const request = new FlowRequest({ ...definition, documents: ['page'] }, parts);
  const run = new FlowRun(request, parts);
  const tries = async () => {
    if (parts.looking.isNeeded) await run.view(0);
    return (await run.tries(0, 'sign', 'none')) || undefined;
  };
  // With `delay` the target sends the request after a while: only an act at once would be early.
  const withinMs = send === 'delay' ? 0 : readyMs;
  const isTaken = async () => (await askUntil(withinMs, tries)) ?? false;
  return makeRequest(request, parts)
    .then(isTaken)
    .catch(ifCouldNotRun(() => 'unknown' as const));
}

/** The result of a flow in which the suite broke, or whose outcome is open. What was judged on the way stands. */
function unjudgedOf({ run, blocked }: FlowAtEnd): FlowResult {
  const { judgements, observations } = run;
  const { name } = run.request.definition;
  return { name, judgements, observations, timeline: [], blocked };
}

async function runFlow(
  definition: FlowDefinition,
  parts: FlowParts,
  gather: Gathering,
): Promise<readonly FlowAtEnd[]> {
  const { neighbour } = definition;
  const request = new FlowRequest(definition, parts);
  const run = new FlowRun(request, parts);
  const beside = neighbour && new FlowRun(new FlowRequest(neighbour, parts, request), parts);
  const runs = beside ? [run, beside] : [run];
  let steps: readonly SigningStep[] = [];
  const prepare = async () => {
    for (const each of runs) await makeRequest(each.request, parts);
    // Other drivers are asked when the time comes.
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
  return Promise.all(runs.map(end));

  async function end(each: FlowRun): Promise<FlowAtEnd> {
    const plan = planOf(each, parts);
    const { completed, attempted, sent } = each;
    const actions: Actions = { completed, attempted, sent };
    let ended: FlowAtEnd = { run: each, plan, actions, before: seenBefore(each, plan, parts), read: [] };
    const arrived = await unlessBlocked(async () => {
      if (!definition.explores) ended = await awaitDeliveries(ended, parts);
    });
    const why = blocked ?? arrived;
    if (isLeft(each, parts)) noteLeft(each, plan, ended.read, parts);
    return { ...ended, broken: isBroken, blocked: why ?? (isBroken ? broken : undefined) };
  }
}

/** Shown in the row; the error itself is among the problems of the run. */
const broken: Found = { cause: { needs: 'the suite broke in the flow that shows it' } };

/** Flows that got the same request id are not judged: an act in one of them was an act in both. */
const sameId: Found = { cause: { excuse: 'same-id', because: {} } };

/** Why the work could not go on; absent when it could. */
function blockedBy(work: () => Promise<void>): Promise<Found | undefined> {
  return work().then(
    () => undefined,
    ifCouldNotRun(({ found }) => found),
  );
}

function planOf(run: FlowRun, { settings, requestIds }: FlowParts): Plan {
  const { definition, requestId, callbackUrl, pdfs, tasks, documents } = run.request;
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
    uploads: documents.length,
    pages: pdfs.map(({ pages }) => pages),
    callbackUrl,
    subscription: callbackUrl === undefined ? undefined : subscription,
    attachments: callbackUrl === undefined ? undefined : attached,
    requestReceived: settings.requestReceived,
    signatoryCompletedRoles: settings.signatoryCompletedRoles,
  };
}
