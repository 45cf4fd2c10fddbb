import { type Case, readingState } from '../case/case.ts';
import { type StoredLog, storedLogColumns, toStoredLog } from '../searching/stored-log.ts';

/** Selects logs that exports loaded. */
export interface ExportedLogsOptions {
  /** Interval of times, both included: milliseconds since the epoch. */
  readonly oldest: number;
  readonly newest: number;
  /** Only logs of this job. */
  readonly job?: string | undefined;
}

/**
 * Reads the logs of an interval that exports loaded into a case, in the order of their zips. Logs of other
 * files are left out.
 */
export function exportedLogs(
  from: Case,
  { oldest, newest, job }: ExportedLogsOptions,
): Promise<readonly StoredLog[]> {
  return readingState(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT ${storedLogColumns} FROM stored.logs
       WHERE "time" BETWEEN epoch_ms($1::BIGINT) AND epoch_ms($2::BIGINT) AND part IN (
         SELECT part FROM stored.parts WHERE job IS NOT NULL AND ($3::VARCHAR IS NULL OR job = $3))
       ORDER BY part, position`,
      [oldest, newest, job ?? null],
    );
    return result.getRowsJS().map(toStoredLog);
  });
}
