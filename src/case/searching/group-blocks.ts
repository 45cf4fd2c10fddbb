import * as v from 'valibot';
import type { Filter } from '../../language/index.ts';
import type { LogField } from '../../records/index.ts';
import type { Case } from '../file/case.ts';
import { streamStatements } from './stream-statements.ts';

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
    ...intervals.map((each, index) => `${intervalNumber(each)} AS ${numbers[index]}`),
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
