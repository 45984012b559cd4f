/** Bounds the time of work that may never end, or that nobody waits for any more. */

/**
 * What bounds the reading of a run: whether it was told to end, after which nothing large or slow is read, and how many
 * milliseconds it has spent on large payloads (on all, once it was told) and on mails, while nothing else of this process
 * ran, and on PDFs, which a thread reads.
 */
export const hurry = { on: false, payloadsMs: 0, mailsMs: 0, pdfsMs: 0 };

/** A timer that is late by more was kept waiting by this process. */
const slackMs = 100;

/**
 * Calls `late` when the time is up. As long as this process did not get to it, it did not get to what came in that time
 * either, and has as long again for that, once. Gives what ends it.
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

/** What `work` resolves with, or what `late` gives when the time is up first; a later failure is ignored. */
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
 * What `work` resolves with, or what `late` gives when the signal is aborted first. Nothing of it stays with the signal:
 * a promise that lives as long holds each result that it was ever raced against.
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
