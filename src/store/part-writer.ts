import type { DuckDBConnection } from '@duckdb/node-api';
import { textFields } from '../records/log.ts';
import type { LogRecord, Position, UnreadableRecord } from '../records/record.ts';
import { type Column, openRowWriter } from './row-writer.ts';
import { tokenizer } from './tokens.ts';

/** A record on its way into the case. */
export type NewRecord = NewLog | NewUnreadable;

/** A log on its way into the case. One that has no original has only a number for a position. */
export interface NewLog extends Pick<LogRecord, 'kind' | 'log' | 'extra'> {
  readonly position: Pick<Position, 'number'> & Partial<Position>;
}

/** Something on its way into the case that is no log, or an entry as a whole that was refused. */
export interface NewUnreadable extends Pick<UnreadableRecord, 'kind' | 'reason' | 'raw' | 'position'> {
  readonly code: string;
}

/** The part that records belong to, and the id of its first log. */
export interface PartTarget {
  readonly part: number;
  readonly entry: string;
  readonly firstId: number;
  /** Where the tables are: those of the case unless given. */
  readonly schema?: 'stored' | 'temp';
}

/** Takes the records of one part. The connection is busy until it is disposed of. */
export interface PartWriter extends AsyncDisposable {
  /** Takes records; resolves when there is room for more. */
  readonly add: (records: Iterable<NewRecord>) => Promise<void>;
  /** Writes what is left. */
  readonly finish: () => Promise<void>;
}

const logColumns: readonly Column[] = [
  { name: 'position', type: 'INTEGER' },
  { name: 'byte_offset', type: 'BIGINT' },
  { name: 'byte_length', type: 'INTEGER' },
  { name: 'time', type: 'milliseconds' },
  { name: 'logCode', type: 'BIGINT' },
  { name: 'elapsed', type: 'DOUBLE' },
  { name: 'extra', type: 'VARCHAR' },
  ...textFields.flatMap((field): Column[] => [
    { name: field, type: 'VARCHAR' },
    { name: `${field}_tokens`, type: 'VARCHAR' },
  ]),
];

const unreadableColumns: readonly Column[] = [
  { name: 'position', type: 'INTEGER' },
  { name: 'byte_offset', type: 'BIGINT' },
  { name: 'byte_length', type: 'BIGINT' },
  { name: 'code', type: 'VARCHAR' },
  { name: 'reason', type: 'VARCHAR' },
  { name: 'raw', type: 'VARCHAR' },
];

/** A writer of the records of one part within the transaction of a connection. */
export async function openPartWriter(connection: DuckDBConnection, target: PartTarget): Promise<PartWriter> {
  const { schema = 'stored' } = target;
  const constants = { part: target.part, entry: target.entry };
  const counter = { name: 'id', first: target.firstId };
  const logRows = await openRowWriter(connection, {
    ...{ table: `${schema}.logs`, constants, columns: logColumns, counter },
  });
  const unreadableRows = await openRowWriter(connection, {
    ...{ table: `${schema}.unreadable`, constants, columns: unreadableColumns },
  });
  const toTokens = tokenizer();

  return { add, finish, [Symbol.asyncDispose]: dispose };

  async function add(records: Iterable<NewRecord>): Promise<void> {
    for (const record of records) {
      if (record.kind === 'log') {
        if (logRows.put(toLogRow(record))) await logRows.flush();
      } else if (unreadableRows.put(toUnreadableRow(record))) await unreadableRows.flush();
    }
  }

  function toLogRow({ log, extra, position }: NewLog): string[] {
    const row = [
      String(position.number),
      toText(position.offset),
      toText(position.length),
      toText(log.time),
      toText(log.logCode),
      toText(log.elapsed),
      extra ? JSON.stringify(extra) : '',
    ];
    for (const field of textFields) {
      const value = log[field];
      row.push(value ?? '', value === undefined ? '' : toTokens(field, value));
    }
    return row;
  }

  function toUnreadableRow({ code, reason, raw, position }: NewUnreadable): string[] {
    const { number, offset, length } = position;
    return [String(number), String(offset), String(length), code, reason, raw];
  }

  async function finish(): Promise<void> {
    await logRows.finish();
    await unreadableRows.finish();
  }

  async function dispose(): Promise<void> {
    await logRows[Symbol.asyncDispose]();
    await unreadableRows[Symbol.asyncDispose]();
  }
}

function toText(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}
