/** Judges rows with a CallbackUrl: that a target refuses a URL which it may not like says nothing about the field. */
import type { CallbackIngredients } from '../../generators/bodies/request.ts';
import type { Body, Row } from '../../generators/row.ts';
import type { Answer } from '../target/call.ts';
import type { RunFacts } from '../target/run-facts.ts';
import { Violation } from './check.ts';
import type { CrossCheck } from './cross-check.ts';
import type { Operation } from './operations.ts';
import { couldNotRun } from './unavailable.ts';

type Rows = (given: CallbackIngredients) => readonly Row<Body>[];

/** The rows are accepted, with whichever URL of the run. */
export function acceptsWithUrl(
  skeleton: Operation<CallbackIngredients, Body>,
  { callbackUrl, otherCallbackUrls, callbackUrlVouched }: RunFacts,
  rows: Rows,
  cross: CrossCheck<CallbackIngredients, Body>,
): Promise<Answer[]> {
  return skeleton.accepts(rows, cross, async (error, instead) => {
    if (!(error instanceof Violation)) throw error;
    for (const url of otherCallbackUrls) {
      const accepted = await instead((given) => rows({ ...given, callbackUrl: url }));
      if (accepted) return accepted.answer;
    }
    // Whether the URL is to blame shows in the other rows.
    if (callbackUrlVouched || cross.blames === 'if-accepted') throw error;
    const urls = [callbackUrl, ...otherCallbackUrls];
    const cause = { excuse: 'unreachable-url', because: { urls } } as const;
    throw couldNotRun({ ...error.found, cause }, ...error.answers);
  });
}
