import type { DuckDBConnection } from '@duckdb/node-api';
import { raiseMemoryLimit, vectorSize } from '../../database/index.ts';
import type { RowBatch } from '../rows/row-batch.ts';
import { textsBytes } from '../rows/text-heap.ts';

/** Bytes that the database holds in addition to the texts of the rows that it commits at a time. */
const overhead = 24 * 1024 * 1024;

/** A long text has its own blocks, which may be little more than half full. */
const textFactor = 2;

/**
 * Raises the memory limit of the database to what it needs to commit the given batches, in order.
 * Logs with stack traces of about 10 kB need more than the small initial limit of a case. A
 * commit without it fails after everything was read. `writers` is the number of writers that take
 * batches concurrently.
 */
export function reserveCommitMemory(
  connection: DuckDBConnection,
  writers: number,
): (batch: RowBatch) => Promise<void> {
  const rowsAtOnce = writers * vectorSize;
  const recent: { readonly rows: number; readonly bytes: number }[] = [];
  let [rows, bytes, limit] = [0, 0, 0];
  return async (batch) => {
    add(batch);
    const needed = bytes * textFactor + overhead;
    if (limit < needed) limit = await raiseMemoryLimit(connection, needed);
  };

  /** Counts a batch, and drops those that are no longer among the last rows. */
  function add(batch: RowBatch): void {
    const added = { rows: batch.rows, bytes: textsBytes(batch.texts) };
    recent.push(added);
    rows += added.rows;
    bytes += added.bytes;
    for (let first = recent[0]; first && rowsAtOnce <= rows - first.rows; first = recent[0]) {
      recent.shift();
      rows -= first.rows;
      bytes -= first.bytes;
    }
  }
}
