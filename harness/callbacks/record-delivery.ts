/** A delivery as run.json carries it: redacted, and without the documents that it brought. */

import type { Delivery, RecordedDelivery } from '../../record/delivery.ts';
import type { CallbackSettings } from '../profile/callback-settings.ts';
import { notKept, notUndone, type Recorder } from '../recording/recorder.ts';
import { documentsIn } from '../untrusted/pdf/documents-in.ts';
import { decode } from './decode.ts';
import { type Opened, opened } from './reading.ts';

/** Bodies above this hold documents, which stay with the person who runs the suite: their hash is kept. */
const largestKept = 16 * 1024;

/** Of an id of nobody knows whom. */
const idKept = 100;

/**
 * The delivery with what is kept of the documents that it brought. Size and hash are those of the body that is kept,
 * which is without its content coding; of a large one, and of one whose coding was not undone, as it was sent.
 * @param requestIds of the run, which help to read an unknown payload
 */
export async function recordDelivery(
  delivery: Delivery,
  recorder: Recorder,
  settings: CallbackSettings,
  requestIds: readonly string[],
): Promise<RecordedDelivery> {
  const { index, check, method, url, headers, body, from, started, arrived, answered } = delivery;
  const read = await opened(delivery, settings);
  const { event, named } = readIn(read, settings, requestIds);
  const bytes = read.message.body;
  const [unknownRequest] = named.some((id) => requestIds.includes(id)) ? [] : named;
  // Secrets and people are found in what was meant: in a coding they would go on.
  const isLeft = read.coding === 'left';
  const isLarge = Math.max(body.size, bytes.length) > largestKept;
  const kept = recorder.heard({
    line: url,
    headers,
    body: isLeft || isLarge ? null : bytes,
    keep: 'no-documents',
  });
  const shown = isLeft || isLarge ? recorder.sizeOf(headers, body) : kept.body;
  const documents = shown?.text === notKept && !isLeft ? await documentsIn(headers, bytes) : [];
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
    body: shown && {
      ...shown,
      ...(isLeft ? { text: notUndone } : {}),
      ...(documents.length > 0 ? { documents } : {}),
    },
    answered: answered.kind === 'status' ? answered.status : null,
  };
}

/** The event that a delivery tells of, and the requests that it names; nothing of one that is forged, which is not read. */
export function readIn(
  { message, origin }: Opened,
  settings: CallbackSettings,
  requestIds: readonly string[],
): { readonly event: number | undefined; readonly named: readonly string[] } {
  const decoded = origin.genuine ? decode(message, settings, { requestIds, signatories: [] }) : undefined;
  const events = decoded?.readable ? decoded.events : [];
  return {
    event: events.map(({ code }) => code).find((code) => code !== 'other'),
    named: events.flatMap(({ requestId }) => requestId ?? []),
  };
}
