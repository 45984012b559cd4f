/** A clock that stands still unless a test moves it, so that no test depends on the speed of the machine. */

/** Lets `work` move the clock by which durations are measured, in milliseconds. */
export async function withClock(work: (advance: (ms: number) => void) => Promise<void>): Promise<void> {
  const real = performance.now;
  let now = 0;
  performance.now = () => now;
  try {
    await work((ms) => {
      now += ms;
    });
  } finally {
    performance.now = real;
  }
}
