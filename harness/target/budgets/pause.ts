/** Asking again with growing pauses until a time is up. */
import { monotonicMs } from '../../../record/clock.ts';

const firstMs = 20;
/** What is asked over the network is asked this often at least. */
const patientMs = 500;

/**
 * Asks until an answer is there or `withinMs` have passed, at least once. The pauses grow from 20 ms to `longestMs`
 * (500 by default), and the last question falls on the end.
 */
export async function askUntil<T>(
  withinMs: number,
  ask: () => Promise<T | undefined>,
  longestMs = patientMs,
): Promise<T | undefined> {
  const endMs = monotonicMs() + withinMs;
  for (let pauseMs = firstMs; ; pauseMs = Math.min(pauseMs * 1.6, longestMs)) {
    const found = await ask();
    if (found !== undefined) return found;
    const leftMs = endMs - monotonicMs();
    if (leftMs <= 0) return undefined;
    await pause(Math.min(pauseMs, leftMs));
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
