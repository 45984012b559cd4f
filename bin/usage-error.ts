/** Errors in how the command line was used, complete for the user: what, where, the fix. */

export class UsageError extends Error {
  override readonly name = 'UsageError';
}
