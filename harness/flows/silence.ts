/** Excuses a target none of whose callbacks arrived: then nothing shows that it can reach the listener. */
import { lostBetween } from '../callbacks/ledger.ts';
import type { Listener } from '../callbacks/listener.ts';
import { selfCallName } from '../callbacks/self-call.ts';
import type { CallbackSettings } from '../profile/callback-settings.ts';
import type { FlowResult } from './flow.ts';

/** Whether nobody but the suite itself called the listener, at whatever path. */
export function nothingArrived(listener: Listener): boolean {
  const { foreign, held, refused } = listener.counts();
  const others = listener.deliveries().filter(({ check }) => check !== selfCallName);
  return others.length === 0 && foreign + held === 0 && Object.keys(refused).length === 0;
}

/** Whether callbacks came to the URL that all requests share, and none of them named a request of the run. */
export function noneNamed(listener: Listener, { correlate }: CallbackSettings): boolean {
  const { foreign, held } = listener.counts();
  const stored = listener.deliveries().filter(({ check }) => check !== selfCallName);
  return correlate === 'request-id' && stored.length === 0 && foreign + held > 0;
}

/** What was missed in the callbacks could not be looked for. Whether one was sent at all is not known. */
export function excuseSilence(results: readonly FlowResult[], { url, counts }: Listener): FlowResult[] {
  const lost = lostBetween(counts(), 0, Number.POSITIVE_INFINITY);
  const why =
    lost > 0
      ? `${lost} connections to the listener were dropped or broken off (callbacks.limits.connections)`
      : `nothing shows that the target reaches ${url} (callbacks.publicUrl)`;
  return excuse(results, `no callback arrived at all: ${why}`);
}

/** The same where callbacks came of which nobody knows whose they are. */
export function excuseNameless(results: readonly FlowResult[]): FlowResult[] {
  return excuse(
    results,
    'callbacks arrived, and in none of them a request id of this run could be read (callbacks.decoding, callbacks.fields.requestId)',
  );
}

function excuse(results: readonly FlowResult[], message: string): FlowResult[] {
  return results.map((result) => ({
    ...result,
    judgements: result.judgements.map((judgement) =>
      judgement.verdict !== 'passed' && isMissed(judgement.requirement)
        ? { ...judgement, verdict: 'could-not-run' as const, message }
        : judgement,
    ),
  }));
}

/** That a request without CallbackUrl is refused needs no callback to be seen. */
function isMissed(requirement: string): boolean {
  return requirement.startsWith('events.') && requirement !== 'events.optional';
}
