/** The command line asks for something that cannot be. Its message says what and names the option. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
