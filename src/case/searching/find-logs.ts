import type { DuckDBConnection, JS } from '@duckdb/node-api';
import * as v from 'valibot';
import { streamRows, toStoreError } from '../../database/index.ts';
import { type FieldValue, type Filter, toNumberValue } from '../../language/index.ts';
import {
  compareCursors,
  type LogCursor,
  type LogField,
  type LogOrder,
  textFields,
} from '../../records/index.ts';
import {
  afterCursorSql,
  type Condition,
  countValues,
  type FirstLogs,
  firstIds,
  idsSql,
  maxScattered,
  orderBySql,
  upToCursorSql,
} from '../../word-index/index.ts';
import { type Case, readCase, readCaseSnapshot } from '../file/case.ts';
import { openParquetWriter, type ParquetWriter } from '../rows/parquet.ts';
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
    const page = pageCondition(condition(), order, after);
    if (hits && hits.count <= maxPicked) return yield* selectFew(connection, page, order);
    for (const block of await splitIntoBlocks(connection, page, order)) {
      if (left <= 0) return;
      const { sql, parameters } = blockCondition(page, block, order);
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
  for (let at = 0; at < ids.length; at += maxScattered) {
    const some = idsSql(ids.slice(at, at + maxScattered));
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

/** Inflated bytes of logs in a block. Sorting needs a multiple of it in each thread of the database. */
const blockBytes = 12 * 1024 * 1024;

/** Limits for long logs, and for short ones: a statement for few logs costs more than they do. */
const [minLogs, maxLogs] = [100, 50_000];

/** A block of the logs of a condition, between two cursors in their order. */
interface LogBlock {
  readonly after?: LogCursor;
  readonly to?: LogCursor;
}

/**
 * Splits the logs of a condition into consecutive blocks that can each be sorted in little memory. All of them
 * at once may need more than the database has.
 */
async function splitIntoBlocks(
  connection: DuckDBConnection,
  { sql, parameters }: Condition,
  order: LogOrder,
): Promise<readonly LogBlock[]> {
  const blockLength = await logsInBlock(connection);
  // Sorts the cursors only, which take a few bytes each.
  const result = await connection.runAndReadAll(
    `SELECT epoch_ms("time")::DOUBLE AS "time", id::DOUBLE AS id FROM (
       SELECT "time", id, row_number() OVER () AS number FROM (
         SELECT "time", id FROM stored.logs WHERE ${sql} ORDER BY ${orderBySql[order]}))
     WHERE number % ${blockLength} = 0 ORDER BY number`,
    [...parameters],
  );
  const cursors = v.parse(cursorRows, result.getRowObjectsJS());
  const blockEnds = cursors.map(({ time, id }): LogCursor => (time === null ? { id } : { time, id }));
  return [...blockEnds, undefined].map((to, index) => {
    const after = blockEnds[index - 1];
    return { ...(after && { after }), ...(to && { to }) };
  });
}

const cursorRows = v.array(v.object({ time: v.nullable(v.number()), id: v.number() }));

/** Bytes of a log if its size is unknown, as for logs of a program. */
const usualBytes = 1_000;

/** Returns the number of logs in a block, from the average size of a log in the files of the case. */
async function logsInBlock(connection: DuckDBConnection): Promise<number> {
  const result = await connection.runAndReadAll(
    'SELECT (sum(bytes) / sum(logs))::DOUBLE FROM stored.parts WHERE 0 < bytes AND 0 < logs',
  );
  const bytes = v.parse(v.nullable(v.number()), result.getRowsJS()[0]?.[0]) ?? usualBytes;
  return Math.trunc(Math.min(maxLogs, Math.max(minLogs, blockBytes / bytes)));
}

/** Restricts a condition to a block. */
function blockCondition({ sql, parameters }: Condition, { after, to }: LogBlock, order: LogOrder): Condition {
  let condition: Condition = { sql: `(${sql})`, parameters };
  if (after) condition = combine(condition, (first) => afterCursorSql(after, order, first));
  if (to) condition = combine(condition, (first) => upToCursorSql(to, order, first));
  return condition;
}

function combine(one: Condition, other: (firstParameter: number) => Condition): Condition {
  const { sql, parameters } = other(one.parameters.length + 1);
  return { sql: `${one.sql} AND ${sql}`, parameters: [...one.parameters, ...parameters] };
}

/** Options of `logCursors`. */
export interface LogCursorsOptions {
  readonly order: LogOrder;
  /** Distance between two cursors, in logs. */
  readonly every: number;
  readonly signal?: AbortSignal | undefined;
}

const rows = v.array(v.tuple([v.nullable(v.number()), v.number()]));

/**
 * Returns the positions of each `every`-th log that a filter selects, in order. A page that starts
 * after cursor `n` (from 0) begins with log `(n + 1) * every` (from 0). Only times and ids are
 * sorted, so that any page of a long result is as fast as the first.
 */
export function logCursors(
  from: Case,
  filter: Filter,
  { order, every, signal }: LogCursorsOptions,
): Promise<readonly LogCursor[]> {
  const read = withSearch(
    from,
    filter,
    async ({ connection, condition }) => {
      const { sql, parameters } = condition();
      const result = await connection.runAndReadAll(
        `SELECT epoch_ms("time")::DOUBLE, id::DOUBLE FROM (
           SELECT "time", id, row_number() OVER (ORDER BY ${orderBySql[order]}) AS n FROM stored.logs WHERE ${sql})
         WHERE n % ${toSqlCount(every)} = 0 ORDER BY n`,
        [...parameters],
      );
      return v.parse(rows, result.getRowsJS());
    },
    signal,
  );
  return read.then((found) => found.map(([time, id]) => (time === null ? { id } : { time, id })));
}

/** Choice of logs to list. */
export interface SampleOptions {
  /** Levels in capitals; those first in the list are preferred. */
  readonly levels: readonly string[];
  /** True to list logs of other levels and without one too, after those. */
  readonly hasOthers: boolean;
  /** Start of the first interval, milliseconds since the epoch, and the length of an interval. */
  readonly start: number;
  readonly every: number;
  readonly limit: number;
  /** Ids of logs that are listed in any case. */
  readonly always: readonly number[];
}

/**
 * Returns logs that a filter selects, up to a limit, by levels in their order. A level that does not fit has
 * equally many of each interval of time, the first ones. Ordered by time.
 */
export function sampleLogs(
  from: Case,
  filter: Filter,
  { levels, hasOthers, start, every, limit, always }: SampleOptions,
): Promise<readonly StoredLog[]> {
  return withSearch(from, filter, async ({ connection, condition }) => {
    const { sql, parameters } = condition();
    const first = parameters.length + 1;
    const result = await connection.runAndReadAll(
      `WITH listed AS (SELECT id, "time", coalesce(list_position(from_json($${first}, '["VARCHAR"]'), upper("logLevel")), ${levels.length + 1}) AS level
         FROM stored.logs WHERE (${sql}) AND (${hasOthers} OR upper("logLevel") IN (SELECT unnest(from_json($${first}, '["VARCHAR"]'))))),
       ranked AS (SELECT id, level, row_number() OVER (
           PARTITION BY level, floor((epoch_ms("time") - $${first + 1}::DOUBLE) / $${first + 2}::DOUBLE)
           ORDER BY "time", id) AS turn FROM listed)
       SELECT id::DOUBLE FROM ranked ORDER BY level, turn, id LIMIT ${toSqlCount(limit)}`,
      [...parameters, JSON.stringify(levels), start, every],
    );
    const ids = v.parse(v.array(v.tuple([v.number()])), result.getRowsJS()).map(([id]) => id);
    const all = [...new Set([...ids, ...always])];
    if (all.length === 0) return [];
    const found = await connection.runAndReadAll(
      `SELECT ${storedLogColumns} FROM stored.logs WHERE id IN (${all.map(Number).join(', ')})
       ORDER BY "time" NULLS LAST, id`,
    );
    return found.getRowsJS().map(toStoredLog);
  });
}

/** Selects logs that exports loaded. */
export interface ExportedLogsOptions {
  /** Interval of times, both included: milliseconds since the epoch. */
  readonly oldest: number;
  readonly newest: number;
  /** Only logs of this job. */
  readonly job?: string | undefined;
}

/**
 * Reads the logs of an interval that exports loaded into a case, in the order of their zips. Logs of other
 * files are left out.
 */
export function exportedLogs(
  from: Case,
  { oldest, newest, job }: ExportedLogsOptions,
): Promise<readonly StoredLog[]> {
  return readCaseSnapshot(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT ${storedLogColumns} FROM stored.logs
       WHERE "time" BETWEEN epoch_ms($1::BIGINT) AND epoch_ms($2::BIGINT) AND part IN (
         SELECT part FROM stored.parts WHERE job IS NOT NULL AND ($3::VARCHAR IS NULL OR job = $3))
       ORDER BY part, position`,
      [oldest, newest, job ?? null],
    );
    return result.getRowsJS().map(toStoredLog);
  });
}

/** An interval, both ends included: milliseconds since the epoch. */
export interface NearestTimeOptions {
  /** Number of the export whose logs are considered. */
  readonly export: number;
  readonly oldest: number;
  readonly newest: number;
}

/**
 * Returns the time nearest to an interval, but outside it, at which an export has a log; undefined if it has
 * none.
 */
export function nearestTime(
  from: Case,
  { export: number, oldest, newest }: NearestTimeOptions,
): Promise<number | undefined> {
  return readCase(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `WITH brought AS (
         SELECT epoch_ms("time")::DOUBLE AS known FROM stored.logs WHERE "time" IS NOT NULL AND part IN (
           SELECT part FROM stored.parts WHERE job IN (SELECT job FROM stored.windows WHERE export = $1)))
       SELECT known FROM brought WHERE NOT known BETWEEN $2::DOUBLE AND $3::DOUBLE
       ORDER BY greatest($2::DOUBLE - known, known - $3::DOUBLE), known LIMIT 1`,
      [number, oldest, newest],
    );
    const at = result.getRowsJS()[0]?.[0];
    return typeof at === 'number' ? at : undefined;
  });
}

/** A time within an interval of exported logs. */
interface TimesAroundOptions {
  readonly time: number;
  /** The interval, both ends included. */
  readonly oldest: number;
  readonly newest: number;
  /** Maximum number of logs on either side. */
  readonly count: number;
}

const exported = 'part IN (SELECT part FROM stored.parts WHERE job IS NOT NULL)';

/** Returns the times of the exported logs nearest to a time: those before it, and those from it on. Ascending. */
export function timesAround(
  from: Case,
  { time, oldest, newest, count }: TimesAroundOptions,
): Promise<readonly number[]> {
  return readCase(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `WITH known AS (SELECT epoch_ms("time")::DOUBLE AS known FROM stored.logs
         WHERE "time" BETWEEN epoch_ms($2::BIGINT) AND epoch_ms($3::BIGINT) AND ${exported})
       SELECT known FROM ((FROM known WHERE known < $1::DOUBLE ORDER BY known DESC LIMIT $4)
         UNION ALL (FROM known WHERE $1::DOUBLE <= known ORDER BY known LIMIT $4)) ORDER BY known`,
      [time, oldest, newest, count],
    );
    return result.getRowsJS().flatMap(([known]) => (typeof known === 'number' ? [known] : []));
  });
}

/** Counts the logs that an export added in intervals, with the time of the oldest; undefined without any. */
export function addedLogs(
  from: Case,
  { export: number, within }: AddedLogsOptions,
): Promise<{ readonly logs: number; readonly oldest: number } | undefined> {
  return readCase(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT count(*)::DOUBLE, epoch_ms(min("time"))::DOUBLE FROM stored.logs
       WHERE EXISTS (SELECT 1 FROM (SELECT unnest($2::JSON::STRUCT(oldest BIGINT, newest BIGINT)[], recursive := true))
         WHERE "time" BETWEEN epoch_ms(oldest) AND epoch_ms(newest)) AND part IN (
         SELECT part FROM stored.parts WHERE job IN (SELECT job FROM stored.windows WHERE export = $1))`,
      [number, JSON.stringify(within)],
    );
    const [logs, first] = result.getRowsJS()[0] ?? [];
    return typeof first === 'number' ? { logs: Number(logs), oldest: first } : undefined;
  });
}

interface AddedLogsOptions {
  readonly export: number;
  /** The intervals, both ends included. */
  readonly within: readonly { readonly oldest: number; readonly newest: number }[];
}

/** Counts the exported logs of each level in an interval, both ends included. */
export function countLevels(
  from: Case,
  { oldest, newest }: Pick<TimesAroundOptions, 'oldest' | 'newest'>,
): Promise<ReadonlyMap<string, number>> {
  return readCase(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT "logLevel", count(*)::DOUBLE FROM stored.logs
       WHERE "time" BETWEEN epoch_ms($1::BIGINT) AND epoch_ms($2::BIGINT) AND "logLevel" IS NOT NULL AND ${exported}
       GROUP BY "logLevel"`,
      [oldest, newest],
    );
    return new Map(result.getRowsJS().map(([level, count]) => [String(level), Number(count)]));
  });
}

/** Columns of a file with logs: those of the view `logs`. */
const columns = [
  ...['id', '"time"', '"logCode"', 'elapsed'],
  ...textFields.map((field) => `"${field}"`),
  ...['extra', 'part', 'entry', 'position'],
].join(', ');

/** A case whose logs are written. */
export interface WrittenCase {
  readonly from: Case;
  /** Value of the column `case`, which exists for several cases. */
  readonly name: string;
  readonly options: StreamOptions;
}

/**
 * Writes the logs that a filter selects in some cases to a Parquet file, in one order, at most `limit`. A
 * column `case` is added for several cases. Returns the number of logs.
 *
 * ```ts
 * const count = await writeLogsToParquet('hits.parquet', [{ from: incident, name: 'incident', options: {} }], { filter });
 * ```
 */
export async function writeLogsToParquet(
  path: string,
  cases: readonly WrittenCase[],
  {
    filter,
    limit,
    order = 'oldest',
    signal,
  }: StreamOptions & { readonly filter: Filter; readonly signal?: AbortSignal },
): Promise<number> {
  await using writer = await openParquetWriter(path);
  let count = 0;
  for (const [index, writtenCase] of cases.entries())
    count += await addCase(writer, writtenCase, { index, filter, signal });
  const shown = Math.min(count, limit ?? count);
  // The logs of one case arrive in order.
  const sorted = `ORDER BY ${orderBySql[order].replace(', id', ', case_number, id')} LIMIT ${toSqlCount(shown)}`;
  await writer.finish({
    select: `* EXCLUDE (case_number${cases.length === 1 ? ', "case"' : ''})`,
    rest: cases.length === 1 ? '' : sorted,
  });
  return shown;
}

/** Selection of logs of a case; `index` is its number, from 0. */
interface Selected {
  readonly index: number;
  readonly filter: Filter;
  readonly signal: AbortSignal | undefined;
}

/** Adds the selected logs of a case in order; returns their number. */
async function addCase(
  writer: ParquetWriter,
  { from, name, options: { order = 'oldest', limit = Number.POSITIVE_INFINITY, after } }: WrittenCase,
  { index, filter, signal }: Selected,
): Promise<number> {
  const { connection, condition, end } = await startSearch(from, filter, signal);
  try {
    const page = pageCondition(condition(), order, after);
    let count = 0;
    for (const block of await splitIntoBlocks(connection, page, order)) {
      const { sql, parameters } = blockCondition(page, block, order);
      const rows = await streamRows(connection, {
        sql: `SELECT ${toSqlCount(index)}::INTEGER AS case_number, $${parameters.length + 1}::VARCHAR AS "case", ${columns}
         FROM stored.logs WHERE ${sql} ORDER BY ${orderBySql[order]}`,
        parameters: [...parameters, name],
        signal,
      });
      count += await writer.add(rows, { limit: limit - count, signal });
      if (count === limit) break;
    }
    return count;
  } catch (error) {
    signal?.throwIfAborted();
    throw toStoreError(error, from);
  } finally {
    end();
  }
}
