/** Guesses what a misspelled name stands for. */
import { closest, distance } from 'fastest-levenshtein';

/** The one of `known` that `name` most probably stands for; `undefined` when none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const near = closest(name, [...known]);
  return distance(name, near) <= Math.max(2, Math.ceil(name.length / 3)) ? near : undefined;
}
