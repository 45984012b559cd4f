/** Judges that attached PDFs are the signed ones, where it is known that signed ones differ from those uploaded. */
import { event } from '../../openapi/codes.ts';
import type { Plan } from '../../record/facts.ts';
import type { FlowSeen } from '../../record/flow-finding.ts';
import type { ReadDelivery } from '../callbacks/reading.ts';
import type { FlowJudgement } from './flow.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowRequest } from './flow-request.ts';
import { fetchedWhenDone } from './judge-completed.ts';

/**
 * A failure when an attached file is one that was uploaded, byte for byte, although it is no PDF, or the target hands out
 * another PDF of the same document as completed, or stamps were placed and all files are such. Else signing may leave
 * documents as they are: that is not shown.
 */
export async function unsignedAttached(
  run: { readonly request: FlowRequest },
  plan: Plan,
  read: readonly ReadDelivery[],
  parts: FlowParts,
): Promise<readonly FlowJudgement[]> {
  if (plan.attachments !== true) return [];
  const finals = read.filter(({ seen }) => seen.events.some(({ code }) => code === event.processCompleted));
  const unsigned = await unsignedAmong(
    finals.flatMap((each) => each.files),
    run,
    parts,
  );
  if (unsigned === undefined) return [];
  const deliveries = finals.map(({ seen }) => seen.index);
  const expected = { is: 'documents', count: plan.documents.length } as const;
  const events = deliveries.map((delivery) => ({ code: event.processCompleted, delivery }));
  return [
    {
      requirement: 'events.documents-attached',
      verdict: 'failed',
      found: { flow: { expected, seen: { events, unsigned } } },
      exchanges: run.request.exchanges.slice(-1),
      deliveries,
    },
  ];
}

/**
 * What is wrong with files that are to be the signed PDFs of a request; undefined when nothing is known to be.
 * @param given with the markers that stand in them: a file without any, such as an audit trail, is none that was signed
 */
export async function unsignedAmong(
  given: readonly { readonly bytes: Uint8Array; readonly markers: readonly string[] }[],
  run: { readonly request: FlowRequest },
  parts: Pick<FlowParts, 'client' | 'profile' | 'settings'>,
): Promise<FlowSeen['unsigned']> {
  const { documents, definition } = run.request;
  const isOf = (bytes: Uint8Array) => documents.findIndex((each) => Buffer.compare(each.bytes, bytes) === 0);
  const unchanged = given.map(({ bytes }) => isOf(bytes)).filter((index) => index >= 0);
  const signed = given.filter(({ markers }) => markers.length > 0);
  if (unchanged.length === 0) return undefined;
  const raw = unchanged.find((index) => definition.documents[index] === 'docx');
  if (raw !== undefined) return { document: raw, although: 'no-pdf' };
  const [first = 0] = unchanged;
  if (parts.profile.calls?.stamps && unchanged.length === signed.length) {
    return { document: first, although: 'stamps' };
  }
  if (!parts.profile.calls?.completedDocuments) return undefined;
  const completed = await fetchedWhenDone(run, parts);
  if ('missing' in completed) return undefined;
  const other = unchanged.find((index) => {
    const { marker = '' } = documents[index] ?? {};
    return completed.files.some((bytes, at) => isOf(bytes) < 0 && completed.markers[at]?.includes(marker));
  });
  return other === undefined ? undefined : { document: other, although: 'another' };
}
