/** Judges rows with a MobileNumber of ours: that a target refuses a number to which nobody answers says nothing. */
import type { RunFacts } from '../target/run-facts.ts';
import type { Violation } from './check.ts';
import { ownWords, refusedElsewhere } from './own-words.ts';
import type { Session } from './session.ts';
import { couldNotRun } from './unavailable.ts';

const aboutNumber = /number|phone|mobile|msisdn|country|region/i;

/**
 * The numbers of the suite are reserved for fiction, and a service may look numbers up. A refusal that speaks of
 * the number is no violation unless the profile names numbers that may be used.
 * @throws CouldNotRun in that case, otherwise the error itself
 */
export async function unlessNumberRefused(
  { facts, session }: { readonly facts: Pick<RunFacts, 'people'>; readonly session: Pick<Session, 'call'> },
  error: Violation,
): Promise<never> {
  const said = error.answers.find(({ status }) => status >= 400 && status < 500)?.text ?? '';
  if (facts.people.mobileNumbers || !aboutNumber.test(said)) throw error;
  const elsewhere = await refusedElsewhere((call) => session.call(call));
  if (!aboutNumber.test(ownWords(said, elsewhere))) throw error;
  const cause = { excuse: 'invented-number', because: {} } as const;
  throw couldNotRun({ ...error.found, cause }, ...error.answers);
}
