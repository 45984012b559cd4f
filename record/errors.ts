/** The two ways in which work ends without a result that says something about the target. */

/** Thrown when a prerequisite is missing, so that nothing can be judged; the message says which. */
export class CouldNotRun extends Error {
  override readonly name = 'CouldNotRun';
}

/** An error in what the user configured; its message is complete: what, where, and the fix. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}
