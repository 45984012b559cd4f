/** Judges that attached PDFs are the signed ones, where it is known that signed ones differ from those uploaded. */
import { event } from '../../openapi/codes.ts';
import type { Plan } from '../../record/facts.ts';
import type { ReadDelivery } from '../callbacks/reading.ts';
import type { FlowJudgement } from './flow.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowRun } from './flow-run.ts';
import { fetchedWhenDone, signedOf } from './judge-completed.ts';

/**
 * A failure when every attached PDF of an uploaded document is that document, byte for byte, although stamps were placed in it or the target
 * hands out others as completed. Without either, signing may leave the documents as they are: that is not shown.
 */
export async function unsignedAttached(
  run: FlowRun,
  plan: Plan,
  read: readonly ReadDelivery[],
  parts: FlowParts,
): Promise<readonly FlowJudgement[]> {
  if (plan.attachments !== true) return [];
  const finals = read.filter(({ seen }) => seen.events.some(({ code }) => code === event.processCompleted));
  const files = signedOf(finals);
  const isUploaded = (bytes: Uint8Array) =>
    run.request.documents.some((document) => Buffer.compare(document.bytes, bytes) === 0);
  if (files.length === 0 || !files.every(isUploaded)) return [];
  const why = parts.profile.calls?.stamps
    ? 'stamps were placed in them'
    : (await handsOutOthers(run, parts, isUploaded))
      ? 'calls.completedDocuments gives others'
      : undefined;
  if (why === undefined) return [];
  const which = finals.map(({ seen }) => seen.index).join(', ');
  return [
    {
      requirement: 'events.documents-attached',
      verdict: 'failed',
      message: `the attached PDFs are those that were uploaded, unchanged, and ${why} (deliveries ${which})`,
      exchanges: run.request.exchanges.slice(-1),
      deliveries: finals.map(({ seen }) => seen.index),
    },
  ];
}

/** Whether a completed document can be had that is none of the uploaded ones. */
async function handsOutOthers(
  run: FlowRun,
  parts: FlowParts,
  isUploaded: (bytes: Uint8Array) => boolean,
): Promise<boolean> {
  if (!parts.profile.calls?.completedDocuments) return false;
  const completed = await fetchedWhenDone(run, parts);
  return 'files' in completed && completed.files.some((bytes) => !isUploaded(bytes));
}
