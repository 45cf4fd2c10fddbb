import type { DuckDBConnection } from '@duckdb/node-api';
import type { Filter } from '../meaning/filter.ts';
import type { LogField } from '../records/log.ts';
import { type Case, connect, reading, toStoreError } from './case.ts';
import { type Condition, startCondition, withCondition } from './column-test.ts';
import { behind, type Order, orders, type Place } from './log-order.ts';
import { type StoredLog, storedLogColumns, toStoredLog } from './stored-log.ts';

/** Which of the selected logs are wanted. */
export interface FindOptions {
  /** At most this many. */
  readonly limit: number;
  /** `newest` by default. */
  readonly order?: Order;
  /** So many are passed over first. */
  readonly offset?: number;
  /** Only those behind this place: pages that begin there stay the same whatever is added. */
  readonly after?: Place;
}

/** The logs that a filter selects, the newest first unless asked otherwise. */
export function findLogs(
  from: Case,
  filter: Filter,
  { limit, order = 'newest', offset = 0, after }: FindOptions,
): Promise<readonly StoredLog[]> {
  return select(from, filter, async (connection, condition) => {
    const { sql, parameters } = page(condition, order, after);
    const result = await connection.runAndReadAll(
      `SELECT ${storedLogColumns} FROM stored.logs WHERE ${sql} ORDER BY ${orders[order]}
       LIMIT ${toCount(limit)} OFFSET ${toCount(offset)}`,
      [...parameters],
    );
    return result.getRowsJS().map(toStoredLog);
  });
}

/** Which of the selected logs a stream gives. */
export type StreamOptions = Partial<Pick<FindOptions, 'limit' | 'order' | 'after'>>;

/**
 * The logs that a filter selects one after the other, the oldest first unless
 * asked otherwise. They are as of the beginning, whatever is added meanwhile.
 */
export async function* streamLogs(
  from: Case,
  filter: Filter,
  { order = 'oldest', limit, after }: StreamOptions = {},
): AsyncGenerator<StoredLog, void, undefined> {
  const { done, ...condition } = startCondition(filter);
  const { sql, parameters } = page(condition, order, after);
  const connection = await connect(from);
  try {
    const result = await connection.stream(
      `SELECT ${storedLogColumns} FROM stored.logs WHERE ${sql} ORDER BY ${orders[order]}
       ${limit === undefined ? '' : `LIMIT ${toCount(limit)}`}`,
      [...parameters],
    );
    for await (const rows of result.yieldRowsJs()) {
      for (const row of rows) yield toStoredLog(row);
    }
  } catch (error) {
    throw toStoreError(error, from);
  } finally {
    done();
    connection.closeSync();
  }
}

/** The condition of the selected logs behind a place. */
export function page(condition: Condition, order: Order, after: Place | undefined): Condition {
  if (!after) return condition;
  const rest = behind(after, order, condition.parameters.length + 1);
  return {
    sql: `(${condition.sql}) AND ${rest.sql}`,
    parameters: [...condition.parameters, ...rest.parameters],
  };
}

/** How many logs a filter selects. */
export function countLogs(from: Case, filter: Filter): Promise<number> {
  return select(from, filter, async (connection, { sql, parameters }) => {
    const count = `SELECT count(*)::DOUBLE FROM stored.logs WHERE ${sql}`;
    const result = await connection.runAndReadAll(count, [...parameters]);
    return Number(result.getRowsJS()[0]?.[0]);
  });
}

/** How many logs have one value of a field. */
export interface ValueCount {
  /** Absent in the count of the logs that have no value. */
  readonly value?: string | number;
  readonly count: number;
}

/** The values that a field has in the logs that a filter selects, the most frequent first; at most 100 unless asked otherwise. */
export function countBy(
  from: Case,
  field: LogField,
  filter: Filter,
  { limit = 100 }: { readonly limit?: number } = {},
): Promise<readonly ValueCount[]> {
  return select(from, filter, async (connection, { sql, parameters }) => {
    const result = await connection.runAndReadAll(
      `SELECT ${fieldValue(field)} AS value, count(*)::DOUBLE AS count FROM stored.logs WHERE ${sql}
       GROUP BY ALL ORDER BY count DESC, value NULLS LAST LIMIT ${toCount(limit)}`,
      [...parameters],
    );
    return result.getRowsJS().map(([value, count]) => ({
      ...((typeof value === 'string' || typeof value === 'number') && { value }),
      count: Number(count),
    }));
  });
}

/** Runs work on a connection of its own with the condition of a filter. */
export function select<T>(
  from: Case,
  filter: Filter,
  work: (connection: DuckDBConnection, condition: Condition) => Promise<T>,
): Promise<T> {
  return withCondition(filter, (condition) => reading(from, (connection) => work(connection, condition)));
}

/** The value of a field as SQL: a text or a double. */
export function fieldValue(field: LogField): string {
  if (field === 'time') return 'epoch_ms("time")::DOUBLE';
  return field === 'logCode' ? '"logCode"::DOUBLE' : `"${field}"`;
}

/** A number that may stand in SQL: whole, not negative. Infinity asks for all there are. */
export function toCount(value: number): string {
  return String(Math.min(Math.max(0, Math.trunc(value) || 0), Number.MAX_SAFE_INTEGER));
}
