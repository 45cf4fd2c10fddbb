import type { DuckDBConnection, JS } from '@duckdb/node-api';
import * as v from 'valibot';
import { streamRows, toStoreError } from '../../database/index.ts';
import type { FieldValue, Filter } from '../../language/index.ts';
import { toNumberValue } from '../../language/index.ts';
import type { LogField } from '../../records/index.ts';
import type { Case } from '../file/case.ts';
import type { Condition } from '../file/column-test.ts';
import {
  afterCursorSql,
  compareCursors,
  type FirstLogs,
  type LogCursor,
  type LogOrder,
  orderBySql,
} from '../file/log-order.ts';
import { countValues } from '../index/field-values.ts';
import { idsSql, mostScattered } from '../index/id-conditions.ts';
import { firstIds } from '../index/times.ts';
import { blockCondition, splitIntoBlocks } from './log-blocks.ts';
import { type LogSearch, startSearch, withSearch } from './search.ts';
import { readStoredLogs, type StoredLog, storedLogColumns, toStoredLog } from './stored-log.ts';

/** Options of `findLogs`. */
export interface FindOptions {
  /** Maximum number of logs. */
  readonly limit: number;
  /** Default `newest`. */
  readonly order?: LogOrder;
  /** Number of logs to skip. */
  readonly offset?: number;
  /** Only logs after this cursor: pages that start there do not change when logs are added. */
  readonly after?: LogCursor;
}

/**
 * Returns the logs that a filter selects, by default the newest first.
 *
 * ```ts
 * const logs = await findLogs(incident, resolve(parse('logLevel:SEVERE').query), { limit: 100 });
 * ```
 */
export async function findLogs(
  from: Case,
  filter: Filter,
  { limit, order = 'newest', offset = 0, after }: FindOptions,
): Promise<readonly StoredLog[]> {
  const count = offset + limit;
  const first = { order, count, after };
  if (count <= maxPicked) return (await readPage(from, filter, first)).slice(offset);
  const found: StoredLog[] = [];
  for await (const log of streamLogs(from, filter, { order, limit: count, ...(after && { after }) }))
    found.push(log);
  return found.slice(offset);
}

/** Reads the first logs that a filter selects, in their order. */
function readPage(
  from: Case,
  filter: Filter,
  first: FirstLogs,
  signal?: AbortSignal,
): Promise<readonly StoredLog[]> {
  const read = async (search: LogSearch) => {
    const found = await readStoredLogs(from, search.connection, await firstIdsOf(search, first));
    found.sort((one, other) => compareCursors(cursorOf(one), cursorOf(other), first.order));
    return found;
  };
  return withSearch(from, filter, read, signal, first);
}

/** Returns the position of a log in the orders by time. */
export function cursorOf({ id, log: { time } }: StoredLog): LogCursor {
  return time === undefined ? { id } : { id, time };
}

/** Options of a stream of logs. */
export interface StreamOptions extends Partial<Pick<FindOptions, 'limit' | 'order' | 'after'>> {
  /** Ends the stream at any time: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Streams the logs that a filter selects, by default the oldest first, from a snapshot taken at the start.
 *
 * ```ts
 * for await (const { log } of streamLogs(incident, filter)) console.log(log.msg);
 * ```
 */
export async function* streamLogs(
  from: Case,
  filter: Filter,
  { order = 'oldest', limit, after, signal }: StreamOptions = {},
): AsyncGenerator<StoredLog, void, undefined> {
  if (limit !== undefined && limit <= maxPicked) {
    signal?.throwIfAborted();
    const first = { order, count: Number(toSqlCount(limit)), after };
    for (const log of await readPage(from, filter, first, signal)) {
      signal?.throwIfAborted();
      yield log;
    }
    return;
  }
  let left = limit ?? Number.POSITIVE_INFINITY;
  for await (const row of streamSearch(from, filter, { signal, toSelects: selectBlocks })) {
    if (left-- <= 0) return;
    yield toStoredLog(row);
  }

  async function* selectBlocks({ connection, condition, hits }: LogSearch): AsyncGenerator<Condition> {
    const wanted = pageCondition(condition(), order, after);
    if (hits && hits.count <= maxPicked) return yield* selectFew(connection, wanted, order);
    for (const block of await splitIntoBlocks(connection, wanted, order)) {
      if (left <= 0) return;
      const { sql, parameters } = blockCondition(wanted, block, order);
      const select = `SELECT ${storedLogColumns} FROM stored.logs WHERE ${sql} ORDER BY ${orderBySql[order]}`;
      yield { sql: select, parameters };
    }
  }
}

/** SELECTs of few logs, as many at a time as one statement can look up: the database would scan all logs for more. */
async function* selectFew(
  connection: DuckDBConnection,
  { sql, parameters }: Condition,
  order: LogOrder,
): AsyncGenerator<Condition> {
  const ids = await selectIdsInOrder(connection, {
    sql: `SELECT id::DOUBLE FROM stored.logs WHERE ${sql} ORDER BY ${orderBySql[order]}`,
    parameters,
  });
  for (let at = 0; at < ids.length; at += mostScattered) {
    const some = idsSql(ids.slice(at, at + mostScattered));
    yield {
      sql: `SELECT ${storedLogColumns} FROM stored.logs WHERE ${some} ORDER BY ${orderBySql[order]}`,
      parameters: [],
    };
  }
}

/** The SELECTs of a search to stream, in order. */
interface Streamed {
  readonly signal: AbortSignal | undefined;
  readonly toSelects: (search: LogSearch) => AsyncIterable<Condition>;
}

/** Streams the rows of consecutive SELECTs on one search. */
export async function* streamSearch(
  from: Case,
  filter: Filter,
  { signal, toSelects }: Streamed,
): AsyncGenerator<readonly JS[], void, undefined> {
  const { end, ...search } = await startSearch(from, filter, signal);
  try {
    for await (const { sql, parameters } of toSelects(search)) {
      const result = await streamRows(search.connection, { sql, parameters, signal });
      for await (const rows of result.yieldRowsJs()) {
        signal?.throwIfAborted();
        yield* rows;
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw toStoreError(error, from);
  } finally {
    end();
  }
}

/** Up to this number of logs, the first ones are picked, and then read. Above it, blocks of logs are sorted. */
const maxPicked = 1000;

/** Up to this number of hits, their times are not worth loading. */
const fewHits = 100;

const idRows = v.array(v.tuple([v.number()]));

/** Returns the ids of the first logs of a search, in any order. */
export async function firstIdsOf(
  { connection, hits, condition }: LogSearch,
  first: FirstLogs,
): Promise<readonly number[]> {
  const { order, count, after } = first;
  if (hits && !after && hits.count <= count) return hits.ids();
  const times = hits && fewHits < hits.count ? await hits.times() : undefined;
  if (hits && times) return firstIds(times, hits.bitmap(), first);
  const { sql, parameters } = pageCondition(condition(), order, after);
  return selectIdsInOrder(connection, {
    sql: `SELECT id::DOUBLE FROM stored.logs WHERE ${sql} ORDER BY ${orderBySql[order]} ${limitClause(count)}`,
    parameters,
  });
}

async function selectIdsInOrder(
  connection: DuckDBConnection,
  { sql, parameters }: Condition,
): Promise<readonly number[]> {
  const result = await connection.runAndReadAll(sql, [...parameters]);
  return v.parse(idRows, result.getRowsJS()).flat();
}

/** Returns a LIMIT clause, empty without a limit. */
export function limitClause(limit: number | undefined): string {
  return limit === undefined ? '' : `LIMIT ${toSqlCount(limit)}`;
}

/** Restricts a condition to the logs after a cursor. */
export function pageCondition(
  condition: Condition,
  order: LogOrder,
  after: LogCursor | undefined,
): Condition {
  if (!after) return condition;
  const rest = afterCursorSql(after, order, condition.parameters.length + 1);
  return {
    sql: `(${condition.sql}) AND ${rest.sql}`,
    parameters: [...condition.parameters, ...rest.parameters],
  };
}

/**
 * Counts the logs that a filter selects.
 *
 * ```ts
 * const count = await countLogs(incident, filter);
 * ```
 */
export function countLogs(
  from: Case,
  filter: Filter,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<number> {
  const count = async ({ connection, condition, hits }: LogSearch) => {
    if (hits) return hits.count;
    const { sql, parameters } = condition();
    const select = `SELECT count(*)::DOUBLE FROM stored.logs WHERE ${sql}`;
    const result = await connection.runAndReadAll(select, [...parameters]);
    return Number(result.getRowsJS()[0]?.[0]);
  };
  return withSearch(from, filter, count, signal);
}

/** Number of logs with one value of a field. */
export interface ValueCount {
  /** Absent for logs without a value. */
  readonly value?: FieldValue;
  readonly count: number;
}

/**
 * Counts the values of a field in the logs that a filter selects, the most frequent first; by default at most
 * 100 values.
 *
 * ```ts
 * for (const { value, count } of await countBy(incident, 'source', filter)) console.log(value, count);
 * ```
 */
export function countBy(
  from: Case,
  field: LogField,
  filter: Filter,
  { limit = 100, signal }: { readonly limit?: number; readonly signal?: AbortSignal | undefined } = {},
): Promise<readonly ValueCount[]> {
  const count = async (search: LogSearch) => {
    const values = await search.hits?.values(fieldValueSql(field));
    const counts =
      search.hits && values ? countValues(values, search.hits.bitmap()) : await countInDatabase(search);
    return counts
      .slice(0, Number(toSqlCount(limit)))
      .map(([value, count]) => ({ ...v.parse(fieldValueSchema, value), count: Number(count) }));
  };
  const countInDatabase = async ({ connection, condition }: LogSearch) => {
    const { sql, parameters } = condition();
    const result = await connection.runAndReadAll(
      `SELECT ${fieldValueSql(field)} AS value, count(*)::DOUBLE AS count FROM stored.logs WHERE ${sql}
       GROUP BY ALL ORDER BY count DESC, value NULLS LAST LIMIT ${toSqlCount(limit)}`,
      [...parameters],
    );
    return result.getRowsJS();
  };
  return withSearch(from, filter, count, signal);
}

/** Returns the value of a field as SQL: a text, a double or a BIGINT. */
export function fieldValueSql(field: LogField): string {
  return field === 'time' ? 'epoch_ms("time")::DOUBLE' : `"${field}"`;
}

/** Parses a value of `fieldValueSql` to that of a log; an empty object for NULL. */
export const fieldValueSchema = v.pipe(
  v.nullable(v.union([v.string(), v.number(), v.pipe(v.bigint(), v.transform(toNumberValue))])),
  v.transform((value): { readonly value?: FieldValue } => (value === null ? {} : { value })),
);

/** Formats a number for SQL: an integer of at least 0. Infinity means all. */
export function toSqlCount(value: number): string {
  return String(Math.min(Math.max(0, Math.trunc(value) || 0), Number.MAX_SAFE_INTEGER));
}
