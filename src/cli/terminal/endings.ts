/** The reader of the data has gone, as `head` does when it has enough. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}

/** Someone asked the process to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
