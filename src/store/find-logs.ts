import type { DuckDBConnection } from '@duckdb/node-api';
import type { Filter } from '../meaning/filter.ts';
import type { LogField } from '../records/log.ts';
import { type Case, connect, reading, toStoreError } from './case.ts';
import { type Condition, startCondition, withCondition } from './column-test.ts';
import { type StoredLog, storedLogColumns, toStoredLog } from './stored-log.ts';

/** The order of logs: by time, those of the same time by id. Logs without a time come last either way. */
export type Order = 'newest' | 'oldest';

const orders: { readonly [O in Order]: string } = {
  newest: '"time" DESC NULLS LAST, id DESC',
  oldest: '"time" ASC NULLS LAST, id ASC',
};

/** Which of the selected logs are wanted. */
export interface FindOptions {
  /** At most this many. */
  readonly limit: number;
  /** `newest` by default. */
  readonly order?: Order;
  /** So many are passed over first. */
  readonly offset?: number;
}

/** The logs that a filter selects, the newest first unless asked otherwise. */
export function findLogs(
  from: Case,
  filter: Filter,
  { limit, order = 'newest', offset = 0 }: FindOptions,
): Promise<readonly StoredLog[]> {
  return select(from, filter, async (connection, { sql, parameters }) => {
    const result = await connection.runAndReadAll(
      `SELECT ${storedLogColumns} FROM stored.logs WHERE ${sql} ORDER BY ${orders[order]}
       LIMIT ${toCount(limit)} OFFSET ${toCount(offset)}`,
      [...parameters],
    );
    return result.getRowsJS().map(toStoredLog);
  });
}

/**
 * The logs that a filter selects one after the other, the oldest first unless
 * asked otherwise. They are as of the beginning, whatever is added meanwhile.
 */
export async function* streamLogs(
  from: Case,
  filter: Filter,
  { order = 'oldest', limit }: { readonly order?: Order; readonly limit?: number } = {},
): AsyncGenerator<StoredLog, void, undefined> {
  const { sql, parameters, done } = startCondition(filter);
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
function select<T>(
  from: Case,
  filter: Filter,
  work: (connection: DuckDBConnection, condition: Condition) => Promise<T>,
): Promise<T> {
  return withCondition(filter, (condition) => reading(from, (connection) => work(connection, condition)));
}

function fieldValue(field: LogField): string {
  if (field === 'time') return 'epoch_ms("time")::DOUBLE';
  return field === 'logCode' ? '"logCode"::DOUBLE' : `"${field}"`;
}

/** A number that may stand in SQL: whole, not negative. Infinity asks for all there are. */
function toCount(value: number): string {
  return String(Math.min(Math.max(0, Math.trunc(value) || 0), Number.MAX_SAFE_INTEGER));
}
