/** A delivery as run.json carries it: redacted, and without the documents that it brought. */

import type { RecordedBody } from '../exchange.ts';
import type { Recorder } from '../recorder.ts';
import { bytesOf, type Delivery } from './delivery.ts';

/** Bodies above this hold documents, which stay with the person who runs the suite: their hash is kept. */
const largestKept = 16 * 1024;

export interface RecordedDelivery {
  readonly id: string;
  /** The flow whose address it was sent to. */
  readonly check: string;
  readonly event?: number;
  readonly receivedAt: { readonly start: string; readonly end: string };
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: RecordedBody | null;
  readonly answered: number | null;
}

/** @param event code of the event, where it could be read */
export async function recordDelivery(
  delivery: Delivery,
  recorder: Recorder,
  event: number | undefined,
): Promise<RecordedDelivery> {
  const { index, check, method, url, headers, body, started, arrived, answered } = delivery;
  return {
    id: String(index),
    check,
    ...(event === undefined ? {} : { event }),
    receivedAt: { start: started.at, end: arrived.at },
    method,
    url: recorder.text(url),
    headers: recorder.headers(headers),
    body: body.size === 0 ? null : await bodyOf(delivery, recorder),
    answered: answered.kind === 'status' ? answered.status : null,
  };
}

async function bodyOf({ headers, body }: Delivery, recorder: Recorder): Promise<RecordedBody | null> {
  if (body.size <= largestKept) return recorder.body(headers, await bytesOf(body));
  const mediaType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return { mediaType, size: body.size, sha256: body.sha256, text: '(not kept: it carries documents)' };
}
