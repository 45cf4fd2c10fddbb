import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import type { StoredPart } from '../case/parts.ts';
import type { ReportDeviation } from './deviation.ts';

const counted = v.array(v.tuple([v.nullable(v.number()), v.number(), v.number()]));

/** Counts the rows of each part, and reports counts that differ from the parts table. Returns the totals. */
export async function checkCounts(
  connection: DuckDBConnection,
  parts: readonly StoredPart[],
  report: ReportDeviation,
): Promise<{ logs: number; unreadable: number }> {
  const result = await connection.runAndReadAll(
    `SELECT part, sum(logs)::DOUBLE, sum(unreadable)::DOUBLE FROM (
       SELECT part, 1 AS logs, 0 AS unreadable FROM stored.logs UNION ALL
       SELECT part, 0, 1 FROM stored.unreadable)
     GROUP BY part ORDER BY part`,
  );
  const rows = v.parse(counted, result.getRowsJS());
  const found = new Map(rows.map(([part, logs, unreadable]) => [part, { logs, unreadable }]));
  for (const { part, entry, logs, unreadable } of parts) {
    const there = found.get(part) ?? { logs: 0, unreadable: 0 };
    found.delete(part);
    if (there.logs !== logs || there.unreadable !== unreadable)
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
  return rows.reduce(
    (sum, [, logs, unreadable]) => ({ logs: sum.logs + logs, unreadable: sum.unreadable + unreadable }),
    { logs: 0, unreadable: 0 },
  );
}
