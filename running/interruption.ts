/** Handles interrupts: the first signal asks the run to end soon, the second one ends the process at once. */

/** Signals within this time count as one: a terminal, npm and the parent process may each send one. */
const oneSignalMs = 1_000;
/** After so many milliseconds an interrupted run is ended: for cases that nobody thought of, as all waits are shorter. */
const longestMs = 120_000;

/** @param atOnce called at the second signal, or when ending takes too long; it ends the process */
export function watchForInterruption(atOnce: () => never) {
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
