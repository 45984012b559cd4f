/** Waiting: with growing pauses until something is there, for a while, or for one's turn. */
import { monotonicMs } from '../../../record/clock.ts';

const firstMs = 20;
/** How pauses grow, and to how much. */
export interface Patience {
  readonly times: number;
  readonly longestMs: number;
}
/** What is asked over the network is asked this often at least. */
const usual: Patience = { times: 1.6, longestMs: 500 };
/** Seven questions in ten seconds. */
export const sparing: Patience = { times: 4, longestMs: 10_000 };

/**
 * Asks until an answer is there or `withinMs` have passed, at least once. The pauses grow from 20 ms by
 * half (and a little) to 500 ms, unless told otherwise, and the last question falls on the end.
 */
export function askUntil<T>(
  withinMs: number,
  ask: () => Promise<T | undefined>,
  how?: Patience,
): Promise<T | undefined> {
  return askWhile(withinMs, (found) => found === undefined, ask, how);
}

/** The same as long as an answer leaves it open; the last answer. */
export async function askWhile<T>(
  withinMs: number,
  isOpen: (answer: T) => boolean,
  ask: () => Promise<T>,
  { times, longestMs }: Patience = usual,
): Promise<T> {
  const endMs = monotonicMs() + withinMs;
  for (let pauseMs = firstMs; ; pauseMs = Math.min(pauseMs * times, longestMs)) {
    const answer = await ask();
    const leftMs = endMs - monotonicMs();
    if (!isOpen(answer) || leftMs <= 0) return answer;
    await pause(Math.min(pauseMs, leftMs));
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
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
