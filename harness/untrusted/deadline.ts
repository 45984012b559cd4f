/** Bounds the time of work that may never end, or that nobody waits for any more. */

/**
 * How reading is bounded for the whole run. `on`: the run was told to end, and nothing large or slow is read any more.
 * The times are the milliseconds spent so far: on large payloads (on all of them once `on` is set) and on mails, during
 * which nothing else of this process ran, and on PDFs, which a thread reads.
 */
export const hurry = { on: false, payloadsMs: 0, mailsMs: 0, pdfsMs: 0 };

/** A timer that is later than this was held up by this process itself. */
const slackMs = 100;

/**
 * Calls `late` when the time is up. If this process was held up, it could not read what came in that time either, so it
 * gets the time for which it was held up, once. Returns a function that ends the alarm.
 */
export function alarm(ms: number, late: () => void): () => void {
  const dueMs = performance.now() + ms;
  const ring = (): void => {
    const behindMs = performance.now() - dueMs;
    if (behindMs > slackMs) timer = setTimeout(late, behindMs);
    else late();
  };
  let timer = setTimeout(ring, ms);
  return () => clearTimeout(timer);
}

/** The result of `work`, or of `late` when the time is up first; a later failure of `work` is ignored. */
export async function withinTime<T, Late>(ms: number, work: Promise<T>, late: () => Late): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const timeIsUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, timeIsUp.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The result of `work`, or of `late` when the signal is aborted first. Each call has a promise of its own: one promise
 * that lives as long as the signal would keep every result that it was raced against.
 */
export async function unlessAborted<T, Late>(
  signal: AbortSignal,
  work: Promise<T>,
  late: () => Late,
): Promise<T | Late> {
  let tell = () => {};
  const aborted = new Promise<void>((resolve) => {
    tell = resolve;
  });
  if (signal.aborted) tell();
  signal.addEventListener('abort', tell, { once: true });
  try {
    return await Promise.race([work, aborted.then(late)]);
  } finally {
    signal.removeEventListener('abort', tell);
  }
}
