import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import type { StoredPart } from '../file/parts.ts';
import type { ReportDeviation } from './deviation.ts';

const counted = v.array(v.tuple([v.nullable(v.number()), v.number(), v.number()]));

/** Numbers of rows in a case. */
export interface CheckedCounts {
  readonly logs: number;
  readonly unreadable: number;
  /** Parts with more or fewer rows than the parts table says. */
  readonly miscounted: ReadonlySet<number>;
}

/** Counts the rows of each part, and reports counts that differ from the parts table. */
export async function checkCounts(
  connection: DuckDBConnection,
  parts: readonly StoredPart[],
  report: ReportDeviation,
): Promise<CheckedCounts> {
  const result = await connection.runAndReadAll(
    `SELECT part, sum(logs)::DOUBLE, sum(unreadable)::DOUBLE FROM (
       SELECT part, 1 AS logs, 0 AS unreadable FROM stored.logs UNION ALL
       SELECT part, 0, 1 FROM stored.unreadable)
     GROUP BY part ORDER BY part`,
  );
  const rows = v.parse(counted, result.getRowsJS());
  const found = new Map(rows.map(([part, logs, unreadable]) => [part, { logs, unreadable }]));
  const miscounted = new Set<number>();
  for (const { part, entry, logs, unreadable } of parts) {
    const there = found.get(part) ?? { logs: 0, unreadable: 0 };
    found.delete(part);
    if (there.logs === logs && there.unreadable === unreadable) continue;
    miscounted.add(part);
    report({
      ...{ code: 'ROWS_MISCOUNTED', part },
      message: `Part ${part} ("${entry}") has ${there.logs} logs and ${there.unreadable} unreadable records; expected ${logs} and ${unreadable}`,
    });
  }
  for (const [part, { logs, unreadable }] of found)
    report({
      ...{ code: 'ROWS_UNLISTED', ...(part !== null && { part }) },
      message: `${logs + unreadable} rows belong to ${part === null ? 'no part' : `part ${part}, which does not exist`}`,
    });
  return {
    logs: rows.reduce((sum, [, logs]) => sum + logs, 0),
    unreadable: rows.reduce((sum, [, , unreadable]) => sum + unreadable, 0),
    miscounted,
  };
}
