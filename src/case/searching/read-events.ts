import * as v from 'valibot';
import { toStoreError } from '../../database/index.ts';
import type { Filter } from '../../language/index.ts';
import type { LogField } from '../../records/index.ts';
import type { Case } from '../file/case.ts';
import { toSqlCount } from './find-logs.ts';
import { startSearch } from './search.ts';

/** Fields that are read as one text: the first of them with a value, or the first group of an expression in it. */
export type EventValue = readonly LogField[] | { readonly field: LogField; readonly extract: string };

/** The time of a log, and some of its values as texts. */
export interface LogEvent {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** In the order asked for; null where the log has none. */
  readonly values: readonly (string | null)[];
}

const rows = v.array(v.tupleWithRest([v.number(), v.number()], v.nullable(v.string())));

/** Logs to read. */
export interface EventOptions {
  readonly values: readonly EventValue[];
  readonly limit: number;
  /**
   * Of the logs with the same values only the first and the last one of each interval of this
   * length: milliseconds. Two logs that are further apart than that, with none between them, are
   * neighbours still, and no others become so.
   */
  readonly thin?: number | undefined;
}

/**
 * Reads the time and some values of the logs that a filter selects, in the order of time and id; at
 * most `limit`. Logs without a time are left out.
 */
export async function readEvents(
  from: Case,
  filter: Filter,
  { values, limit, thin }: EventOptions,
): Promise<readonly LogEvent[]> {
  const { connection, condition, end } = await startSearch(from, filter);
  try {
    const { sql, parameters } = condition();
    const all: Parameters<typeof connection.runAndReadAll>[1] & unknown[] = [...parameters];
    const columns = values.map(
      (value, index) => `${valueSql(value, (text) => `$${all.push(text)}`)} AS v${index}`,
    );
    const names = columns.map((_, index) => `, v${index}`).join('');
    const logs = `SELECT ${['id', 'epoch_ms("time") AS t', ...columns].join(', ')} FROM stored.logs
      WHERE "time" IS NOT NULL AND (${sql})`;
    const read = thin === undefined ? logs : thinned(logs, names, `$${all.push(thin)}::DOUBLE`);
    const result = await connection.runAndReadAll(
      `SELECT id::DOUBLE, t::DOUBLE${names} FROM (${read}) ORDER BY t, id LIMIT ${toSqlCount(limit)}`,
      all,
    );
    return v.parse(rows, result.getRowsJS()).map(([id, time, ...texts]) => ({ id, time, values: texts }));
  } catch (error) {
    throw toStoreError(error, from);
  } finally {
    end();
  }
}

/** SELECT of the first and the last log of each interval and values. */
function thinned(logs: string, names: string, length: string): string {
  return `SELECT DISTINCT ends.i AS id, ends.t AS t${names} FROM (
    SELECT unnest([min({t: t, i: id}), max({t: t, i: id})]) AS ends${names} FROM (${logs})
    GROUP BY floor(t::DOUBLE / ${length})${names})`;
}

function valueSql(value: EventValue, bind: (text: string) => string): string {
  if ('extract' in value)
    return `nullif(regexp_extract("${value.field}"::VARCHAR, ${bind(value.extract)}, 1), '')`;
  return `coalesce(${[...value.map((field) => `"${field}"::VARCHAR`), 'NULL'].join(', ')})`;
}
