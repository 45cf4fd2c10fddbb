/** What can go wrong with a case file or with a file that is added to it. The codes are stable; the text beside each says what it means. */
export const storeErrorCodes = {
  CASE_NOT_FOUND: 'There is no file at the path of the case, or no folder to make it in',
  CASE_LOCKED:
    'Another process, or another part of this one, has the case open in a way that excludes this one',
  NOT_A_CASE: 'The file is no DuckDB file, or one without a case in it',
  CASE_VERSION: 'The case was made by a version of this program, or of DuckDB, that does not fit',
  CASE_ALTERED:
    'The file holds tables, views, macros or types that this program does not make, or lacks some; answers could be false',
  BAD_HEAD: 'The hash of an action that was asked for is no hash',
  READ_ONLY: 'The case was opened for reading only',
  BAD_SQL: 'The SQL text is wrong',
  BAD_QUERY: 'A query within the SQL cannot be run',
  SQL_REFUSED: 'The SQL text is right, but reaches beyond the case',
  FILE_NOT_FOUND: 'There is no such file',
  FILE_UNREADABLE: 'The file cannot be read',
  TRUNCATED_ZIP: 'The end of a zip is missing, and with it the list of its entries',
  BAD_ZIP: 'The zip is damaged',
  TOO_BIG: 'A file inflates beyond the limits',
  STORE_FAILED: 'The database failed, for instance because the disk is full',
} as const;

/** The stable code of something that went wrong with a case. */
export type StoreErrorCode = keyof typeof storeErrorCodes;

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
