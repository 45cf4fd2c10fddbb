import * as v from 'valibot';
import type { Filter } from '../../language/index.ts';
import type { Case } from '../file/case.ts';
import { toSqlCount } from '../searching/find-logs.ts';
import { withSearch } from '../searching/search.ts';

/** Logs of one source. Times are milliseconds since the epoch, durations seconds. */
export interface SourceCounts {
  /** Absent for logs without a source. */
  readonly source?: string;
  readonly count: number;
  readonly severe: number;
  readonly warnings: number;
  /** First and last log; absent if none has a time. */
  readonly first?: number;
  readonly last?: number;
  readonly users: number;
  /** Logs with an elapsed time above 0, which means measured, with its median, 95th percentile and maximum. */
  readonly measured: number;
  readonly median?: number;
  readonly p95?: number;
  readonly longest?: number;
}

/** Severe logs and warnings of one level and code. */
export interface FailureCounts {
  readonly level: string;
  /** A text, as codes can exceed 2^53; absent for logs without a code. */
  readonly code?: string;
  readonly count: number;
  readonly first?: number;
  readonly last?: number;
  /** Most frequent source, the number of sources, and the number of users. */
  readonly source?: string;
  readonly sources: number;
  readonly users: number;
  /** Id and message of the first log. */
  readonly id: number;
  readonly message?: string;
}

/** The first rows of a list, and the number of all. */
export interface Listed<T> {
  readonly values: readonly T[];
  readonly total: number;
}

const text = v.nullable(v.string());
const number = v.nullable(v.number());
const n = v.number();
const sourceRow = v.tuple([text, n, n, n, number, number, n, n, number, number, number, n]);

/** Counts the logs that a filter selects by source; most severe logs first, then most warnings and logs. */
export function countSources(
  from: Case,
  filter: Filter,
  { limit }: { readonly limit: number },
): Promise<Listed<SourceCounts>> {
  return withSearch(from, filter, async ({ connection, condition }) => {
    const { sql, parameters } = condition();
    const measured = 'elapsed > 0 AND isfinite(elapsed)';
    const result = await connection.runAndReadAll(
      `SELECT source, count(*)::DOUBLE AS logs, count(*) FILTER (upper("logLevel") = 'SEVERE')::DOUBLE AS severe,
         count(*) FILTER (upper("logLevel") = 'WARNING')::DOUBLE AS warnings,
         epoch_ms(min("time"))::DOUBLE, epoch_ms(max("time"))::DOUBLE, count(DISTINCT username)::DOUBLE,
         count(*) FILTER (${measured})::DOUBLE, quantile_cont(elapsed, 0.5) FILTER (${measured}),
         quantile_cont(elapsed, 0.95) FILTER (${measured}), max(elapsed) FILTER (${measured}),
         count(*) OVER ()::DOUBLE
       FROM stored.logs WHERE ${sql} GROUP BY source
       ORDER BY severe DESC, warnings DESC, logs DESC, source NULLS LAST LIMIT ${toSqlCount(limit)}`,
      [...parameters],
    );
    const rows = v.parse(v.array(sourceRow), result.getRowsJS());
    return { values: rows.map(toSource), total: rows[0]?.[11] ?? 0 };
  });
}

function toSource(row: v.InferOutput<typeof sourceRow>): SourceCounts {
  const [source, count, severe, warnings, first, last, users, measured, median, p95, longest] = row;
  return {
    ...(source !== null && { source }),
    ...{ count, severe, warnings, users, measured },
    ...(first !== null && last !== null && { first, last }),
    ...(median !== null && p95 !== null && longest !== null && { median, p95, longest }),
  };
}

const failureRow = v.tuple([v.string(), text, n, number, number, text, n, n, n, text, n]);

/** Counts severe logs and warnings that a filter selects by level and code; severe first, then most logs. */
export function countFailures(
  from: Case,
  filter: Filter,
  { limit }: { readonly limit: number },
): Promise<Listed<FailureCounts>> {
  return withSearch(from, filter, async ({ connection, condition }) => {
    const { sql, parameters } = condition();
    const place = '{missing: "time" IS NULL, t: "time", i: id}';
    const result = await connection.runAndReadAll(
      `WITH found AS (SELECT upper("logLevel") AS level, "logCode"::VARCHAR AS code, count(*)::DOUBLE AS logs,
           epoch_ms(min("time"))::DOUBLE AS first, epoch_ms(max("time"))::DOUBLE AS last, mode(source) AS source,
           count(DISTINCT source)::DOUBLE AS sources, count(DISTINCT username)::DOUBLE AS users,
           min(${place}).i AS id, count(*) OVER ()::DOUBLE AS total
         FROM stored.logs WHERE (${sql}) AND upper("logLevel") IN ('SEVERE', 'WARNING') GROUP BY 1, 2
         ORDER BY level = 'WARNING', logs DESC, code NULLS LAST LIMIT ${toSqlCount(limit)})
       SELECT found.* EXCLUDE (id, total), found.id::DOUBLE, msg, total
       FROM found LEFT JOIN stored.logs ON logs.id = found.id
       ORDER BY level = 'WARNING', logs DESC, code NULLS LAST`,
      [...parameters],
    );
    const rows = v.parse(v.array(failureRow), result.getRowsJS());
    return { values: rows.map(toFailure), total: rows[0]?.[10] ?? 0 };
  });
}

function toFailure(row: v.InferOutput<typeof failureRow>): FailureCounts {
  const [level, code, count, first, last, source, sources, users, id, message] = row;
  return {
    ...{ level, count, sources, users, id },
    ...(code !== null && { code }),
    ...(first !== null && last !== null && { first, last }),
    ...(source !== null && { source }),
    ...(message !== null && { message }),
  };
}
