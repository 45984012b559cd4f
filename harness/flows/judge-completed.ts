/** What the completed documents of a flow that has ended show, and whether those that callbacks brought are signed. */
import { event } from '../../openapi/codes.ts';
import { monotonicMs } from '../../record/clock.ts';
import { ifCouldNotRun } from '../../record/errors.ts';
import type { Found } from '../../record/finding.ts';
import { isSigned } from '../judging/sequence/documents.ts';
import { isComplete, lastActionOf } from '../judging/sequence/expected.ts';
import type { FlowJudgement } from '../judging/sequence/judgement.ts';
import { askWhile } from '../target/budgets/pause.ts';
import { fetchCompleted, fetchedWhenDone, isMarked, unsignedAmong } from './completed.ts';
import type { FlowAtEnd } from './flow-deliveries.ts';
import type { FlowParts } from './flow-parts.ts';
import { isCompletion, stateOf } from './track-status.ts';

/** One judgement for each question of the script; none while somebody still has to act. */
export async function judgeCompleted(
  { run, actions, plan, read }: FlowAtEnd,
  parts: FlowParts,
): Promise<FlowJudgement[]> {
  if (run.completedJudges.length === 0 || !isComplete(plan, actions)) return [];
  const attached = read.flatMap(({ files }) => files.filter(isMarked));
  const completed = attached.length > 0 ? { files: attached } : await fetchedWhenDone(run.request, parts);
  const judged = run.completedJudges.map(async ({ requirement, expected, look, need }) => {
    const judgement = (verdict: FlowJudgement['verdict'], found: Found): FlowJudgement[] =>
      verdict === 'could-not-run' && need === 'if-there'
        ? []
        : [{ requirement, verdict, found, exchanges: [] }];
    if ('missing' in completed) {
      const cause = { excuse: 'no-documents', because: { what: completed.missing } } as const;
      return judgement('could-not-run', { cause });
    }
    return look(completed.files.map(({ bytes }) => bytes)).then(
      (seen) => judgement(seen ? 'failed' : 'passed', { flow: { expected, seen: seen ?? undefined } }),
      ifCouldNotRun(({ found }) => judgement('could-not-run', found)),
    );
  });
  return (await Promise.all(judged)).flat();
}

/**
 * Fails `events.optional` if a request without CallbackUrl does not complete. That is so if another request, on which
 * people acted later, has another state, and its completed documents could be had at the same age, while those of
 * this request cannot.
 */
export async function judgeUnheard(
  { run, plan, actions }: FlowAtEnd,
  all: readonly FlowAtEnd[],
  parts: FlowParts,
): Promise<readonly FlowJudgement[]> {
  const { requestId, definition } = run.request;
  const { client, profile, grace } = parts;
  if (!definition.proves.includes('events.optional') || !isComplete(plan, actions)) return [];
  const stateNow = () => stateOf(client, profile, requestId);
  const ageMs = monotonicMs() - lastActionOf(actions);
  const state = await stateNow();
  if (state === undefined || isCompletion(profile, state)) return [];
  const [other] = all
    .filter(
      (each) =>
        each.plan.callbackUrl !== undefined &&
        !each.run.request.definition.stamped &&
        isComplete(each.plan, each.actions) &&
        lastActionOf(each.actions) > lastActionOf(actions),
    )
    .toSorted((one, next) => lastActionOf(one.actions) - lastActionOf(next.actions));
  if (!other) return [];
  const done = await stateOf(client, profile, other.run.request.requestId);
  if (done === undefined) return [];
  const isOpen = (now: string | undefined) =>
    now !== undefined && now !== done && !isCompletion(profile, now);
  const { arrivalMs } = grace;
  if (!isOpen(await askWhile(arrivalMs, isOpen, stateNow))) return [];
  const lacks = async (id: string) => 'missing' in (await fetchCompleted(id, parts));
  if (!(await askWhile(arrivalMs, Boolean, () => lacks(requestId)))) return [];
  // Some services archive completed requests after a while, so the other request must have completed as long ago.
  const isAsOld = monotonicMs() - lastActionOf(other.actions) >= ageMs;
  if (!isAsOld || (await lacks(other.run.request.requestId))) return [];
  const found = { flow: { expected: { is: 'completes', despite: 'unheard' } } } as const;
  const exchanges = run.request.exchanges.slice(-1);
  return [{ requirement: 'events.optional', verdict: 'failed', found, exchanges }];
}

/**
 * Fails `events.documents-attached` if an attached file is not signed: it equals an uploaded one byte for byte, and
 * either that one is no PDF, or the target gives another PDF of the same document as completed, or stamps were placed
 * and all files equal uploaded ones. Otherwise nothing fails, since it is not shown whether signing changes a
 * document.
 */
export async function unsignedAttached(
  { run, plan, read }: FlowAtEnd,
  parts: FlowParts,
): Promise<readonly FlowJudgement[]> {
  if (plan.attachments !== true || !isSigned(plan)) return [];
  const finals = read.filter(({ seen }) => seen.events.some(({ code }) => code === event.processCompleted));
  const files = finals.flatMap((each) => each.files);
  const unsigned = await unsignedAmong(files, run.request, parts);
  if (unsigned === undefined) return [];
  const deliveries = finals.map(({ seen }) => seen.index);
  const expected = { is: 'documents', count: plan.documents.length } as const;
  const events = deliveries.map((delivery) => ({ code: event.processCompleted, delivery }));
  const found = { flow: { expected, seen: { events, unsigned } } };
  const exchanges = run.request.exchanges.slice(-1);
  return [{ requirement: 'events.documents-attached', verdict: 'failed', found, exchanges, deliveries }];
}
