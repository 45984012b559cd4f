/** Judges rows with a MobileNumber of ours: that a target refuses a number to which nobody answers says nothing. */
import { CouldNotRun } from '../harness/could-not-run.ts';
import type { RunFacts } from '../harness/run-facts.ts';
import type { Violation } from './check.ts';

const aboutNumber = /received 4\d\d .*(number|phone|mobile|msisdn|country|region)/is;

/**
 * The numbers of the suite are reserved for fiction, and a service may look numbers up. A refusal that speaks of
 * the number is no violation unless the profile names numbers that may be used.
 * @throws CouldNotRun in that case, otherwise the error itself
 */
export function unlessNumberRefused({ people }: Pick<RunFacts, 'people'>, error: Violation): never {
  if (people.mobileNumbers || !aboutNumber.test(error.message)) throw error;
  throw new CouldNotRun(
    `${error.message}; the number is an invented one: name numbers that the target takes (people.mobileNumbers)`,
  );
}
