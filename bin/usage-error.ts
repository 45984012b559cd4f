/** Errors in how the command line was used, complete for the user: what, where, the fix, and what a misspelled name stands for. */
import { closest, distance } from 'fastest-levenshtein';

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The one of `known` that `name` most probably stands for; `undefined` when none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const near = closest(name, [...known]);
  return distance(name, near) <= Math.max(2, Math.ceil(name.length / 3)) ? near : undefined;
}
