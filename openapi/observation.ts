/** The shape of an observation, a fact that a run observed about a gap, and the order of its values. */

/** Whether two runs against an unchanged target observe the same value (`stable`) or not. */
export type Stability = 'stable' | 'volatile';

export interface ObservedFact {
  readonly gap: string;
  /** One of the keys that `gaps/observed-keys.ts` declares for the gap. */
  readonly key: string;
  readonly value: string | number | boolean | readonly (string | number)[];
  readonly stability: Stability;
}

export interface Observation extends ObservedFact {
  /** Indexes of the exchanges that show it. */
  readonly exchanges: readonly number[];
}

/** Sorts values: numbers by their size, all else as texts. */
export function byValue(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one) < String(other) ? -1 : 1;
}
