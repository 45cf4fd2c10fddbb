import * as v from 'valibot';
import type { LogField } from '../../records/index.ts';
import { type Case, readCaseSnapshot } from '../file/case.ts';
import { fieldValueSchema, fieldValueSql, toSqlCount, type ValueCount } from './find-logs.ts';

/** A log with a time: its id in the case, and milliseconds since the epoch. */
export interface TimedLog {
  readonly id: number;
  readonly time: number;
}

/** Number of logs with one value of a field, all and severe ones. */
export interface SevereValue extends ValueCount {
  /** Number of severe logs. */
  readonly severe: number;
  /** First and last severe log; absent if no severe log has a time. */
  readonly firstSevere?: TimedLog;
  readonly lastSevere?: TimedLog;
}

const timedLog = v.pipe(
  v.object({ time: v.nullable(v.number()), id: v.nullable(v.number()) }),
  v.transform(({ time, id }): TimedLog | undefined =>
    time === null || id === null ? undefined : { id, time },
  ),
);
const row = v.tuple([fieldValueSchema, v.number(), v.number(), timedLog, timedLog]);

const isSevere = `upper("logLevel") = 'SEVERE'`;
const timed = `FILTER (WHERE ${isSevere} AND "time" IS NOT NULL)`;
const place = '{t: "time", i: id}';

/**
 * Counts the values of a field in all logs of a case, with the first and last severe log of each. Ordered by
 * severe logs, then by all logs, the most first; then by value.
 */
export function countSevereBy(
  from: Case,
  field: LogField,
  { limit }: { readonly limit: number },
): Promise<readonly SevereValue[]> {
  return readCaseSnapshot(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT value, logs, severe, {time: epoch_ms(first.t)::DOUBLE, id: first.i::DOUBLE},
         {time: epoch_ms(last.t)::DOUBLE, id: last.i::DOUBLE}
       FROM (SELECT ${fieldValueSql(field)} AS value, count(*)::DOUBLE AS logs,
           count(*) FILTER (WHERE ${isSevere})::DOUBLE AS severe,
           min(${place}) ${timed} AS first, max(${place}) ${timed} AS last
         FROM stored.logs GROUP BY ALL)
       ORDER BY severe DESC, logs DESC, value NULLS LAST LIMIT ${toSqlCount(limit)}`,
    );
    return result.getRowsJS().map((each) => {
      const [value, count, severe, first, last] = v.parse(row, each);
      return {
        ...value,
        count,
        severe,
        ...(first && { firstSevere: first }),
        ...(last && { lastSevere: last }),
      };
    });
  });
}
