/** Signing that no recording holds: what people do on pages, by hand or in a module of the user. */
import type { SigningDriver } from '../people/driver.ts';

/** A driver that can do nothing, and says why. */
export function outsideDriver(kind: string): SigningDriver {
  const outcome = {
    kind: 'unknown' as const,
    reason: `signing.driver ${kind} is outside of a recording: only calls and callbacks are replayed`,
    exchanges: [],
  };
  return {
    shows: false,
    act: () => Promise.resolve(outcome),
    view: () => Promise.resolve(outcome),
    close: () => Promise.resolve(),
  };
}
