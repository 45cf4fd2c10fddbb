/** The reader of the data has gone, as `head` does when it has enough. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}

/** Someone asked the process to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** The deployment may have done what it was asked for, or goes on with it, and what came of that is not known. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
  override readonly cause: Error;

  constructor(cause: Error) {
    super(cause.message);
    this.cause = cause;
  }
}
