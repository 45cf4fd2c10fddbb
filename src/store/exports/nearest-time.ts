import { type Case, reading } from '../case/case.ts';

/** The times beside which a log is looked for, both included: milliseconds since the epoch. */
export interface NearestTimeOptions {
  /** The number of the export that has brought it. */
  readonly export: number;
  readonly oldest: number;
  readonly newest: number;
}

/** The time of the log outside of some times that is nearest to them, among those of an export; undefined where it has brought none. */
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
