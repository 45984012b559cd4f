/** The completed documents of a request: where they come from, what a script asks of them, and whether they are signed. */
import { event } from '../../openapi/codes.ts';
import { monotonicMs } from '../../record/clock.ts';
import { ifCouldNotRun } from '../../record/errors.ts';
import type { Actions, Plan } from '../../record/facts.ts';
import type { Found } from '../../record/finding.ts';
import type { FlowSeen } from '../../record/flow-finding.ts';
import type { ReadDelivery } from '../callbacks/reading.ts';
import { isSigned } from '../judging/sequence/documents.ts';
import { isComplete, lastActionOf } from '../judging/sequence/expected.ts';
import type { FlowJudgement } from '../judging/sequence/judgement.ts';
import type { CallTemplate } from '../profile/parts.ts';
import { addressDefaults } from '../profile/schema.ts';
import { isSuccess } from '../profile/template.ts';
import { askWhile, sparing } from '../target/budgets/pause.ts';
import { leaves } from '../untrusted/payload/tree.ts';
import { markersIn, readPdf, whyUnread } from '../untrusted/pdf/completed.ts';
import { isPdf, pdfsIn } from '../untrusted/pdf/documents-in.ts';
import { read as readAt, scopeOf } from '../untrusted/place.ts';
import type { FlowParts } from './flow-parts.ts';
import type { CompletedJudge } from './flow-plan.ts';
import type { FlowRequest } from './flow-request.ts';
import { awaitCompletion, isCompletion, stateOf } from './track-status.ts';

/**
 * A file, with the markers of the uploaded documents in it. A file without markers, such as an audit trail, is not
 * one that was signed.
 */
interface Marked {
  readonly bytes: Uint8Array;
  readonly markers: readonly string[];
}

/** The files that were found, or why there are none. */
type Had<File> = { readonly files: readonly File[] } | { readonly missing: string };

interface Ended {
  readonly run: { readonly request: FlowRequest; readonly completedJudges: readonly CompletedJudge[] };
  readonly plan: Plan;
  readonly actions: Actions;
  readonly read: readonly ReadDelivery[];
}

type Acted = Pick<Ended, 'plan' | 'actions'> & { readonly run: { readonly request: FlowRequest } };

const isMarked = ({ markers }: Marked) => markers.length > 0;

/** One judgement for each question of the script; none while somebody still has to act. */
export async function judgeCompleted(
  { run, actions, plan, read }: Ended,
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
  { run, plan, actions }: Acted,
  all: readonly Acted[],
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
  { run, plan, read }: Pick<Ended, 'run' | 'plan' | 'read'>,
  parts: FlowParts,
): Promise<readonly FlowJudgement[]> {
  if (plan.attachments !== true || !isSigned(plan)) return [];
  const finals = read.filter(({ seen }) => seen.events.some(({ code }) => code === event.processCompleted));
  const files = finals.flatMap((each) => each.files);
  const unsigned = await unsignedAmong(files, run, parts);
  if (unsigned === undefined) return [];
  const deliveries = finals.map(({ seen }) => seen.index);
  const expected = { is: 'documents', count: plan.documents.length } as const;
  const events = deliveries.map((delivery) => ({ code: event.processCompleted, delivery }));
  const found = { flow: { expected, seen: { events, unsigned } } };
  const exchanges = run.request.exchanges.slice(-1);
  return [{ requirement: 'events.documents-attached', verdict: 'failed', found, exchanges, deliveries }];
}

/** Why files cannot be the signed PDFs of a request; undefined when nothing is known to be wrong with them. */
export async function unsignedAmong(
  given: readonly Marked[],
  { request }: { readonly request: FlowRequest },
  parts: FlowParts,
): Promise<FlowSeen['unsigned']> {
  const { documents, definition } = request;
  const isOf = (bytes: Uint8Array) => documents.findIndex((each) => Buffer.compare(each.bytes, bytes) === 0);
  const unchanged = given.map(({ bytes }) => isOf(bytes)).filter((index) => index >= 0);
  const [first] = unchanged;
  if (first === undefined) return undefined;
  const raw = unchanged.find((index) => definition.documents[index]?.startsWith('doc'));
  if (raw !== undefined) return { document: raw, although: 'no-pdf' };
  const { stamps, completedDocuments } = parts.profile.calls ?? {};
  if (stamps && unchanged.length === given.filter(isMarked).length) {
    return { document: first, although: 'stamps' };
  }
  const completed = completedDocuments && (await fetchedWhenDone(request, parts));
  if (!completed || 'missing' in completed) return undefined;
  const other = unchanged.find((index) => {
    const { marker = '' } = documents[index] ?? {};
    return completed.files.some(({ bytes, markers }) => isOf(bytes) < 0 && markers.includes(marker));
  });
  return other === undefined ? undefined : { document: other, although: 'another' };
}

/**
 * Fetches the completed documents that show an uploaded one, by the profile's calls. If no callback says that they
 * are ready, the status of the request does, if it can be asked for.
 */
async function fetchedWhenDone(
  { requestId, documents }: FlowRequest,
  parts: FlowParts,
): Promise<Had<Marked>> {
  const { client, profile, grace } = parts;
  await awaitCompletion(client, profile, requestId, grace.arrivalMs);
  // A store that is copied now and then may have the files later than the status says.
  const { visibleAfterMs } = { ...addressDefaults, ...profile.address };
  const withinMs = profile.calls?.completedDocuments ? visibleAfterMs : 0;
  const isMissing = (had: Had<Uint8Array>) => 'missing' in had;
  const completed = await askWhile(withinMs, isMissing, () => fetchCompleted(requestId, parts), sparing);
  if ('missing' in completed) return completed;
  const uploaded = documents.map(({ marker }) => marker);
  const read = await Promise.all(
    completed.files.map(async (bytes) => {
      const reading = await readPdf(bytes);
      const markers = reading.readable ? markersIn(reading, uploaded) : [];
      return { bytes, markers, why: whyUnread(reading) };
    }),
  );
  const files = read.filter(isMarked);
  if (files.length > 0) return { files };
  const unread = read.flatMap(({ why }) => why ?? []);
  const missing = `none of the ${read.length} PDFs shows a document that was uploaded`;
  return { missing: unread[0] === undefined ? missing : `${missing} (one cannot be read: ${unread[0]})` };
}

const mostFiles = 10;

/**
 * Fetches by `calls.completedDocuments`. The answer is a PDF, or holds PDFs in base64 or as parts, or is JSON with a list
 * (`result` leads to it) of URLs, or of ids for `calls.download`.
 */
function fetchCompleted(requestId: string, parts: FlowParts): Promise<Had<Uint8Array>> {
  return fetchAll(requestId, parts).catch(ifCouldNotRun(({ message }) => ({ missing: message })));
}

async function fetchAll(requestId: string, { client, profile }: FlowParts): Promise<Had<Uint8Array>> {
  const { completedDocuments: template, download } = profile.calls ?? {};
  if (!template) return { missing: 'the profile has no calls.completedDocuments' };
  const answer = await client.template('completedDocuments', template, { requestId });
  if (!isSuccess(template, answer)) return { missing: `they were answered with ${answer.status}` };
  const held = pdfsIn(answer.headers, client.bytesOf(answer)).slice(0, mostFiles);
  if (held.length > 0) return { files: held };
  const list = leaves(readAt(template.result ?? '', scopeOf(answer)));
  const named = list.flatMap(({ value }) =>
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
  );
  const byUrl: CallTemplate = { method: 'GET', url: '{document}' };
  const files: Uint8Array[] = [];
  for (const document of named.slice(0, mostFiles)) {
    if (!download && !/^https?:\/\//.test(document)) continue;
    // The list may hold other texts, such as file names: one that gives no URL is no document.
    const file = await client
      .template('download', download ?? byUrl, { requestId, document })
      .catch(ifCouldNotRun(() => undefined));
    if (!file || (download && !isSuccess(download, file))) continue;
    const bytes = client.bytesOf(file);
    if (isPdf(bytes)) files.push(bytes);
  }
  return files.length > 0 ? { files } : { missing: 'no PDF is among them' };
}
