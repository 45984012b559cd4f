/** A delivery as run.json carries it: redacted, and without the documents that it brought. */
import type { Delivery, RecordedDelivery } from '../../record/delivery.ts';
import type { CallbackSettings } from '../profile/callback-settings.ts';
import { notKept, notUndone, type Recorder } from '../recording/recorder.ts';
import { documentsIn } from '../untrusted/pdf/documents-in.ts';
import { decode } from './decode.ts';
import { type Opened, openDelivery } from './reading.ts';

/** Larger bodies hold documents, which must not leave the user's machine: only their hash is kept. */
const largestKept = 16 * 1024;

/** Characters that are kept of an unknown request id. */
const idKept = 100;

/**
 * The delivery for run.json. Size and hash are those of the kept body, without its content coding; where the body is large
 * or its coding was not undone, those of the body as it was sent.
 * @param requestIds the ids of the run, which help to read an unknown payload
 */
export async function recordDelivery(
  delivery: Delivery,
  recorder: Recorder,
  settings: CallbackSettings,
  requestIds: readonly string[],
): Promise<RecordedDelivery> {
  const { index, check, method, url, headers, body, from, started, arrived, answered } = delivery;
  const read = await openDelivery(delivery, settings);
  const { event, named } = readIn(read, settings, requestIds);
  const bytes = read.message.body;
  const [unknownRequest] = named.some((id) => requestIds.includes(id)) ? [] : named;
  // Secrets and people cannot be found in a body that is still coded, so it is not kept.
  const isLeft = read.coding === 'left';
  const isLarge = Math.max(body.size, bytes.length) > largestKept;
  const kept = recorder.heard({ line: url, headers, body: isLeft || isLarge ? null : bytes }, 'no-documents');
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
      documents: documents.length > 0 ? documents : undefined,
    },
    answered: answered.kind === 'status' ? answered.status : null,
  };
}

/** The event that a delivery is about, and the requests that it names. A forged delivery is not read and gives none. */
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
