import { type Case, readCase, readCaseSnapshot } from '../file/case.ts';
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
  return readCaseSnapshot(from, async (connection) => {
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

/** An interval, both ends included: milliseconds since the epoch. */
export interface NearestTimeOptions {
  /** Number of the export whose logs are considered. */
  readonly export: number;
  readonly oldest: number;
  readonly newest: number;
}

/**
 * Returns the time nearest to an interval, but outside it, at which an export has a log; undefined if it has
 * none.
 */
export function nearestTime(
  from: Case,
  { export: number, oldest, newest }: NearestTimeOptions,
): Promise<number | undefined> {
  return readCase(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `WITH brought AS (
         SELECT epoch_ms("time")::DOUBLE AS known FROM stored.logs WHERE "time" IS NOT NULL AND part IN (
           SELECT part FROM stored.parts WHERE job IN (SELECT job FROM stored.windows WHERE export = $1)))
       SELECT known FROM brought WHERE NOT known BETWEEN $2::DOUBLE AND $3::DOUBLE
       ORDER BY greatest($2::DOUBLE - known, known - $3::DOUBLE), known LIMIT 1`,
      [number, oldest, newest],
    );
    const at = result.getRowsJS()[0]?.[0];
    return typeof at === 'number' ? at : undefined;
  });
}
