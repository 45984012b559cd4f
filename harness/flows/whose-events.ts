/** Tells to which flow an id, an event or a delivery belongs. */
import { notCopied, type SeenDelivery, type SeenEvent } from '../../record/facts.ts';
import type { FlowAtEnd } from './flow-deliveries.ts';
import type { FlowParts } from './flow-parts.ts';

/**
 * The delivery, with the id of the request added to each event that names none, if each request has an address of its
 * own. Otherwise such an event could be about a request without CallbackUrl.
 * @param flow the flow to whose address it came
 */
export function ofAddress(
  seen: SeenDelivery,
  flow: string,
  all: readonly FlowAtEnd[],
  { settings }: FlowParts,
): SeenDelivery {
  const owner = all.find(({ run }) => run.request.definition.name === flow)?.run.request;
  if (settings.correlate === 'request-id' || !owner?.requestId) return seen;
  const isOfOwner = ({ requestId, signatory }: SeenEvent): boolean => {
    if (requestId !== undefined) return false;
    // If an event at this address has the signatory id of another request, it is about that one, unless the owner has
    // the same id.
    return signatory?.by !== 'id' || owner.tasks.some(({ signatoryId }) => signatoryId === signatory.value);
  };
  const { requestId } = owner;
  return {
    ...seen,
    events: seen.events.map((event) => (isOfOwner(event) ? { ...event, requestId } : event)),
  };
}

/**
 * The deliveries to a shared address that name this request; undefined if one of them names no request of the run or
 * cannot be read, since it may be about any of them.
 * @param requestIds the ids of all requests
 */
export function ofOwnId(
  seen: readonly SeenDelivery[],
  requestId: string,
  requestIds: readonly string[],
): readonly SeenDelivery[] | undefined {
  const isNobodys = ({ requestId: id }: SeenEvent) => id === undefined || !requestIds.includes(id);
  if (
    seen.some(
      ({ events, problems }) => events.some(isNobodys) || (events.length === 0 && problems.length > 0),
    )
  )
    return undefined;
  return seen
    .map((each) => ({ ...each, events: each.events.filter((event) => event.requestId === requestId) }))
    .filter(({ events }) => events.length > 0);
}

/** Whether no other request is known to have the same id. */
export function hasOwnId({ run }: FlowAtEnd, all: readonly FlowAtEnd[], { client }: FlowParts): boolean {
  if (client.issued.repeats) return false;
  const { requestId } = run.request;
  return (
    requestId === '' || all.every((each) => each.run === run || each.run.request.requestId !== requestId)
  );
}

/** Deliveries that name the request of this flow and went to the address of another one, and are no copies. */
export function astrayOf({ run, read }: FlowAtEnd, all: readonly FlowAtEnd[]): readonly SeenDelivery[] {
  const { requestId, address } = run.request;
  return all
    .filter(({ run: { request } }) => request.address !== address)
    .flatMap((each) =>
      notCopied(
        each.read.map(({ seen }) => seen),
        read.map(({ seen }) => seen),
      ),
    )
    .filter(({ forged, events }) => !forged && events.some((each) => each.requestId === requestId));
}
