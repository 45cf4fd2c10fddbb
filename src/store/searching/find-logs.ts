import type { JS } from '@duckdb/node-api';
import * as v from 'valibot';
import type { FieldValue } from '../../meaning/document.ts';
import type { Filter } from '../../meaning/filter.ts';
import { toNumberValue } from '../../meaning/number-value.ts';
import type { LogField } from '../../records/log.ts';
import { type Case, toStoreError } from '../case/case.ts';
import type { Condition } from '../case/column-test.ts';
import {
  afterCursorSql,
  compareCursors,
  type FirstLogs,
  type LogCursor,
  type LogOrder,
  orderBySql,
} from '../case/log-order.ts';
import { streamRows } from '../database/stream-rows.ts';
import { idsOf } from '../token-index/bitmap.ts';
import { countValues } from '../token-index/field-values.ts';
import { firstIds } from '../token-index/times.ts';
import { blockCondition, splitIntoBlocks } from './log-blocks.ts';
import { type LogSearch, startSearch, withSearch } from './search.ts';
import { type StoredLog, storedLogColumns, toStoredLog } from './stored-log.ts';

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
  if (maxPicked < offset + limit) {
    const found: StoredLog[] = [];
    const options = { order, limit: offset + limit, ...(after && { after }) };
    for await (const log of streamLogs(from, filter, options)) found.push(log);
    return found.slice(offset);
  }
  const first = { order, count: offset + limit, after };
  const find = async (search: LogSearch) => {
    const { connection } = search;
    const { sql, parameters, isFew } = await pageOf(search, first);
    // Sorting a few logs here is cheaper than planning it in SQL.
    const select = isFew
      ? `SELECT ${storedLogColumns} FROM stored.logs WHERE ${sql}`
      : selectFirst(sql, order, `LIMIT ${toSqlCount(limit)} OFFSET ${toSqlCount(offset)}`);
    // Without parameters, DuckDB plans a statement once instead of twice.
    const result = await connection.runAndReadAll(
      select,
      parameters.length === 0 ? undefined : [...parameters],
    );
    const found = result.getRowsJS().map(toStoredLog);
    found.sort((one, other) => compareCursors(cursorOf(one), cursorOf(other), order));
    return isFew ? found.slice(offset, offset + limit) : found;
  };
  return await withSearch(from, filter, find, undefined, first);
}

/**
 * SELECT of the first logs of a condition, in order. The LIMIT is inside, so that texts are assembled only for
 * the logs within it.
 */
function selectFirst(sql: string, order: LogOrder, limit: string): string {
  const first = `SELECT * FROM stored.logs WHERE ${sql} ORDER BY ${orderBySql[order]} ${limit}`;
  return `SELECT ${storedLogColumns} FROM (${first})`;
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
  const count = limit ?? Number.POSITIVE_INFINITY;
  const isPage = count <= maxPicked;
  const streamed = isPage
    ? { signal, toSelects: selectPage, first: { order, count, after } }
    : { signal, toSelects: selectBlocks };
  let left = count;
  for await (const row of streamSearch(from, filter, streamed)) {
    if (left-- <= 0) return;
    yield toStoredLog(row);
  }

  async function* selectPage(search: LogSearch): AsyncGenerator<Condition> {
    const { sql, parameters } = await pageOf(search, { order, count, after });
    yield { sql: selectFirst(sql, order, limitClause(limit)), parameters };
  }

  async function* selectBlocks({ connection, condition }: LogSearch): AsyncGenerator<Condition> {
    const wanted = pageCondition(condition(), order, after);
    for (const block of await splitIntoBlocks(connection, wanted, order)) {
      if (left <= 0) return;
      const { sql, parameters } = blockCondition(wanted, block, order);
      const select = `SELECT ${storedLogColumns} FROM stored.logs WHERE ${sql} ORDER BY ${orderBySql[order]}`;
      yield { sql: select, parameters };
    }
  }
}

/** The SELECTs of a search to stream, in order. */
interface Streamed {
  readonly signal: AbortSignal | undefined;
  readonly toSelects: (search: LogSearch) => AsyncIterable<Condition>;
  /** The logs that are wanted, if not all. */
  readonly first?: FirstLogs;
}

/** Streams the rows of consecutive SELECTs on one search. */
export async function* streamSearch(
  from: Case,
  filter: Filter,
  { signal, toSelects, first }: Streamed,
): AsyncGenerator<readonly JS[], void, undefined> {
  const { end, ...search } = await startSearch(from, filter, signal, first);
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

/**
 * Up to this number of logs, the first ones are selected by their times here, or by the top-N sort of the
 * database. Above it, DuckDB would sort all selected logs.
 */
const maxPicked = 1000;

/** Up to this number of hits, all are sorted as they are read. */
const fewHits = 100;

/** A condition for the first logs of a search, or for more than those. `isFew`: it selects few. */
interface Page extends Condition {
  readonly isFew: boolean;
}

/** Returns the condition of the first `count` logs of a search, or of more than those. */
export async function pageOf(
  { hits, condition }: LogSearch,
  { order, count, after }: FirstLogs,
): Promise<Page> {
  const isPicked = hits && count <= maxPicked && fewHits < hits.count;
  const times = isPicked ? await hits.times() : undefined;
  if (hits && times) {
    const first = firstIds(times, hits.bitmap(), { order, count, after });
    return { sql: await hits.idsSql(first), parameters: [], isFew: true };
  }
  if (!hits || maxPicked < hits.count) return { ...pageCondition(condition(), order, after), isFew: false };
  const all = { sql: await hits.idsSql(idsOf(hits.bitmap())), parameters: [] };
  return { ...pageCondition(all, order, after), isFew: hits.count <= fewHits };
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
