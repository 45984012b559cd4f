/** Ways to wait: with growing pauses until an answer is there, for a fixed time, or for one's turn. */
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../../../record/clock.ts';

export { pause };

const firstMs = 20;
/** By which factor pauses grow, and how long they get at most. */
export interface Pace {
  readonly times: number;
  readonly longestMs: number;
}
/** For questions over the network: they are asked at least this often. */
const usual: Pace = { times: 1.6, longestMs: 500 };
/** For few questions: seven in ten seconds. */
export const sparing: Pace = { times: 4, longestMs: 10_000 };

/**
 * Asks until an answer is there or `withinMs` have passed, at least once. The pauses begin with 20 ms and grow by
 * `how`, usually by 1.6 up to 500 ms; the last question is asked at the end of the time.
 */
export function askUntil<T>(
  withinMs: number,
  ask: () => Promise<T | undefined>,
  how?: Pace,
): Promise<T | undefined> {
  return askWhile(withinMs, (found) => found === undefined, ask, how);
}

/** As `askUntil`, as long as `isOpen` holds for the answer; gives the last answer. */
export async function askWhile<T>(
  withinMs: number,
  isOpen: (answer: T) => boolean,
  ask: () => Promise<T>,
  { times, longestMs }: Pace = usual,
): Promise<T> {
  const endMs = monotonicMs() + withinMs;
  for (let pauseMs = firstMs; ; pauseMs = Math.min(pauseMs * times, longestMs)) {
    const answer = await ask();
    const leftMs = endMs - monotonicMs();
    if (!isOpen(answer) || leftMs <= 0) return answer;
    await pause(Math.min(pauseMs, leftMs));
  }
}

/** Makes a function that runs `work` once all earlier work with the same key has ended. */
export function inTurn(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(key, mine);
    return mine;
  };
}
