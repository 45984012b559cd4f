/** Signing that cannot be done: what people do on pages, by hand or in a module of the user, where a recording is replayed, say. */
import type { SigningDriver } from '../people/driver.ts';

/** A driver that can do nothing, and says why. */
export function outsideDriver(
  kind: string,
  reason = `signing.driver ${kind} is outside of a recording: only calls and callbacks are replayed`,
): SigningDriver {
  const outcome = {
    kind: 'unknown' as const,
    reason,
    exchanges: [],
  };
  return {
    shows: false,
    act: () => Promise.resolve(outcome),
    view: () => Promise.resolve(outcome),
    close: () => Promise.resolve(),
  };
}
