/** A delivery as run.json carries it: redacted, and without the documents that it brought. */

import { bytesOf, type Delivery, type Message, type RecordedDelivery } from '../../record/delivery.ts';
import type { CallbackSettings } from '../profile/callback-settings.ts';
import { notKept, type Recorder } from '../recording/recorder.ts';
import { documentsIn } from '../untrusted/pdf/documents-in.ts';
import { originOf } from './authenticity.ts';
import { decode } from './decode.ts';

/** Bodies above this hold documents, which stay with the person who runs the suite: their hash is kept. */
const largestKept = 16 * 1024;

/** Of an id of nobody knows whom. */
const idKept = 100;

/** @param requestIds of the run, which help to read an unknown payload */
export async function recordDelivery(
  delivery: Delivery,
  recorder: Recorder,
  settings: CallbackSettings,
  requestIds: readonly string[],
): Promise<RecordedDelivery> {
  const { index, check, method, url, headers, body, from, started, arrived, answered } = delivery;
  const bytes = await bytesOf(body);
  const { event, named } = readIn({ ...delivery, body: bytes }, arrived, settings, requestIds);
  const [unknownRequest] = named.some((id) => requestIds.includes(id)) ? [] : named;
  const isLarge = body.size > largestKept;
  const kept = recorder.heard({
    line: url,
    headers,
    body: isLarge ? null : bytes,
    keep: 'no-documents',
  });
  return {
    id: String(index),
    check,
    event,
    unknownRequest: unknownRequest && recorder.text(unknownRequest).slice(0, idKept),
    from,
    receivedAt: { start: started.at, end: arrived.at },
    method,
    url: kept.line,
    headers: kept.headers,
    body: isLarge ? recorder.sizeOf(headers, body) : kept.body,
    answered: answered.kind === 'status' ? answered.status : null,
  };
}

/** The event that a delivery tells of, and the requests that it names; nothing of one that is forged, which is not read. */
export function readIn(
  message: Message,
  arrived: Delivery['arrived'],
  settings: CallbackSettings,
  requestIds: readonly string[],
): { readonly event: number | undefined; readonly named: readonly string[] } {
  const { genuine } = originOf(message, settings, arrived);
  const decoded = genuine ? decode(message, settings, { requestIds, signatories: [] }) : undefined;
  const events = decoded?.readable ? decoded.events : [];
  return {
    event: events.map(({ code }) => code).find((code) => code !== 'other'),
    named: events.flatMap(({ requestId }) => requestId ?? []),
  };
}

/** The recorded delivery with what is kept of the documents that it brought. */
export async function withDocuments(
  recorded: RecordedDelivery,
  { headers, body }: Delivery,
): Promise<RecordedDelivery> {
  if (recorded.body?.text !== notKept) return recorded;
  const documents = await documentsIn(headers, await bytesOf(body));
  return documents.length === 0 ? recorded : { ...recorded, body: { ...recorded.body, documents } };
}
