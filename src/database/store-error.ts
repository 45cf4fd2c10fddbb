/** Failures of a case file, or of a file that is added to it. The codes are stable; each text explains its code. */
export const storeErrorCodes = {
  CASE_NOT_FOUND: 'There is no file at the path of the case, or no folder to make it in',
  CASE_LOCKED:
    'Another process, or another part of this one, has the case open in a way that excludes this one',
  NOT_A_CASE: 'The file is no DuckDB file, or one without a case in it',
  CASE_VERSION: 'The case was made by a version of this program, or of DuckDB, that does not fit',
  CASE_DAMAGED: 'The file of the case was cut off, or bytes in it are not those that were written',
  CASE_ALTERED:
    'The file holds tables, views, macros or types that this program does not make, or lacks some; answers could be false',
  BAD_HEAD: 'The hash of an action that was asked for is no hash',
  READ_ONLY: 'The case was opened for reading only',
  BAD_SQL: 'The SQL text is wrong',
  BAD_QUERY: 'A query within the SQL cannot be run',
  SQL_REFUSED: 'The SQL text is right, but reaches beyond the case',
  SQL_TIMEOUT: 'The SQL took longer than it may, and was ended',
  SQL_MEMORY: 'The SQL took more memory than it may, and was ended',
  FILE_NOT_FOUND: 'There is no such file',
  FILE_UNREADABLE: 'The file cannot be read',
  TRUNCATED_ZIP: 'The end of a zip is missing, and with it the list of its entries',
  BAD_ZIP: 'The zip is damaged',
  TOO_BIG: 'A file inflates beyond the limits',
  NO_SUCH_LOG: 'The case has no log of this id',
  NO_SUCH_NOTE: 'The case has no note of this number, or it was removed',
  STORE_FAILED: 'The database failed, for instance because the disk is full',
} as const;

/** Stable code of a failed operation on a case. */
export type StoreErrorCode = keyof typeof storeErrorCodes;

/** Failure of an operation on a case. Branch on `code`; show `message`, which includes the remedy. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Returns the error for a file that was truncated or modified behind the database; undefined for any other
 * failure of the driver.
 */
export function damagedCaseError(path: string, cause: unknown): StoreError | undefined {
  const [message = ''] = messageOf(cause).split('\n');
  const isCut = /Could not read enough bytes|file is not large enough/i.test(message);
  const isChanged = /Corrupt database file|Serialization Error|Failed to deserialize/i.test(message);
  if (!isCut && !isChanged) return undefined;
  const what = isCut
    ? 'it is shorter than when it was written, as after an interrupted copy'
    : 'bytes in it are not those that were written';
  const remedy = `Copy it again from its source, or import the originals in "${path}.evidence" into a new case`;
  return new StoreError('CASE_DAMAGED', `"${path}" is damaged: ${what} (${message}). ${remedy}`, { cause });
}

/** Returns the message of any thrown value, without the stack trace that the driver appends to some. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\n(?:This error signals|\n*Stack Trace:)[\s\S]*$/, '');
}
