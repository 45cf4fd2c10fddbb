/** What the process says to the shell. The numbers are an interface: scripts branch on them. */
export const exitCodes = {
  done: 0,
  /** The answer is no: a query has errors, a file is not what it should be. */
  no: 1,
  /** The command line asks for something that cannot be. */
  wrongUsage: 2,
  /** The deployment failed or refused; often worth another try. */
  deploymentFailed: 3,
  /** Logs or items of a list are missing, and the output says where; or what came of an upgrade is not known. */
  incomplete: 4,
  /** The time of `--timeout` is over; the number that `timeout` of coreutils has. */
  timedOut: 124,
  /** Ctrl-C, or a signal that asks to end. */
  interrupted: 130,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
