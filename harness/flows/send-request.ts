/** Sends the request of a flow in the way of the profile. */
import type { RequirementId } from '../../openapi/requirements/catalogue.ts';
import { monotonicMs } from '../../record/clock.ts';
import { CouldNotRun } from '../../record/errors.ts';
import { shortAnswer } from '../../record/exchange-text.ts';
import type { Interval } from '../../record/facts.ts';
import { receivedOf } from '../judging/unavailable.ts';
import { isSuccess } from '../profile/template.ts';
import { pause } from '../target/budgets/pause.ts';
import type { FlowScript } from './flow.ts';
import type { FlowParts } from './flow-parts.ts';
import type { FlowRequest } from './flow-request.ts';

/** A flow under way, as far as sending is concerned. */
interface Sendable extends Pick<FlowScript, 'judge'> {
  readonly request: FlowRequest;
}

/**
 * When it was sent.
 * @param blame the requirement that is failed when the target refuses it
 * @throws CouldNotRun when it could not be sent
 */
export async function sendRequest(
  run: Sendable,
  { profile, client, waiting }: FlowParts,
  blame: RequirementId | undefined,
): Promise<Interval> {
  const { request } = run;
  const startMs = monotonicMs();
  const how = profile.signing?.send ?? 'call';
  if (how === 'delay') await pause(profile.signing?.delayMs ?? 0);
  if (how !== 'call') return { startMs: request.created?.startMs ?? startMs, endMs: monotonicMs() };
  const template = profile.calls?.send;
  if (!template) throw new CouldNotRun('the profile has no calls.send');
  const send = () => client.template('send', template, { requestId: request.requestId });
  let answer = await send();
  request.exchanges.push(answer.exchange.index);
  // Trouble may be over in a moment.
  if (blame && answer.status >= 500) answer = await send();
  if (!isSuccess(template, answer.status)) {
    // A run that was killed while it sent the request could not note it.
    if (waiting?.resumed && answer.status >= 400 && answer.status < 500) {
      return { startMs: request.created?.startMs ?? startMs, endMs: monotonicMs() };
    }
    if (blame && answer.status >= 400 && answer.status !== 429) {
      const found = { flow: { expected: { is: 'sent' } }, received: receivedOf(answer) } as const;
      // Where no other request could be sent and signed either, it is no matter of this one.
      run.judge(blame, 'failed', found, [answer.exchange.index], 'signing.signer-signs');
    }
    throw new CouldNotRun(`the request could not be sent: ${shortAnswer(answer)}`);
  }
  return answer.at ?? { startMs, endMs: monotonicMs() };
}
