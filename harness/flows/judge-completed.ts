/** Judges what a script wanted to know about the completed documents, once there are some. */

import { CouldNotRun, type Found } from '../../record/errors.ts';
import type { Actions, Plan } from '../../record/facts.ts';
import type { ReadDelivery } from '../callbacks/reading.ts';
import { isComplete } from '../judging/sequence/expected.ts';
import { graceDefaults } from '../profile/callback-settings.ts';
import { markersIn, readPdf } from '../untrusted/pdf/completed.ts';
import { fetchCompleted } from './completed-documents.ts';
import type { CompletedJudge, FlowJudgement } from './flow.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowRequest } from './flow-request.ts';
import { awaitCompletion } from './track-status.ts';

/** One judgement for each thing that the script wanted to know; none while somebody still has to act. */
export async function judgeCompleted(
  run: { readonly request: FlowRequest; readonly completedJudges: readonly CompletedJudge[] },
  actions: Actions,
  plan: Plan,
  read: readonly ReadDelivery[],
  { client, profile, settings }: FlowParts,
): Promise<FlowJudgement[]> {
  if (run.completedJudges.length === 0 || !isComplete(plan, actions)) return [];
  const attached = signedOf(read);
  const completed =
    attached.length > 0 ? { files: attached } : await fetchedWhenDone(run, { client, profile, settings });
  const judged = run.completedJudges.map(async ({ requirement, expected, look, need }) => {
    const judgement = (verdict: FlowJudgement['verdict'], found: Found): FlowJudgement[] =>
      verdict === 'could-not-run' && need === 'if-there'
        ? []
        : [{ requirement, verdict, found, exchanges: [] }];
    if ('missing' in completed) {
      const cause = { excuse: 'no-documents', because: { what: completed.missing } } as const;
      return judgement('could-not-run', { cause });
    }
    const wrong = await look(completed.files).catch((error: unknown) => {
      if (error instanceof CouldNotRun) return error;
      throw error;
    });
    if (wrong instanceof CouldNotRun) return judgement('could-not-run', wrong.found);
    const flow = { expected, ...(wrong ? { seen: wrong } : {}) };
    return judgement(wrong ? 'failed' : 'passed', { flow });
  });
  return (await Promise.all(judged)).flat();
}

/** The attached PDFs that show an uploaded document: an audit trail is none of those that were signed. */
export function signedOf(read: readonly ReadDelivery[]): readonly Uint8Array[] {
  return read.flatMap(({ files }) =>
    files.filter(({ markers }) => markers.length > 0).map(({ bytes }) => bytes),
  );
}

/**
 * The completed documents by the calls of the profile, each with the markers of uploaded ones in it; without a callback
 * the status of the request, where it can be asked for, tells when they can be had.
 */
export async function fetchedWhenDone(
  { request }: { readonly request: FlowRequest },
  { client, profile, settings }: Pick<FlowParts, 'client' | 'profile' | 'settings'>,
): Promise<
  { readonly missing: string } | { readonly files: Uint8Array[]; readonly markers: (readonly string[])[] }
> {
  const { arrivalMs } = { ...graceDefaults, ...settings.grace };
  await awaitCompletion(client, profile, request.requestId, arrivalMs);
  const completed = await fetchCompleted(client, profile, request.requestId);
  if ('missing' in completed) return completed;
  const uploaded = request.documents.map(({ marker }) => marker);
  const read = await Promise.all(
    completed.files.map(async (bytes) => {
      const reading = await readPdf(bytes);
      return { bytes, markers: reading.readable ? markersIn(reading, uploaded) : [] };
    }),
  );
  const ours = read.filter(({ markers }) => markers.length > 0);
  return ours.length > 0
    ? { files: ours.map(({ bytes }) => bytes), markers: ours.map(({ markers }) => markers) }
    : { missing: `none of the ${completed.files.length} PDFs shows a document that was uploaded` };
}
