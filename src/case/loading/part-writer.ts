import type { DuckDBConnection } from '@duckdb/node-api';
import type { ConnectBeside } from '../file/transaction.ts';
import { logBatchColumns, recordBytes } from '../rows/log-batch.ts';
import { type RecordBatch, renumberRecords, unreadableColumns } from '../rows/record-batch.ts';
import type { RowBatch } from '../rows/row-batch.ts';
import { openRowWriter } from '../rows/row-writer.ts';
import { maxWriters, spreadRows } from '../rows/spread-rows.ts';
import { reserveCommitMemory } from './commit-memory.ts';
import { joinSmallBatches } from './small-batches.ts';

/** The part that records belong to, and the id of its first log. */
export interface PartTarget {
  readonly part: number;
  readonly entry: string;
  readonly firstId: number;
}

/** Writes the records of parts, one part after the other. The connection is busy until disposal. */
export interface PartWriter extends AsyncDisposable {
  /** Starts a part, to which subsequent records belong. */
  readonly beginPart: (target: PartTarget) => void;
  /** Adds records; `before` is the number of records of the part preceding them. Resolves when it can take more. */
  readonly add: (batch: RecordBatch, before: number) => Promise<void>;
  /** Resolves when everything is written. */
  readonly finish: () => Promise<void>;
  /** Removes the records of the current part. */
  readonly discardPart: () => Promise<void>;
}

/** Target of the records of parts. */
export interface PartWriterOptions {
  /** Schema of the tables. */
  readonly schema?: 'stored' | 'temp';
  /** Opens further connections, for many logs. */
  readonly beside?: ConnectBeside | undefined;
  /** Expected total of inflated bytes, if known. */
  readonly likelyBytes?: number | undefined;
}

/** Opens a writer of the records of parts within the transaction of a connection. */
export async function openPartWriter(
  connection: DuckDBConnection,
  { schema = 'stored', beside, likelyBytes }: PartWriterOptions = {},
): Promise<PartWriter> {
  const constants = [
    { name: 'part', type: 'INTEGER' },
    { name: 'entry', type: 'VARCHAR' },
  ] as const;
  const logTarget = { table: `${schema}.logs`, constants, ...logBatchColumns };
  const oneLogRows = await openRowWriter(connection, logTarget);
  const connections = [connection];
  let likelyRows: number | undefined;
  const spread = spreadRows(
    oneLogRows,
    beside && {
      open: async () => openRowWriter(await open(beside), logTarget),
      likelyRows: () => likelyRows,
    },
  );
  const logRows = joinSmallBatches(connection, logTarget, spread);
  const unreadableTarget = { table: `${schema}.unreadable`, constants, ...unreadableColumns };
  const oneUnreadableRows = await openRowWriter(connection, unreadableTarget);
  const unreadableRows = joinSmallBatches(connection, unreadableTarget, oneUnreadableRows);
  const reserveMemory = reserveCommitMemory(connection, beside ? maxWriters : 1);
  let target: PartTarget = { part: 0, entry: '', firstId: 0 };
  let nextId = 0;

  return { beginPart, add, finish, discardPart, [Symbol.asyncDispose]: dispose };

  async function open(another: ConnectBeside): Promise<DuckDBConnection> {
    const opened = await another(target.part);
    connections.push(opened);
    return opened;
  }

  function beginPart(next: PartTarget): void {
    target = next;
    nextId = next.firstId;
  }

  async function add(batch: RecordBatch, before: number): Promise<void> {
    renumberRecords(batch, { firstId: nextId, before });
    nextId += batch.logs.rows;
    likelyRows ??= rowsIn(likelyBytes, batch.logs);
    await reserveMemory(batch.logs);
    await reserveMemory(batch.unreadable);
    await logRows.write(batch.logs, target.part, target.entry);
    await unreadableRows.write(batch.unreadable, target.part, target.entry);
  }

  async function finish(): Promise<void> {
    await logRows.finish();
    await unreadableRows.finish();
  }

  async function discardPart(): Promise<void> {
    const writtenRows = [logRows, unreadableRows].filter((rows) => rows.forget(target.part));
    // Deleting looks through the table, which may be long.
    if (writtenRows.length === 0) return;
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

/** Estimates the number of logs like those of a batch in an amount of bytes; undefined if unknown. */
function rowsIn(bytes: number | undefined, batch: RowBatch): number | undefined {
  const length = recordBytes(batch) / batch.rows;
  return bytes !== undefined && 0 < length ? bytes / length : undefined;
}
