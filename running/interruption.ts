/** Whoever interrupts a run asks it to end soon; whoever does it twice does not want to wait. */

/** Signals within this time are one: a terminal, npm and what started this process may all send the first one. */
const oneSignalMs = 1_000;
/**
 * An interrupted run that is not done by then is ended, in milliseconds. Whatever it waits for has bounds of its own
 * that are shorter, removing what it created included; this one is for what nobody thought of.
 */
const longestMs = 120_000;

export interface Interruption {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** Signals are nobody's business any more. */
  end(): void;
}

/** @param atOnce is called when it is asked a second time, or takes too long; it ends the process */
export function watchForInterruption(atOnce: () => never): Interruption {
  const controller = new AbortController();
  let firstMs = 0;
  let longest: NodeJS.Timeout | undefined;
  const listen = () => {
    if (!controller.signal.aborted) {
      firstMs = performance.now();
      longest = setTimeout(atOnce, longestMs);
      controller.abort();
    } else if (performance.now() - firstMs > oneSignalMs) atOnce();
  };
  process.on('SIGINT', listen).on('SIGTERM', listen);
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(longest);
      process.off('SIGINT', listen).off('SIGTERM', listen);
    },
  };
}
