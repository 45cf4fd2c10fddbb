import {
  DuckDBDecimalValue,
  type DuckDBResult,
  type DuckDBValueConverter,
  type Json,
  JsonDuckDBValueConverter,
} from '@duckdb/node-api';
import { parseJson } from '../../records/parse-json.ts';
import { type Case, connect, isOfDriver, openCase, toStoreError } from '../case.ts';
import { openParquetWriter } from '../parquet.ts';
import { messageOf, StoreError } from '../store-error.ts';
import { streamWhole } from '../stream-whole.ts';
import { prepareMatches, type ToFilter } from './matches.ts';
import { parseSql } from './sql-guard.ts';

/** A value of a result: what JSON can say. Whole numbers too large for a double come as text. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** What a query gives. */
export interface SqlResult {
  readonly columns: readonly SqlColumn[];
  readonly rows: readonly (readonly JsonValue[])[];
  /** There are more rows than the limit let through. */
  readonly more: boolean;
}

/** A column of a result. */
export interface SqlColumn {
  readonly name: string;
  /** The type as DuckDB names it, for instance `TIMESTAMP`. */
  readonly type: string;
}

/** How SQL is run. */
export interface SqlOptions {
  /** At most this many rows are given back: 10,000 by default. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
  /** What a query in `matches` asks for, instead of reading it by the documented fields. What it throws is what the call rejects with. */
  readonly toFilter?: ToFilter;
}

/**
 * Runs one SELECT on a case file. It can neither change the case nor reach any
 * other file, the network or a setting. It sees the views of the case: `logs`,
 * `requests`, `parts`, `unreadable`, `jobs`, `coverage`, `actions` and so on.
 * `matches('msg:timeout')` says whether a query of the search language selects
 * the log of a row, by its column `id`.
 *
 * Rejects with the signal's reason, or a `StoreError`: `BAD_SQL`, `BAD_QUERY`,
 * `SQL_REFUSED`, and what opening the case may reject with.
 *
 * ```ts
 * await runSql('incident.duckdb', 'SELECT source, count(*) FROM logs GROUP BY ALL');
 * ```
 */
export async function runSql(casePath: string, sql: string, options: SqlOptions = {}): Promise<SqlResult> {
  await using opened = await openCase(casePath, { access: 'read' });
  return await runOn(opened, sql, { ...options, use: (rows) => readResult(rows, options.limit ?? 10_000) });
}

/**
 * Writes what one SELECT gives as a Parquet file: all rows unless there is a
 * limit. Gives back how many. Rejects as `runSql` does.
 */
export async function writeSqlToParquet(
  casePath: string,
  sql: string,
  { path, ...options }: SqlOptions & { readonly path: string },
): Promise<number> {
  const { limit, signal } = options;
  await using opened = await openCase(casePath, { access: 'read' });
  return await runOn(opened, sql, {
    ...options,
    use: async (rows) => {
      await using writer = await openParquetWriter(path);
      const count = await writer.add(rows, { ...(limit !== undefined && { limit }), signal });
      await writer.finish();
      return count;
    },
  });
}

type Use<T> = Omit<SqlOptions, 'limit'> & { readonly use: (rows: DuckDBResult) => Promise<T> };

async function runOn<T>(from: Case, sql: string, { signal, toFilter, use }: Use<T>): Promise<T> {
  const connection = await connect(from);
  const interrupt = () => connection.interrupt();
  try {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', interrupt, { once: true });
    const tree = await parseSql(connection, sql);
    const runnable = await prepareMatches(connection, { from, sql, tree, toFilter });
    return await use(await streamWhole(connection, { sql: runnable, signal }));
  } catch (error) {
    signal?.throwIfAborted();
    throw isOfDriver(error) ? toSqlError(error, from) : error;
  } finally {
    signal?.removeEventListener('abort', interrupt);
    connection.closeSync();
  }
}

async function readResult(result: DuckDBResult, limit: number): Promise<SqlResult> {
  const types = result.columnTypes().map((type) => type.alias ?? type.toString());
  const columns = result.columnNames().map((name, index) => ({ name, type: types[index] ?? '' }));
  const rows: JsonValue[][] = [];
  for await (const some of result.yieldConvertedRows(toJson)) {
    for (const row of some)
      rows.push(row.map((value, index) => (types[index] === 'JSON' ? fromJson(value) : value)));
    if (limit < rows.length) break;
  }
  return { columns, rows: rows.slice(0, limit), more: limit < rows.length };
}

/** As the driver's own conversion, but a number that a double holds exactly is a number. */
const toJson: DuckDBValueConverter<Json> = (value, type, converter) => {
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return Number(value);
  if (value instanceof DuckDBDecimalValue && value.width <= exactDigits) return value.toDouble();
  return JsonDuckDBValueConverter(value, type, converter);
};

/** A double holds every decimal of so many digits. */
const exactDigits = 15;

/** A column of JSON says what its text says; a number that a double does not hold stays a text. */
function fromJson(value: JsonValue): JsonValue {
  return typeof value === 'string' ? parseJson(value) : value;
}

/** A query can be wrong in many ways that the parser does not see: an unknown column, a text that is no number. */
function toSqlError(error: unknown, from: Case): unknown {
  const message = messageOf(error);
  if (/^(IO|Out of Memory|Internal|Fatal) Error/i.test(message)) return toStoreError(error, from);
  return new StoreError('BAD_SQL', message, { cause: error });
}
