/** Bounds the time of work that may never end, or that nobody waits for any more. */

/** Whether the run was told to end: what is large or slow to read is left unread from then on. */
export const hurry = { on: false };

/** What `work` resolves with, or what `late` gives when the time is up first; a later failure is ignored. */
export async function withinTime<T>(ms: number, work: Promise<T>, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late()), ms);
  });
  try {
    return await Promise.race([work, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
