/** The two ways in which work ends without a result that says something about the target. */
import { type Shown, shortAnswer } from './exchange-text.ts';
import type { Found } from './finding.ts';

/** Thrown when a prerequisite is missing, so that nothing can be judged; the message says which. */
export class CouldNotRun extends Error {
  override readonly name: string = 'CouldNotRun';
  readonly found: Found;

  /** @param found the same as data */
  constructor(message: string, found: Found = { cause: { needs: message } }, options?: ErrorOptions) {
    super(message, options);
    this.found = found;
  }
}

/** For `catch`: gives something else instead if the work could not run; throws any other error again. */
export const ifCouldNotRun =
  <Instead>(instead: (why: CouldNotRun) => Instead) =>
  (error: unknown): Instead => {
    if (error instanceof CouldNotRun) return instead(error);
    throw error;
  };

/**
 * The error for a call that failed, or that was accepted where it had to be refused, with its answer.
 * @param what happened, as in `the request could not be sent`
 * @param key of the call in the profile, where another status than 200 may be a success
 */
export function callFailed(
  what: string,
  { exchange }: { readonly exchange: Shown },
  key?: string,
): CouldNotRun {
  const { status = 0 } = exchange.response ?? {};
  const mayBeSuccess = key !== undefined && status > 200 && status < 400;
  const told = mayBeSuccess ? `${what} (if ${status} means success, say so in ${key}.accept)` : what;
  const because = { what: told, exchange: exchange.index };
  return new CouldNotRun(`${told}: ${shortAnswer({ exchange })}`, {
    cause: { excuse: 'call-failed', because },
  });
}

/** An error in what the user configured or asked for; its message is complete: what, where, and the fix. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}
