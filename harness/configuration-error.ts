/** An error in what the user configured; its message is complete: what, where, and the fix. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}
