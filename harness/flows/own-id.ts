/** Whether the id of a request is its own, and which deliveries name it where they do not belong. */

import type { SeenDelivery } from '../../record/facts.ts';
import type { ReadDelivery } from '../callbacks/reading.ts';
import type { FlowResult } from './flow.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowRun } from './flow-run.ts';

/** A flow that came to its end, as far as it matters here. */
interface Ended {
  readonly run: FlowRun;
  readonly read: readonly ReadDelivery[];
}

/** Whether no other request was given the id, as far as that is known. */
export function hasOwnId({ run }: Ended, all: readonly Ended[], { client }: FlowParts): boolean {
  if (client.issued.repeats) return false;
  const { requestId } = run.request;
  return (
    requestId === '' || all.every((each) => each.run === run || each.run.request.requestId !== requestId)
  );
}

/** What was done to one request was done to another one too: nothing can be told from it. */
export function withoutOwnId({ run }: Ended): FlowResult {
  const { name } = run.request.definition;
  const blocked = { cause: { excuse: 'same-id', because: {} } } as const;
  return { name, judgements: [], observations: [], timeline: [], blocked };
}

/** Deliveries that name the request of this flow and went to the address of another one. */
export function astrayOf(run: FlowRun, all: readonly Ended[]): readonly SeenDelivery[] {
  const { requestId } = run.request;
  return all
    .filter(({ run: { request } }) => request.address !== run.request.address)
    .flatMap(({ read }) => read.map(({ seen }) => seen))
    .filter(({ forged, events }) => !forged && events.some((each) => each.requestId === requestId));
}
