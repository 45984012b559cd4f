/** Tells by the address which request an event is about that names none. */
import type { SeenDelivery, SeenEvent } from '../../record/facts.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowRun } from './flow-run.ts';

/**
 * A delivery with the id of the request in each event that names none, where each request has an address of its own.
 * Whoever looks for callbacks of a request without CallbackUrl could not tell otherwise whose these are.
 * @param check the flow whose address it came to
 */
export function ofAddress(
  seen: SeenDelivery,
  check: string,
  all: readonly { readonly run: FlowRun }[],
  { settings }: FlowParts,
): SeenDelivery {
  const owner = all.find(({ run }) => run.request.definition.name === check)?.run.request;
  if (settings.correlate === 'request-id' || !owner?.requestId) return seen;
  const isOfOwner = ({ requestId, signatory }: SeenEvent): boolean => {
    if (requestId !== undefined) return false;
    // Somebody else's id at this address tells of another request; it may be one that the owner has too.
    return signatory?.by !== 'id' || owner.tasks.some(({ signatoryId }) => signatoryId === signatory.value);
  };
  const { requestId } = owner;
  return {
    ...seen,
    events: seen.events.map((event) => (isOfOwner(event) ? { ...event, requestId } : event)),
  };
}

/** Of deliveries to an address that two requests share, what names this one; undefined where an event names neither. */
export function ofOwnId(
  seen: readonly SeenDelivery[],
  requestId: string,
): readonly SeenDelivery[] | undefined {
  if (seen.some(({ events }) => events.some((each) => each.requestId === undefined))) return undefined;
  return seen
    .map((each) => ({ ...each, events: each.events.filter((event) => event.requestId === requestId) }))
    .filter(({ events }) => events.length > 0);
}
