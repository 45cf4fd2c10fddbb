/** Exit codes of the process. They are a public interface: scripts depend on them. */
export const exitCodes = {
  done: 0,
  /** The answer is no: a query has errors, a check of a file fails. */
  no: 1,
  /** A mistake in the command line. */
  wrongUsage: 2,
  /** The deployment failed or refused; another try may succeed. */
  deploymentFailed: 3,
  /** Logs or list items are missing, as reported; or the outcome of an upgrade is unknown. */
  incomplete: 4,
  /** `--timeout` has expired; the same code as `timeout` of coreutils. */
  timedOut: 124,
  /** Ctrl-C or a termination signal. */
  interrupted: 130,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A mistake in the command line. The message names the option or argument. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
