import * as v from 'valibot';
import type { Filter } from '../../language/index.ts';
import type { Case } from '../file/case.ts';
import { startCondition } from '../file/column-test.ts';
import { shiftPlaceholders } from './leaf-columns.ts';
import { withSearch } from './search.ts';
import type { TimedLog } from './severe-values.ts';

/** Number of logs of one filter, with the first and the last of them. */
export interface FilterCount {
  readonly count: number;
  /** Ids of the first and last log of the order of time; equal times are ordered by id. Absent without a timed log. */
  readonly first?: TimedLog;
  readonly last?: TimedLog;
  /** The least id of the logs without a time; absent if all have one. */
  readonly timeless?: number;
}

/** Filters of one statement: the time to plan a statement grows faster than its length. */
const filtersOfStatement = 16;

const timed = v.nullable(v.object({ time: v.nullable(v.number()), id: v.nullable(v.number()) }));
const row = v.array(
  v.object({ count: v.number(), first: timed, last: timed, timeless: v.nullable(v.number()) }),
);

/** The logs to count. */
export interface CountEachOptions {
  /** Only logs that this filter selects. */
  readonly among: Filter;
  /** Only one block of logs in this number of blocks: a sample that is read faster. Default 1, all logs. */
  readonly oneIn?: number;
}

/** Logs of a block of a sample: those that the database reads together. */
const logsOfBlock = 2_048;

/**
 * Counts the logs that each of some filters selects among those of another one. All are counted in
 * one pass over the logs, which takes little more time than one count.
 */
export function countEach(
  from: Case,
  filters: readonly Filter[],
  { among, oneIn = 1 }: CountEachOptions,
): Promise<readonly FilterCount[]> {
  return withSearch(from, among, async ({ connection, condition }) => {
    const { sql: all, parameters } = condition();
    const sql = oneIn === 1 ? all : `(id // ${logsOfBlock}) % ${Math.trunc(oneIn)} = 0 AND (${all})`;
    const counts: FilterCount[] = [];
    for (let at = 0; at < filters.length; at += filtersOfStatement) {
      const started = filters.slice(at, at + filtersOfStatement).map((each) => startCondition(each));
      try {
        const bound: Parameters<typeof connection.runAndReadAll>[1] & unknown[] = [...parameters];
        const columns = started.map((each) => {
          const own = `coalesce(${shiftPlaceholders(each.sql, bound.length)}, false)`;
          bound.push(...each.parameters);
          return own;
        });
        const result = await connection.runAndReadAll(
          `SELECT [${columns.map((_, index) => countSql(`c${index}`)).join(', ')}]
           FROM (SELECT id::DOUBLE AS i, epoch_ms("time")::DOUBLE AS t, ${columns.map((own, index) => `${own} AS c${index}`).join(', ')}
             FROM stored.logs WHERE ${sql})`,
          bound,
        );
        counts.push(...v.parse(row, result.getRowsJS()[0]?.[0]).map(toCount));
      } finally {
        for (const each of started) each.done();
      }
    }
    return counts;
  });
}

/** Ordered by time, then by id. */
const place = '{time: t, id: i}';

function countSql(column: string): string {
  const timed = `FILTER (WHERE ${column} AND t IS NOT NULL)`;
  return `{count: count(*) FILTER (WHERE ${column})::DOUBLE, first: min(${place}) ${timed}, last: max(${place}) ${timed},
    timeless: min(i) FILTER (WHERE ${column} AND t IS NULL)}`;
}

function toCount({ count, first, last, timeless }: v.InferOutput<typeof row>[number]): FilterCount {
  return {
    count,
    ...(first && isTimedLog(first) && { first }),
    ...(last && isTimedLog(last) && { last }),
    ...(timeless !== null && { timeless }),
  };
}

function isTimedLog(log: { readonly time: number | null; readonly id: number | null }): log is TimedLog {
  return log.time !== null && log.id !== null;
}
