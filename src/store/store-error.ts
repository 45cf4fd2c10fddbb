/** What can go wrong with a case file or with a file that is added to it. The codes are stable. */
export type StoreErrorCode =
  /** There is no file at the path of the case, or no folder to make it in. */
  | 'CASE_NOT_FOUND'
  /** Another process, or another part of this one, has the case open in a way that excludes this one. */
  | 'CASE_LOCKED'
  /** The file is no DuckDB file, or one without a case in it. */
  | 'NOT_A_CASE'
  /** The case was made by a version of this program, or of DuckDB, that does not fit. */
  | 'CASE_VERSION'
  /** The case was opened for reading only. */
  | 'READ_ONLY'
  /** The SQL text is wrong. */
  | 'BAD_SQL'
  /** A query within the SQL cannot be run. */
  | 'BAD_QUERY'
  /** The SQL text is right, but reaches beyond the case. */
  | 'SQL_REFUSED'
  | 'FILE_NOT_FOUND'
  | 'FILE_UNREADABLE'
  /** The end of a zip is missing, and with it the list of its entries. */
  | 'TRUNCATED_ZIP'
  | 'BAD_ZIP'
  /** A file inflates beyond the limits. */
  | 'TOO_BIG'
  /** The database failed, for instance because the disk is full. */
  | 'STORE_FAILED';

/** An operation on a case failed. Branch on `code`; show `message`, which says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
