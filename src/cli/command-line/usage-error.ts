/** A mistake in the command line. The message names the option or argument. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
