/** Errors in how the command line was used, complete for the user: what, where, the fix, and what a misspelled name stands for. */
import { closest, distance } from 'fastest-levenshtein';

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** `; did you mean x?` for the one of `known` that `name` most probably stands for; nothing when none is near. */
export function meant(name: string, known: readonly string[]): string {
  const near = closest(name, [...known]);
  const isNear = distance(name, near) <= Math.max(2, Math.ceil(name.length / 3));
  return isNear ? `; did you mean ${near}?` : '';
}
