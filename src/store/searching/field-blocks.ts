import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import type { Filter } from '../../meaning/filter.ts';
import type { LogField } from '../../records/log.ts';
import { type Case, toStoreError } from '../case/case.ts';
import { startSearch } from './search.ts';

/** Ids of the logs that one statement reads, and of those that one block holds: their texts are in memory together. */
const [idsOfStatement, idsOfBlock] = [65_536, 8_192];

/** The bytes between two fields of a row, and behind a row: control characters that no value has here. */
export const fieldSeparators = { field: 0x1f, row: 0x1e } as const;

/** The fields to read. Times are milliseconds since the epoch in decimal. */
export interface FieldBlockOptions {
  readonly fields: readonly LogField[];
  /** Characters of a text that are read at most. */
  readonly longest?: number;
  /** Ends the stream: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

const firstIds = v.array(v.tuple([v.number()]));

const blob = v.tuple([v.instance(Uint8Array)]);

/**
 * Streams fields of the selected logs as blocks of bytes, in no particular
 * order: for each log its fields in UTF-8, separated and ended by the bytes of
 * `fieldSeparators`. A missing value is empty. Reading a million logs takes a
 * fraction of a second in this form, as values of the driver several.
 */
export function streamFieldBlocks(
  from: Case,
  filter: Filter,
  { fields, longest = 4096, signal }: FieldBlockOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const columns = fields.map((field) => fieldText(field, longest));
  return streamBlocks(
    from,
    { filter, signal },
    (condition) =>
      `SELECT ${blockOf(columns)} FROM stored.logs WHERE ${condition} GROUP BY id // ${idsOfBlock}`,
  );
}

/** Equal intervals of time: the start of one, and the length of each, milliseconds since the epoch. */
export interface GroupInterval {
  readonly start: number;
  readonly length: number;
}

/** Options of `streamGroupBlocks`. */
export interface GroupBlockOptions extends FieldBlockOptions {
  /** Logs of different intervals are in different groups, and each group has its times. Default: no times. */
  readonly interval?: GroupInterval | undefined;
}

/**
 * Streams groups of the selected logs with equal fields, in the form of `streamFieldBlocks`. A row has the fields,
 * then the number of logs; with intervals also the first and last time and the number of the interval, from 0 at its
 * start, empty for logs without a time. The same values may come in several rows, whose logs add up: the database
 * groups the logs of one statement at a time. Most logs repeat others, and a tenth as many rows are a tenth of the work.
 */
export function streamGroupBlocks(
  from: Case,
  filter: Filter,
  { fields, interval, longest = 4096, signal }: GroupBlockOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const names = fields.map((field) => `"${field}"`);
  const times = interval ? [firstTime, lastTime] : [];
  const keys = [...names, ...(interval ? [intervalNumber(interval)] : [])];
  const columns = [
    ...fields.map((field) => fieldText(field, longest)),
    ...['logs', ...(interval ? ['first', 'last', 'interval'] : [])].map((name) => `grouped.${name}`),
  ];
  return streamBlocks(
    from,
    { filter, signal },
    (condition) =>
      `SELECT ${blockOf(columns)} FROM (
         SELECT ${[...keys, 'count(*) AS logs', ...times, 'min(id) AS id'].join(', ')} FROM stored.logs
         WHERE ${condition} GROUP BY ${keys.map((_, index) => index + 1).join(', ')}) AS grouped
       GROUP BY id // ${idsOfBlock}`,
  );
}

const firstTime = 'epoch_ms(min("time")) AS first';
const lastTime = 'epoch_ms(max("time")) AS last';

/** The number of an interval, by the arithmetic of JavaScript. */
function intervalNumber({ start, length }: GroupInterval): string {
  return `floor((epoch_ms("time") - '${start}'::DOUBLE) / '${length}'::DOUBLE)::BIGINT AS interval`;
}

/** Rows of some columns as one value. */
function blockOf(columns: readonly string[]): string {
  const row = columns.join(`, chr(${fieldSeparators.field}), `);
  return `encode(string_agg(concat(${row}, chr(${fieldSeparators.row})), ''))`;
}

/** Streams the blocks of a statement, which is asked for some ids at a time. */
async function* streamBlocks(
  from: Case,
  { filter, signal }: { readonly filter: Filter; readonly signal: AbortSignal | undefined },
  statement: (condition: string) => string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { connection, condition, end } = await startSearch(from, filter, signal);
  // The statement under way: the connection must not be closed while it runs.
  let reading: ReturnType<typeof connection.runAndReadAll> | undefined;
  try {
    const { sql, parameters } = condition();
    const starts = await startsOfStatements(connection);
    const read = (id: number) =>
      connection.runAndReadAll(statement(`id BETWEEN ${id} AND ${id + idsOfStatement - 1} AND (${sql})`), [
        ...parameters,
      ]);
    let next = starts.next();
    reading = next.done ? undefined : read(next.value);
    while (reading !== undefined) {
      const found = await reading;
      signal?.throwIfAborted();
      // The database reads the next logs while the caller works on these.
      next = starts.next();
      reading = next.done ? undefined : read(next.value);
      reading?.catch(() => undefined);
      for (const row of found.getRowsJS()) yield v.parse(blob, row)[0];
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

/** Returns the first id of each statement. Ids of copied logs have wide gaps: statements for gaps are left out. */
async function startsOfStatements(connection: DuckDBConnection): Promise<Iterator<number, undefined>> {
  const result = await connection.runAndReadAll(
    'SELECT min(id)::DOUBLE, max(id)::DOUBLE, count(*)::DOUBLE FROM stored.logs',
  );
  const [first, last, count] = v.parse(ends, result.getRowsJS()[0]);
  if (first === null || last === null) return [].values();
  if (last - first < 2 * count + idsOfStatement) return everyFrom(first, last);
  const blocks = await connection.runAndReadAll(
    `SELECT DISTINCT (id // ${idsOfStatement} * ${idsOfStatement})::DOUBLE AS first FROM stored.logs ORDER BY first`,
  );
  return v.parse(firstIds, blocks.getRowsJS()).flat().values();
}

function* everyFrom(first: number, last: number): Generator<number, undefined> {
  for (let id = first; id <= last; id += idsOfStatement) yield id;
}

/** A field as text without the separators. */
function fieldText(field: LogField, longest: number): string {
  if (field === 'time') return 'epoch_ms("time")';
  if (field === 'logCode' || field === 'elapsed') return `"${field}"`;
  return `translate(left("${field}", ${longest}), chr(${fieldSeparators.field}) || chr(${fieldSeparators.row}), '  ')`;
}
