/** Sends rows about which the interface document is silent and notes what the target does with each. */
import type { GapId } from '../../openapi/gaps/register.ts';
import { CouldNotRun } from '../../record/errors.ts';
import { type Answer, isAccepted } from '../target/call.ts';
import { NotApplicable } from './check.ts';
import type { Session } from './session.ts';

export interface Probe {
  readonly gap: GapId;
  readonly title: string;
  readonly send: () => Promise<Answer>;
  /** The answer in words; `undefined` where it tells nothing. Without `tell`, `accepted (200)` or `refused (400)`. */
  readonly tell?: (answer: Answer) => string | undefined;
}

/** Sends all probes at the same time; one that cannot be sent leaves its gap unobserved. */
export async function observeAll(session: Session, make: () => Promise<readonly Probe[]>): Promise<void> {
  await unlessBlocked(async () => {
    const probes = await make();
    await Promise.all(
      probes.map(({ gap, title, send, tell = outcome }) =>
        unlessBlocked(async () => {
          const answer = await send();
          // No answer means trouble, which says nothing about the gap.
          const value = answer.status === 0 ? undefined : tell(answer);
          if (value === undefined) return;
          await session.observe({
            gap,
            key: title,
            value,
            stability: 'stable',
            exchanges: [answer.exchange.index],
          });
        }),
      ),
    );
  });
}

function outcome(answer: Answer): string {
  return `${isAccepted(answer) ? 'accepted' : 'refused'} (${answer.status})`;
}

/** A missing prerequisite is reported by the checks that need it. Here it only means that nothing is observed. */
export async function unlessBlocked(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CouldNotRun || error instanceof NotApplicable)) throw error;
  }
}
