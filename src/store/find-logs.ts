import type { DuckDBConnection, JS } from '@duckdb/node-api';
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
export interface StreamOptions extends Partial<Pick<FindOptions, 'limit' | 'order' | 'after'>> {
  /** Ends the stream, also while the first log is looked for: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * The logs that a filter selects one after the other, the oldest first unless
 * asked otherwise. They are as of the beginning, whatever is added meanwhile.
 */
export async function* streamLogs(
  from: Case,
  filter: Filter,
  { order = 'oldest', limit, after, signal }: StreamOptions = {},
): AsyncGenerator<StoredLog, void, undefined> {
  const { done, ...condition } = startCondition(filter);
  const { sql, parameters } = page(condition, order, after);
  try {
    const rows = streamRows(from, {
      sql: `SELECT ${storedLogColumns} FROM stored.logs WHERE ${sql} ORDER BY ${orders[order]} ${limitTo(limit)}`,
      ...{ parameters, signal },
    });
    for await (const row of rows) yield toStoredLog(row);
  } finally {
    done();
  }
}

/** What is to be streamed from a case. */
interface Streamed extends Condition {
  readonly signal: AbortSignal | undefined;
}

/** The rows of a SELECT of this program one after the other, on a connection of their own. */
export async function* streamRows(
  from: Case,
  { sql, parameters, signal }: Streamed,
): AsyncGenerator<readonly JS[], void, undefined> {
  const connection = await connect(from);
  const interrupt = () => connection.interrupt();
  signal?.addEventListener('abort', interrupt, { once: true });
  try {
    signal?.throwIfAborted();
    const result = await connection.stream(sql, [...parameters]);
    for await (const rows of result.yieldRowsJs()) {
      signal?.throwIfAborted();
      yield* rows;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw toStoreError(error, from);
  } finally {
    signal?.removeEventListener('abort', interrupt);
    connection.closeSync();
  }
}

/** The end of a SELECT that gives at most so many rows. */
export function limitTo(limit: number | undefined): string {
  return limit === undefined ? '' : `LIMIT ${toCount(limit)}`;
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
