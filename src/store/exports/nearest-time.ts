import { type Case, reading } from '../case/case.ts';

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
  return reading(from, async (connection) => {
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
