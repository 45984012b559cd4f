/** Lets a signatory decline, and observes what the target sends after it and what it calls the request then. */
import { event } from '../../openapi/codes.ts';
import { monotonicMs } from '../../record/clock.ts';
import { CouldNotRun, callFailed } from '../../record/errors.ts';
import type { SeenDelivery, SeenEvent } from '../../record/facts.ts';
import { personText } from '../../record/flow-text.ts';
import type { Address } from '../callbacks/address.ts';
import { linkVariables } from '../people/outbox.ts';
import { variablesOf } from '../people/template-call.ts';
import { isSuccess } from '../profile/template.ts';
import { readEach, withoutLinks } from './flow-deliveries.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowRun } from './flow-run.ts';
import { stateOf } from './track-status.ts';

/** @throws CouldNotRun when nobody could decline, so that there is nothing to observe */
export async function exploreDecline(run: FlowRun, parts: FlowParts): Promise<void> {
  const { client, profile } = parts;
  const declinedMs = await decline(run, parts);
  const { address, requestId } = run.request;
  if (address) {
    const seen = await awaitFollowing(run, address, declinedMs, parts);
    const value = seen.length > 0 ? [...new Set(seen)].sort() : 'none';
    const key = 'callbacks after a signer declined';
    run.observations.push({ gap: 'events.declined', key, value, stability: 'stable', deliveries: [] });
  }
  const state = await stateOf(client, profile, requestId);
  if (state !== undefined) run.observe('service.transitions', 'state after a signer declined', state);
}

/** Lets the signatory decline; gives the time at which the call began. */
async function decline(run: FlowRun, { client, profile, outbox }: FlowParts): Promise<number> {
  const template = profile.calls?.decline;
  if (!template) throw new CouldNotRun('the profile has no calls.decline');
  const task = run.task(0);
  const link = await linkVariables(template, task, outbox);
  if (typeof link === 'string') throw new CouldNotRun(link);
  const startMs = monotonicMs();
  const answer = await client.template(
    'decline',
    template,
    { ...variablesOf(task), ...link },
    { freshIds: true },
  );
  if (isSuccess(template, answer, 'a state')) return answer.at?.startMs ?? startMs;
  throw callFailed(`${personText(run.person(0))} could not decline`, answer);
}

/** Callbacks after the decline, in words. Waits as long as an event may take, then until no more come. */
async function awaitFollowing(
  run: FlowRun,
  address: Address,
  declinedMs: number,
  parts: FlowParts,
): Promise<readonly string[]> {
  const { arrivalMs, silenceMs } = parts.grace;
  const untilMs = monotonicMs() + arrivalMs;
  const following = async () => {
    const told = await readEach(address.deliveries(), run, withoutLinks(parts), ({ seen }) =>
      toldBy(seen, declinedMs),
    );
    return told.flat();
  };
  for (;;) {
    const known = address.deliveries().length;
    if ((await following()).length > 0) break;
    const leftMs = untilMs - monotonicMs();
    if (leftMs <= 0) return [];
    await address.next(known, leftMs);
  }
  await address.quiet(silenceMs);
  return following();
}

/** What a callback says about the decline. Event 1 says nothing: it was on its way before. */
function toldBy({ at, events, forged }: SeenDelivery, declinedMs: number): readonly string[] {
  if (forged !== undefined || at.startMs < declinedMs) return [];
  if (events.length === 0) return ['a callback whose event is not known'];
  return events.filter(({ code }) => code !== event.requestReceived).map(inWords);
}

function inWords({ code }: SeenEvent): string {
  return code === 'other' ? 'an event that the profile calls other' : `event ${code}`;
}
