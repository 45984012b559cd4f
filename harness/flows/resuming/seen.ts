/** What had arrived before a run was resumed: kept without anything secret or personal, and read back. */
import { type Plan, type SeenDelivery, signatoryOf } from '../../../record/facts.ts';
import { difference } from '../../judging/sequence/callback-url.ts';
import type { WaitingDelivery } from './state.ts';
import { intervalOf, millisecondsOf, spanOf, timeOf } from './times.ts';

/** Stands for the path and query of a delivery that did not come as given. */
const elsewhere = '/elsewhere';

/** @param plan whose CallbackUrl the deliveries were to be sent to; what belongs to others or is forged is left out */
export function keptOf(seen: readonly SeenDelivery[], plan: Plan): WaitingDelivery[] {
  const url = plan.callbackUrl === undefined ? undefined : new URL(plan.callbackUrl);
  return seen
    .filter(({ forged }) => forged === undefined)
    .map((delivery) => ({
      at: spanOf(delivery.at),
      arrived: timeOf(delivery.arrivedMs),
      accepted: delivery.accepted,
      toCallbackUrl: url !== undefined && difference(url, delivery.target) === undefined,
      events: delivery.events
        .filter(({ requestId }) => requestId === undefined || requestId === plan.requestId)
        .map((event) => {
          const signatory = signatoryOf(event, plan);
          return { code: event.code, ...(signatory === undefined ? {} : { signatory }) };
        }),
      problems: delivery.problems.length > 0 ? ['it could not be read in the run before'] : [],
    }));
}

/** As the rules look at them. Their indexes are negative: the run itself has not taken them in. */
export function seenOf(kept: readonly WaitingDelivery[], plan: Plan): SeenDelivery[] {
  return kept.map((delivery, position) => ({
    index: position - kept.length,
    at: intervalOf(delivery.at),
    arrivedMs: millisecondsOf(delivery.arrived),
    accepted: delivery.accepted,
    target: delivery.toCallbackUrl ? targetOf(plan) : elsewhere,
    events: delivery.events.map(({ code, signatory }) => {
      const email = signatory === undefined ? undefined : plan.signatories[signatory]?.email;
      return {
        code,
        ...(plan.requestId ? { requestId: plan.requestId } : {}),
        ...(email ? { signatory: { by: 'email' as const, value: email } } : {}),
        attachments: [],
        unread: [],
      };
    }),
    problems: delivery.problems,
  }));
}

function targetOf({ callbackUrl }: Plan): string {
  if (callbackUrl === undefined) return elsewhere;
  const { pathname, search } = new URL(callbackUrl);
  return `${pathname}${search}`;
}
