import type { DuckDBConnection } from '@duckdb/node-api';
import type { Beside } from '../case/transaction.ts';
import { logColumns, meanLength } from '../rows/log-batch.ts';
import {
  type NewRecord,
  type RecordBatch,
  recordBatcher,
  renumber,
  unreadableColumns,
} from '../rows/record-batch.ts';
import type { RowBatch } from '../rows/row-batch.ts';
import { openRowWriter } from '../rows/row-writer.ts';
import { mostWriters, spreadRows } from '../rows/spread-rows.ts';
import { commitRoom } from './commit-room.ts';

/** A part that records belong to, and the id of its first log. */
export interface PartTarget {
  readonly part: number;
  readonly entry: string;
  readonly firstId: number;
}

/** Takes the records of parts, one part after the other. The connection is busy until it is disposed of. */
export interface PartWriter extends AsyncDisposable {
  /** Makes what is added from now on belong to a part. Records that were added one by one have to be finished before. */
  readonly begin: (target: PartTarget) => void;
  /** Takes records; resolves when there is room for more. */
  readonly add: (records: Iterable<NewRecord>) => Promise<void>;
  /** Takes records that were made into a batch, before which the part has so many. */
  readonly addBatch: (batch: RecordBatch, before: number) => Promise<void>;
  /** Resolves when all is written. */
  readonly finish: () => Promise<void>;
  /** Takes out what was written of the part. */
  readonly undo: () => Promise<void>;
}

/** Where the records of parts are written to. */
export interface PartWriterOptions {
  /** The schema of the tables. */
  readonly schema?: 'stored' | 'temp';
  /** Further connections, where there are many logs. */
  readonly beside?: Beside | undefined;
  /** Inflated bytes of all that is going to be written, as far as is known. */
  readonly likelyBytes?: number | undefined;
}

/** A writer of the records of parts within the transaction of a connection. */
export async function openPartWriter(
  connection: DuckDBConnection,
  { schema = 'stored', beside, likelyBytes }: PartWriterOptions = {},
): Promise<PartWriter> {
  const constants = [
    { name: 'part', type: 'INTEGER' },
    { name: 'entry', type: 'VARCHAR' },
  ] as const;
  const logTarget = { table: `${schema}.logs`, constants, ...logColumns };
  const oneLogRows = await openRowWriter(connection, logTarget);
  const connections = [connection];
  let likelyRows: number | undefined;
  const logRows = spreadRows(
    oneLogRows,
    beside && {
      open: async () => openRowWriter(await open(beside), logTarget),
      likelyRows: () => likelyRows,
    },
  );
  const unreadableRows = await openRowWriter(connection, {
    ...{ table: `${schema}.unreadable`, constants, ...unreadableColumns },
  });
  const batcher = recordBatcher();
  const makeRoom = commitRoom(connection, beside ? mostWriters : 1);
  let target: PartTarget = { part: 0, entry: '', firstId: 0 };
  let nextId = 0;

  return { begin, add, addBatch, finish, undo, [Symbol.asyncDispose]: dispose };

  async function open(another: Beside): Promise<DuckDBConnection> {
    const opened = await another(target.part);
    connections.push(opened);
    return opened;
  }

  function begin(next: PartTarget): void {
    target = next;
    nextId = next.firstId;
  }

  async function add(records: Iterable<NewRecord>): Promise<void> {
    for (const record of records) {
      batcher.add(record);
      if (batcher.isFull()) await write(batcher.take(), 0);
    }
  }

  async function addBatch(batch: RecordBatch, before: number): Promise<void> {
    // What was added before stands before it.
    await write(batcher.take(), 0);
    await write(batch, before);
  }

  async function write(batch: RecordBatch, before: number): Promise<void> {
    renumber(batch, { firstId: nextId, before });
    nextId += batch.logs.rows;
    likelyRows ??= rowsIn(likelyBytes, batch.logs);
    const constants = [target.part, target.entry];
    await makeRoom(batch.logs);
    await makeRoom(batch.unreadable);
    await logRows.write(batch.logs, constants);
    await unreadableRows.write(batch.unreadable, constants);
  }

  async function finish(): Promise<void> {
    await write(batcher.take(), 0);
    await logRows.finish();
    await unreadableRows.finish();
  }

  async function undo(): Promise<void> {
    await finish();
    for (const each of connections)
      for (const table of ['logs', 'unreadable'])
        await each.run(`DELETE FROM ${schema}.${table} WHERE part = $1`, [target.part]);
  }

  async function dispose(): Promise<void> {
    await logRows[Symbol.asyncDispose]();
    await unreadableRows[Symbol.asyncDispose]();
  }
}

/** How many logs like those of a batch so many bytes hold; undefined where that cannot be said. */
function rowsIn(bytes: number | undefined, batch: RowBatch): number | undefined {
  const length = meanLength(batch);
  return bytes !== undefined && 0 < length ? bytes / length : undefined;
}
