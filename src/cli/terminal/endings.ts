/** The reader of the output has closed it, as `head` does. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}

/** The process was asked to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** The outcome of a change is unknown: the deployment may have made it, or may still be working on it. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
  override readonly cause: Error;

  constructor(cause: Error) {
    super(cause.message);
    this.cause = cause;
  }
}
