/** Kinds of rows of an operation: those that probe a gap, and what may become of one that was not accepted. */

import type { GapId } from '../../openapi/gaps/register.ts';
import type { Answer } from '../target/call.ts';
import type { Draft } from './kinds.ts';
import type { LazyRow } from './lazy-row.ts';

/** A row that probes a gap, if it names one; `differs` is what the call has besides its input. */
export type SilentRow<Input> = LazyRow<Input> & { readonly gap?: GapId; readonly differs?: Partial<Draft> };

/** Something that was accepted instead. */
export interface Accepted {
  readonly title: string;
  readonly answer: Answer;
}

/**
 * What becomes of a row that was not accepted.
 * @param instead sends the row of the same place that another maker gives
 */
export type Rescue<Given, Input> = (
  error: unknown,
  instead: (make: (given: Given) => readonly LazyRow<Input>[]) => Promise<Accepted | null>,
) => Promise<Answer>;
