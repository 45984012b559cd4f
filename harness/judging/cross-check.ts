/** Finds out whose requirement a refusal violates, by other bodies that differ from the refused one in one thing. */

import { type Answer, is2xx } from '../target/call.ts';
import { type RowContext, Violation } from './check.ts';
import type { LazyRow } from './lazy-row.ts';
import { couldNotRun, violation } from './unavailable.ts';

export interface CrossCheck<Given, Input> {
  /** Bodies to try, in order; `time` counts from 1 where several refusals of a check are looked into. */
  readonly rows: (given: Given, time: number) => readonly LazyRow<Input>[];
  /**
   * `if-accepted`: one of these proves that everything else is there, so the refused body's own thing is to blame.
   * `unless-accepted`: what one of these has otherwise is to blame, and it has a requirement of its own.
   */
  readonly blames: 'if-accepted' | 'unless-accepted';
}

/**
 * Throws the violation again where it is one of the requirement under test.
 * @param send sends a row in the way in which the refused one was sent
 * @throws CouldNotRun where another requirement is violated
 */
export async function crossCheck<Input>(
  error: unknown,
  blames: CrossCheck<never, Input>['blames'],
  rows: () => Promise<readonly LazyRow<Input>[]>,
  send: (row: LazyRow<Input>, index: number) => Promise<Answer>,
  context: RowContext,
): Promise<never> {
  if (!(error instanceof Violation)) throw error;
  const tried: string[] = [];
  for (const [index, row] of (await rows()).entries()) {
    const answer = await send(row, index);
    context.exchanges.push(answer.exchange.index);
    tried.push(row.title);
    if (!is2xx(answer)) continue;
    const because = { bodies: [row.title], exchange: answer.exchange.index };
    const found = { ...error.found, cause: { excuse: 'other-requirement', because } } as const;
    throw blames === 'if-accepted'
      ? violation(found, ...error.answers)
      : couldNotRun(found, ...error.answers);
  }
  if (blames === 'unless-accepted') throw error;
  const cause = { excuse: 'not-accepted-either', because: { bodies: tried } } as const;
  throw couldNotRun({ ...error.found, cause }, ...error.answers);
}
