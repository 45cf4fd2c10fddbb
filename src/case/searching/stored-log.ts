import type { DuckDBConnection, JS } from '@duckdb/node-api';
import * as v from 'valibot';
import { toNumberValue } from '../../language/index.ts';
import type { Extra } from '../../records/index.ts';
import { type Log, type LogField, type TextField, textFields } from '../../records/index.ts';
import { idsSql, scannedIdsSql, splitIds } from '../../word-index/index.ts';
import { type Case, connectToCase, readCaseSnapshot } from '../file/case.ts';

/** A log in the case with its origin. */
export interface StoredLog {
  /** Number of the log in the case, from 1, in the order of adding. */
  readonly id: number;
  readonly part: number;
  readonly entry: string;
  /** Number of its record in the entry, from 1. */
  readonly position: number;
  readonly log: Log;
  /** Values of the record beyond the fields of a log. */
  readonly extra?: Extra;
}

/** The first logs of a part, and the times of all of them. */
export interface PartSample {
  readonly part: number;
  /** Times of the first and last log: milliseconds since the epoch. Absent if no log has one. */
  readonly first?: number;
  readonly last?: number;
  /** The first logs in the order of their records. */
  readonly logs: readonly (Log & { readonly extra?: Extra })[];
}

const times = v.tuple([v.nullable(v.number()), v.nullable(v.number())]);

/** Returns the first logs of parts that have any, at most `count` of each. */
export function partSamples(
  from: Case,
  parts: readonly { readonly part: number; readonly logs: number }[],
  count: number,
): Promise<readonly PartSample[]> {
  return readCaseSnapshot(from, async (connection) => {
    const samples: PartSample[] = [];
    for (const { part, logs } of parts) {
      if (logs === 0) continue;
      const rows = await connection.runAndReadAll(
        `SELECT ${storedLogColumns} FROM stored.logs WHERE part = $1 ORDER BY position LIMIT ${Math.trunc(count)}`,
        [part],
      );
      const span = await connection.runAndReadAll(
        'SELECT epoch_ms(min("time"))::DOUBLE, epoch_ms(max("time"))::DOUBLE FROM stored.logs WHERE part = $1',
        [part],
      );
      const [first, last] = v.parse(times, span.getRowsJS()[0]);
      const found = rows.getRowsJS().map((row) => toStoredLog(row));
      samples.push({
        part,
        ...(first !== null && { first }),
        ...(last !== null && { last }),
        logs: found.map(({ log, extra }) => (extra ? { ...log, extra } : log)),
      });
    }
    return samples;
  });
}

const numberFields = ['time', 'logCode', 'elapsed'] as const;

/** Potentially long texts are not in the list of the others, which DuckDB copies. */
const long: ReadonlySet<TextField> = new Set(['msg', 'stackTraces']);

const columnsOf = (areLong: boolean) =>
  textFields.filter((field) => long.has(field) === areLong).map((field) => `"${field}"`);

/**
 * Columns that `toStoredLog` reads, in its order. Numbers are doubles, exact for all but 64-bit codes. Short
 * texts are one list: the number of values, not their length, determines the time of the transfer.
 */
export const storedLogColumns = [
  'id::DOUBLE',
  'part::DOUBLE',
  'position::DOUBLE',
  'extra',
  `to_json([${['entry', ...columnsOf(false)].join(', ')}])`,
  'epoch_ms("time")::DOUBLE',
  '"logCode"',
  'elapsed',
  ...columnsOf(true),
].join(', ');

/** Converts a row of `storedLogColumns` to a log. */
export function toStoredLog(row: readonly JS[]): StoredLog {
  const [id, part, position, extra, list, ...values] = row;
  const [entry, ...texts]: unknown[] = JSON.parse(String(list));
  const log: { -readonly [F in LogField]?: Log[F] } = {};
  for (const [index, field] of numberFields.entries()) {
    const value = values[index];
    if (typeof value === 'number') log[field] = value;
    else if (typeof value === 'bigint' && field === 'logCode') log.logCode = toNumberValue(value);
  }
  const longTexts = values.slice(numberFields.length);
  for (const field of textFields) {
    const value = long.has(field) ? longTexts.shift() : texts.shift();
    if (typeof value === 'string') log[field] = value;
  }
  return {
    id: Number(id),
    part: Number(part),
    entry: String(entry),
    position: Number(position),
    log,
    ...(typeof extra === 'string' && { extra: JSON.parse(extra) as Extra }),
  };
}

/**
 * Returns the logs of some ids, in any order. What `idIndex` does not find is looked for in all logs: it may have been
 * damaged.
 */
export async function readStoredLogs(
  from: Case,
  connection: DuckDBConnection,
  ids: readonly number[],
): Promise<StoredLog[]> {
  const lists = splitIds(ids);
  const found =
    lists.length < 2 || from.access === 'write'
      ? await selectLists(connection, lists)
      : await selectSideBySide(from, connection, lists);
  return found.length === ids.length ? found : [...(await selectLogs(connection, scannedIdsSql(ids)))];
}

/** Selects lists of logs on two connections: the rows of a statement are looked up by one thread of the database. */
async function selectSideBySide(
  from: Case,
  connection: DuckDBConnection,
  lists: readonly (readonly number[])[],
): Promise<StoredLog[]> {
  const beside = await connectToCase(from);
  try {
    const middle = Math.ceil(lists.length / 2);
    const halves = await Promise.allSettled([
      selectLists(connection, lists.slice(0, middle)),
      selectLists(beside, lists.slice(middle)),
    ]);
    return halves.flatMap((half) => {
      if (half.status === 'rejected') throw half.reason;
      return half.value;
    });
  } finally {
    // No statement uses it any more: closing it then would crash the driver.
    beside.closeSync();
  }
}

async function selectLists(
  connection: DuckDBConnection,
  lists: readonly (readonly number[])[],
): Promise<StoredLog[]> {
  const found: StoredLog[] = [];
  for (const list of lists) found.push(...(await selectLogs(connection, idsSql(list))));
  return found;
}

async function selectLogs(connection: DuckDBConnection, condition: string): Promise<readonly StoredLog[]> {
  const sql = `SELECT ${storedLogColumns} FROM stored.logs WHERE ${condition}`;
  return (await connection.runAndReadAll(sql)).getRowsJS().map(toStoredLog);
}

/**
 * Returns the log of an id; undefined if the case has none.
 *
 * ```ts
 * const found = await readLog(incident, 17);
 * ```
 */
export function readLog(from: Case, id: number): Promise<StoredLog | undefined> {
  return readCaseSnapshot(from, async (connection) => {
    const [log] = await readStoredLogs(from, connection, [id]);
    return log;
  });
}
