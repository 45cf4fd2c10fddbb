import type { DuckDBConnection, DuckDBMaterializedResult } from '@duckdb/node-api';
import * as v from 'valibot';
import { chunksOf, readNumberList, toStoreError } from '../../database/index.ts';
import type { Filter } from '../../language/index.ts';
import type { LogField } from '../../records/index.ts';
import type { Case } from '../file/case.ts';
import { toSqlCount } from './find-logs.ts';
import { startSearch } from './search.ts';

/** Ids of the logs that one statement reads, and of those that one block holds: their texts are in memory together. */
const [idsOfStatement, idsOfBlock] = [65_536, 8_192];

/** The bytes between two fields of a row, and behind a row: control characters that no value has here. */
export const fieldSeparators = { field: 0x1f, row: 0x1e } as const;

/** Characters of a text that are read at most, by default. */
const longestText = 4096;

const blob = v.tuple([v.instance(Uint8Array)]);

/** Equal intervals of time: the start of one, and the length of each, milliseconds since the epoch. */
export interface GroupInterval {
  readonly start: number;
  readonly length: number;
}

/** Options of `streamGroupBlocks`. */
export interface GroupBlockOptions {
  /** The fields to read. Times are milliseconds since the epoch in decimal. */
  readonly fields: readonly LogField[];
  /**
   * Logs of different intervals are in different groups, and each group has its times. Of several partitions of time
   * a group has one interval each. Default: no times.
   */
  readonly intervals?: readonly GroupInterval[];
  /** Characters of a text that are read at most. */
  readonly longest?: number;
  /** Ends the stream: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Streams groups of the selected logs with equal fields as blocks of bytes, in no particular order. Each group has its
 * fields in UTF-8, separated and ended by the bytes of `fieldSeparators`. A missing value is empty.
 *
 * A row has the fields, then the number of logs; with intervals also the first and last time and the numbers of the
 * intervals, from 0 at their start, empty for logs without a time. The same values may come in several rows, whose logs
 * add up: the database groups the logs of one statement at a time. Most logs repeat others, and a tenth as many rows
 * are a tenth of the work. In this form a million rows take a fraction of a second, as values of the driver several.
 */
export async function* streamGroupBlocks(
  from: Case,
  filter: Filter,
  { fields, intervals = [], longest = longestText, signal }: GroupBlockOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const numbers = intervals.map((_, index) => `interval_${index}`);
  const keys = [
    ...fields.map((field) => `"${field}"`),
    ...intervals.map((interval, index) => `${intervalNumber(interval)} AS ${numbers[index]}`),
  ];
  const times = intervals.length === 0 ? [] : [firstTime, lastTime];
  const columns = [
    ...fields.map((field) => fieldText(field, longest)),
    ...['logs', ...(intervals.length === 0 ? [] : ['first', 'last', ...numbers])].map(
      (name) => `grouped.${name}`,
    ),
  ];
  const statement = (condition: string) =>
    `SELECT ${blockOf(columns)} FROM (
       SELECT ${[...keys, 'count(*) AS logs', ...times, 'min(id) AS id'].join(', ')} FROM stored.logs
       WHERE ${condition} GROUP BY ${keys.map((_, index) => index + 1).join(', ')}) AS grouped
     GROUP BY id // ${idsOfBlock}`;
  for await (const result of streamStatements(from, filter, { statement, ids: idsOfStatement, signal }))
    for (const row of await result.getRowsJS()) yield v.parse(blob, row)[0];
}

const firstTime = 'epoch_ms(min("time")) AS first';
const lastTime = 'epoch_ms(max("time")) AS last';

/** The number of an interval, by the arithmetic of JavaScript. */
function intervalNumber({ start, length }: GroupInterval): string {
  return `floor((epoch_ms("time") - '${start}'::DOUBLE) / '${length}'::DOUBLE)::BIGINT`;
}

/** Rows of some columns as one value. */
function blockOf(columns: readonly string[]): string {
  const row = columns.join(`, chr(${fieldSeparators.field}), `);
  return `encode(string_agg(concat(${row}, chr(${fieldSeparators.row})), ''))`;
}

const separators = `chr(${fieldSeparators.field}) || chr(${fieldSeparators.row})`;

/** SQL of a field as text without the separators, but a number for a code. Nearly all texts are short and have none: testing for that is quicker. */
export function fieldText(field: LogField, longest = longestText): string {
  if (field === 'time') return 'epoch_ms("time")';
  if (field === 'logCode' || field === 'elapsed') return `"${field}"`;
  const has = (byte: number) => `contains("${field}", chr(${byte}))`;
  return `CASE WHEN ${longest} < strlen("${field}") OR ${has(fieldSeparators.field)} OR ${has(fieldSeparators.row)}
    THEN translate(left("${field}", ${longest}), ${separators}, '  ') ELSE "${field}" END`;
}

/** A statement, and how much it reads at a time. */
interface StatementOptions {
  /** Returns the statement for a condition of the selected rows. */
  readonly statement: (condition: string) => string;
  /** Number of ids that are asked for at a time: what is found among them is in memory together. */
  readonly ids: number;
  /** Ends the stream: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Streams the results of a statement over the logs that a filter selects, for some ids at a time. The database works
 * on the next ids while the caller works on a result.
 */
async function* streamStatements(
  from: Case,
  filter: Filter,
  { statement, ids, signal }: StatementOptions,
): AsyncGenerator<DuckDBMaterializedResult, void, undefined> {
  const { connection, condition, end } = await startSearch(from, filter, signal);
  // The statement under way: the connection must not be closed while it runs.
  let reading: Promise<DuckDBMaterializedResult> | undefined;
  try {
    const { sql, parameters } = condition();
    const starts = await startsOfStatements(connection, ids);
    const read = (id: number) =>
      connection.run(statement(`id BETWEEN ${id} AND ${id + ids - 1} AND (${sql})`), [...parameters]);
    let next = starts.next();
    reading = next.done ? undefined : read(next.value);
    while (reading !== undefined) {
      const found = await reading;
      signal?.throwIfAborted();
      next = starts.next();
      reading = next.done ? undefined : read(next.value);
      reading?.catch(() => undefined);
      yield found;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw toStoreError(error, from);
  } finally {
    await reading?.catch(() => undefined);
    end();
  }
}

const ends = v.tuple([v.nullable(v.number()), v.nullable(v.number()), v.number()]);
const firstIds = v.array(v.tuple([v.number()]));

/** Returns the first id of each statement. Ids of copied logs have wide gaps: statements for gaps are left out. */
async function startsOfStatements(
  connection: DuckDBConnection,
  ids: number,
): Promise<Iterator<number, undefined>> {
  const result = await connection.runAndReadAll(
    'SELECT min(id)::DOUBLE, max(id)::DOUBLE, count(*)::DOUBLE FROM stored.logs',
  );
  const [first, last, count] = v.parse(ends, result.getRowsJS()[0]);
  if (first === null || last === null) return [].values();
  if (last - first < 2 * count + ids) return everyFrom({ first, last, ids });
  const blocks = await connection.runAndReadAll(
    `SELECT DISTINCT (id // ${ids} * ${ids})::DOUBLE AS first FROM stored.logs ORDER BY first`,
  );
  return v.parse(firstIds, blocks.getRowsJS()).flat().values();
}

function* everyFrom({
  first,
  last,
  ids,
}: {
  readonly first: number;
  readonly last: number;
  readonly ids: number;
}): Generator<number, undefined> {
  for (let id = first; id <= last; id += ids) yield id;
}

/** The numbers of some logs with the same values. */
export interface NumberLists {
  /** The values of the keys as text, as in `streamGroupBlocks`; empty where a log has none. */
  readonly keys: readonly string[];
  /** For each number of the options its values, those of a log at the same index. A missing value is not a number. */
  readonly numbers: readonly Float64Array[];
}

/** Fields to group by, and those to read. Times are milliseconds since the epoch. */
export interface NumberListOptions {
  readonly keys: readonly LogField[];
  readonly numbers: readonly ('time' | 'elapsed')[];
  /** Ends the stream: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Ids of the logs that one statement reads. */
const idsOfListStatement = 262_144;

const texts = v.nullable(v.string(), '');

/**
 * Streams numbers of the selected logs by the values of some fields. The same values may come several times, and logs
 * are in no particular order. Reading numbers as lists takes a tenth of the time of reading them row by row.
 */
export async function* streamNumberLists(
  from: Case,
  filter: Filter,
  { keys, numbers, signal }: NumberListOptions,
): AsyncGenerator<NumberLists, void, undefined> {
  const values = keys.map((key) => `(${fieldText(key)})::VARCHAR`);
  const lists = numbers.map((name) => `list(coalesce(${numberSql[name]}, 'NaN'::DOUBLE))`);
  const statement = (condition: string) =>
    `SELECT ${[...values, ...lists].join(', ')} FROM stored.logs WHERE ${condition} GROUP BY ALL`;
  for await (const result of streamStatements(from, filter, { statement, ids: idsOfListStatement, signal }))
    for (const chunk of chunksOf(result))
      for (let row = 0; row < chunk.rowCount; row++)
        yield {
          keys: keys.map((_, key) => v.parse(texts, chunk.getColumnVector(key).getItem(row))),
          numbers: numbers.map((_, number) => readNumberList(chunk, keys.length + number, row)),
        };
}

const numberSql = {
  time: 'epoch_ms("time")::DOUBLE',
  elapsed: 'CASE WHEN isfinite(elapsed) THEN elapsed END',
} as const;

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
