import type { DuckDBConnection } from '@duckdb/node-api';
import type { UnreadableRecord } from '../records/record.ts';
import { logBatcher, logColumns, type NewLog, renumber } from './log-batch.ts';
import { newSeparator, type RowBatch, type RowBatcher, rowBatcher } from './row-batch.ts';
import { type NumberColumn, openRowWriter } from './row-writer.ts';

/** A record on its way into the case. */
export type NewRecord = NewLog | NewUnreadable;

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
  /** What is to stand between the texts of batches that are made elsewhere. */
  readonly separator: string;
  /** Takes records; resolves when there is room for more. */
  readonly add: (records: Iterable<NewRecord>) => Promise<void>;
  /** Takes logs that were made into a batch, before which the part has so many records. */
  readonly addBatch: (logs: RowBatch, before: number) => Promise<void>;
  /** Writes what is left. */
  readonly finish: () => Promise<void>;
}

const unreadableColumns: { readonly numbers: readonly NumberColumn[]; readonly texts: readonly string[] } = {
  numbers: [
    { name: 'position', type: 'INTEGER' },
    { name: 'byte_offset', type: 'BIGINT' },
    { name: 'byte_length', type: 'BIGINT' },
  ],
  texts: ['code', 'reason', 'raw'],
};

/** A writer of the records of one part within the transaction of a connection. */
export async function openPartWriter(connection: DuckDBConnection, target: PartTarget): Promise<PartWriter> {
  const { schema = 'stored' } = target;
  const separator = newSeparator();
  const constants = { part: target.part, entry: target.entry };
  const logRows = await openRowWriter(connection, {
    ...{ table: `${schema}.logs`, constants, separator, ...logColumns },
  });
  const unreadableRows = await openRowWriter(connection, {
    ...{ table: `${schema}.unreadable`, constants, separator, ...unreadableColumns },
  });
  const logs = logBatcher();
  const unreadable = rowBatcher({ numbers: 3, texts: 3 });
  let nextId = target.firstId;

  return { separator, add, addBatch, finish, [Symbol.asyncDispose]: dispose };

  async function add(records: Iterable<NewRecord>): Promise<void> {
    for (const record of records) {
      if (record.kind === 'log') {
        logs.add(record);
        if (logs.isFull()) await write(logs.take(separator), 0);
      } else {
        addUnreadable(unreadable, record);
        if (unreadable.isFull()) await unreadableRows.write(unreadable.take(separator));
      }
    }
  }

  async function addBatch(batch: RowBatch, before: number): Promise<void> {
    // What was added before stands before it.
    await write(logs.take(separator), 0);
    await write(batch, before);
  }

  async function write(batch: RowBatch, before: number): Promise<void> {
    renumber(batch, { firstId: nextId, before });
    nextId += batch.rows;
    await logRows.write(batch);
  }

  async function finish(): Promise<void> {
    await write(logs.take(separator), 0);
    await unreadableRows.write(unreadable.take(separator));
    await logRows.finish();
    await unreadableRows.finish();
  }

  async function dispose(): Promise<void> {
    await logRows[Symbol.asyncDispose]();
    await unreadableRows[Symbol.asyncDispose]();
  }
}

function addUnreadable(batch: RowBatcher, { code, reason, raw, position }: NewUnreadable): void {
  batch.addRow([position.number, position.offset, position.length]);
  for (const [column, text] of [code, reason, raw].entries()) batch.setText(column, batch.addPiece(text));
}
