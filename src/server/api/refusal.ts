/** A refusal that the page shows: a query with errors, SQL that cannot run. */
export class PageRefusal extends Error {
  /** HTTP status of the answer. */
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.name = 'PageRefusal';
    this.status = status;
  }
}
